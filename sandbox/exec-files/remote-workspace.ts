import { listChanges } from '../files/list-changes.js';
import type { Workspace } from '../files/open-workspace.js';
import { Refusal } from '../files/refusal.js';
import { Guard } from '../files/rules/guard.js';
import { PathRules } from '../files/rules/path-rules.js';
import type { EnforcementPlan } from '../protocol/plan.js';
import type { RemoteTree } from './remote-tree.js';

/** What file operations work on, where the files are in a container: the same rules over another tree. */
export function openRemoteWorkspace(
  tree: RemoteTree,
  { plan, startedEmpty }: { plan: EnforcementPlan; startedEmpty: boolean },
): Workspace {
  const rules = new PathRules();
  rules.add(plan);
  const guard = new Guard(rules, tree);
  return {
    trees: [tree],
    guard,
    begin: () => tree.forget(),
    changes() {
      if (!startedEmpty) throw unsupported('direct');
      return listChanges({ seen: tree, touched: () => true }, rules);
    },
    commit() {
      throw unsupported(startedEmpty ? 'memory' : 'direct');
    },
    discard() {
      throw unsupported(startedEmpty ? 'memory' : 'direct');
    },
    enforce(more) {
      rules.add(more);
      guard.rulesChanged();
    },
  };
}

function unsupported(mode: 'direct' | 'memory'): Refusal {
  return new Refusal(
    'unsupported',
    mode === 'memory'
      ? "a 'memory' workspace has no directory behind it; read its files out, or use workspaceMode 'overlay'"
      : "a 'direct' workspace is changed at once; use workspaceMode 'overlay' to keep changes apart",
  );
}
