import packageJson from '../../../package.json' with { type: 'json' };

/** What `npm run image` and `caisson image build` make. */
export const DEFAULT_IMAGE = `caisson-sandbox:${packageJson.version}`;
