import { SandboxUnavailableError } from '../sandbox/errors.js';
import type { EnforcementPlan } from '../sandbox/plan.js';
import type { SandboxSource } from '../sandbox/resolve-sandbox.js';

/** A sandbox that does not start while a denied file's content stands under a name that no rule denies. */
export function withStrictSecrets(
  source: SandboxSource,
  { workspace, plan }: { workspace: string; plan: EnforcementPlan },
): SandboxSource {
  let checked: Promise<void> | undefined;
  return {
    sandbox: source.sandbox,
    get unenforced() {
      return source.unenforced;
    },
    async start() {
      checked ??= requireNoExposure(workspace, plan);
      try {
        await checked;
      } catch (error) {
        checked = undefined;
        throw error;
      }
      return source.start();
    },
    noticeFailure: (failure) => source.noticeFailure(failure),
    dispose: () => source.dispose(),
  };
}

async function requireNoExposure(workspace: string, plan: EnforcementPlan): Promise<void> {
  const { findOtherNames } = await import('../sandbox/docker/names/find-other-names.js');
  const { exposures, unseen } = await findOtherNames(workspace, plan);
  if (exposures.length > 0) {
    const shown = exposures.slice(0, 5).map(({ path, how, also }) => `'${path}' (${how}: ${also})`);
    throw new SandboxUnavailableError(
      `Cannot start the sandbox with strictSecrets: what a rule denies can be read under another name: ${shown.join(', ')}. Remove those names, or deny them too`,
    );
  }
  if (unseen.length > 0) {
    throw new SandboxUnavailableError(
      `Cannot start the sandbox with strictSecrets: not all of the workspace could be looked through: ${unseen.slice(0, 5).join(', ')}`,
    );
  }
}
