import type { SecretExposure } from '../permissions/secret-exposure.js';
import { findSecretExposures } from '../permissions/secret-exposure.js';
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
  const { exposures, complete } = await inspectWorkspace(workspace, plan);
  if (exposures.length > 0) {
    const shown = exposures.slice(0, 5).map(({ path, how, also }) => `'${path}' (${how}: ${also})`);
    throw new SandboxUnavailableError(
      `Cannot start the sandbox with strictSecrets: what a rule denies can be read under another name: ${shown.join(', ')}. Remove those names, or deny them too`,
    );
  }
  if (!complete)
    throw new SandboxUnavailableError(
      'Cannot start the sandbox with strictSecrets: the workspace has too many files to be looked through',
    );
}

/** Looks through a workspace in a sandbox of its own, which holds no rules and writes nothing. */
export async function inspectWorkspace(
  workspace: string,
  plan: EnforcementPlan,
): Promise<{ exposures: SecretExposure[]; complete: boolean }> {
  const { createIsolateSandbox } = await import('../sandbox/isolate/create-isolate-sandbox.js');
  await using session = createIsolateSandbox({ workspace, workspaceMode: 'overlay' });
  await session.start();
  // Awaited here: the session is gone when this returns.
  return await findSecretExposures(session.fs, plan);
}
