import packageJson from '../../../../package.json' with { type: 'json' };
import { func, oneOf, text, whole } from '../../../checks/kinds.js';
import { checkOptions, shapeOf } from '../../../checks/options.js';

export interface ServeMcpOptions {
  /** What the server calls itself. Default `caisson`. */
  name?: string;
  /** Default the version of this package. */
  version?: string;
  /** Said to the client's model of the whole server. Default the description of the host's sandbox, when it has one. */
  instructions?: string;
  /**
   * What happens to a call that needs approval: `elicit` asks the person at the client, and rejects where the client
   * cannot ask; `deny` rejects; `allow` runs. Default `elicit`. A host with its own `approve` function asks there.
   */
  approvals?: 'elicit' | 'deny' | 'allow';
  /** Milliseconds a person has to decide. Default 600,000. */
  approvalTimeoutMs?: number;
  /** Calls that run or wait at once; one more is answered with an error. Default 128. */
  maxConcurrentCalls?: number;
  /** Gets a line for what is nobody else's to know, such as the reason of an internal error. Default stderr. */
  log?: (line: string) => void;
}

export type ServeMcpSettings = Required<Omit<ServeMcpOptions, 'instructions'>> & Pick<ServeMcpOptions, 'instructions'>;

const OPTIONS = shapeOf<ServeMcpOptions>({
  name: text,
  version: text,
  instructions: text,
  approvals: oneOf(['elicit', 'deny', 'allow']),
  approvalTimeoutMs: whole(1, 2 ** 31 - 1),
  maxConcurrentCalls: whole(1),
  log: func,
});

/** Fills in the defaults. @throws TypeError naming the option that cannot be */
export function readServeOptions(options: ServeMcpOptions): ServeMcpSettings {
  checkOptions('Cannot serve MCP', options, OPTIONS);
  return {
    name: 'caisson',
    version: packageJson.version,
    approvals: 'elicit',
    approvalTimeoutMs: 600_000,
    maxConcurrentCalls: 128,
    log: writeLine,
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  };
}

/** Clients write a part of what is logged: it must not drive a terminal. */
function writeLine(line: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not pass
  process.stderr.write(`${line.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd')}\n`);
}
