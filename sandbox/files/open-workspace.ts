import type { Change, CommitResult } from '../protocol/files.js';
import type { EnforcementPlan } from '../protocol/plan.js';
import { commitOverlay } from './commit-overlay.js';
import { DirectTree } from './direct/direct-tree.js';
import { Gate } from './direct/gate.js';
import { PrivateDirectory } from './direct/private-directory.js';
import type { FileLayerOptions } from './file-layer.js';
import { listChanges } from './list-changes.js';
import { OverlayMarks } from './overlay/overlay-marks.js';
import { OverlayTree } from './overlay/overlay-tree.js';
import { Refusal } from './refusal.js';
import { Guard } from './rules/guard.js';
import { PathRules } from './rules/path-rules.js';
import type { Tree } from './tree.js';

/** What operations work on: the trees of the sandbox's namespace, and what guards them. */
export interface Workspace {
  readonly trees: readonly Tree[];
  readonly guard: Guard;
  /** Before each operation, and before each further attempt at one. */
  begin(): void;
  changes(): Change[];
  commit(): CommitResult;
  discard(): void;
  enforce(plan: EnforcementPlan): void;
}

const COMMITTING = 'committing.json';

export function openWorkspace(options: FileLayerOptions): Workspace {
  const gate = new Gate();
  const own = new PrivateDirectory(gate, options.privateRoot, options);
  own.tidyUp();
  const rules = new PathRules();
  rules.add(options.plan);
  const { tree, overlay } = openTree(options, { gate, own, guard: () => guard });
  const guard = new Guard(rules, tree);
  const layers = overlay === undefined ? { seen: tree, touched: () => true } : overlayLayers(overlay);

  return {
    trees: options.workspaceOnly === true ? [tree] : [tree, own.tree('tmp', '/tmp'), own.tree('home', '/home/agent')],
    guard,
    begin() {
      gate.reset();
      overlay?.reset();
    },
    changes() {
      if (options.mode === 'direct' && options.startedEmpty !== true) throw unsupported();
      return listChanges(layers, rules);
    },
    commit() {
      if (overlay === undefined) throw unsupported(options.mode);
      const result = commitOverlay(overlay, overlayLayers(overlay), {
        guard,
        confirmed: new Set(JSON.parse(own.readNote(COMMITTING) ?? '[]') as string[]),
        confirm: (directories) => own.writeNote(COMMITTING, JSON.stringify(directories)),
      });
      forgetChanges();
      return result;
    },
    discard() {
      if (overlay === undefined) throw unsupported(options.mode);
      forgetChanges();
    },
    enforce(plan) {
      rules.add(plan);
      guard.rulesChanged();
    },
  };

  function forgetChanges(): void {
    own.clear('upper');
    own.writeNote(COMMITTING, undefined);
    own.quota.forget();
  }
}

interface Parts {
  gate: Gate;
  own: PrivateDirectory;
  guard(): Guard;
}

function openTree(options: FileLayerOptions, { gate, own, guard }: Parts): { tree: Tree; overlay?: OverlayTree } {
  if (options.mode === 'memory') return { tree: own.tree('workspace', '/workspace') };
  const root = options.workspaceRoot === undefined ? undefined : gate.follow(options.workspaceRoot);
  if (root === undefined) throw new Refusal('not_found', 'the workspace directory cannot be opened');
  const lower = new DirectTree({ gate, scratch: own.scratch, mount: '/workspace', root });
  if (options.mode === 'direct') return { tree: lower };
  const upper = own.tree('upper', '/workspace');
  const overlay = new OverlayTree({
    upper,
    lower,
    marks: new OverlayMarks(upper),
    moveToTrash: (at) => own.moveToTrash(upper, at),
    requireCopyable: (stat) => guard().requireNotDeniedElsewhere(stat),
  });
  return { tree: overlay, overlay };
}

function overlayLayers(overlay: OverlayTree) {
  return { seen: overlay, below: overlay.lower, touched: (dir: string) => overlay.upperHas(dir) };
}

function unsupported(mode: 'direct' | 'memory' | 'overlay' = 'direct'): Refusal {
  return new Refusal(
    'unsupported',
    mode === 'memory'
      ? "a 'memory' workspace has no directory behind it; read its files out, or use workspaceMode 'overlay'"
      : "a 'direct' workspace is changed at once; use workspaceMode 'overlay' to keep changes apart",
  );
}
