import type { EnforcementPlan } from '../sandbox/plan.js';

/** Symbolic links in a workspace that lead to what rules name, `/workspace/name` to `/workspace/target`. */
export type WorkspaceLinks = Readonly<Record<string, string>>;

/**
 * Looks for links once, when they are first asked for: where no sandbox follows them behind a gate of its own, a name
 * that leads to a denied file is told by its text alone.
 */
export function createLinkReader(workspace: string, plan: EnforcementPlan): () => Promise<WorkspaceLinks> {
  let reading: Promise<WorkspaceLinks> | undefined;
  return () => {
    reading ??= read(workspace, plan).catch(() => ({}));
    return reading;
  };
}

async function read(workspace: string, plan: EnforcementPlan): Promise<WorkspaceLinks> {
  const { findOtherNames } = await import('../sandbox/docker/names/find-other-names.js');
  const { links } = await findOtherNames(workspace, plan);
  return Object.fromEntries(
    Object.entries(links).map(([name, target]) => [
      `/workspace/${name}`,
      target === '.' ? '/workspace' : `/workspace/${target}`,
    ]),
  );
}
