import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { performTreeOperation } from '../container/files/tree-operations.js';
import { Wire } from '../container/wire.js';
import { createLayerOver } from '../files/create-file-layer.js';
import type { FileLayer } from '../files/file-layer.js';
import { explainFailure, performOperation } from '../files/perform-operation.js';
import { spotOf } from '../files/tree.js';
import type { HostMessage } from '../protocol/container.js';
import type { ExecFilesInit } from '../protocol/exec-files.js';
import { EMPTY_PLAN } from '../protocol/plan.js';
import { RemoteShell } from './remote-shell.js';
import { RemoteTree } from './remote-tree.js';
import { openRemoteWorkspace } from './remote-workspace.js';

type HelperMessage = ExecFilesInit | Extract<HostMessage, { type: 'file' | 'tree' | 'enforce' }>;
type FileMessage = Extract<HelperMessage, { type: 'file' | 'tree' }>;

/** Without its shell it is of no use and ends: the host starts another pair. */
interface Session {
  tree: RemoteTree;
  files: FileLayer;
  /** Copying in and out is the host's own doing, under no rule. */
  bare: FileLayer;
}

/**
 * A process of the host that does file work in a container through a shell there. It waits for each step, and what it
 * searches may be hostile to patterns: it is made to be ended when it takes too long.
 */
let session: Session | undefined;
const output = new Socket({ fd: 1, readable: false, writable: true });
const wire = new Wire(process.stdin, output, {
  frame: (header, body) => {
    const message = header as HelperMessage;
    if (message.type === 'init') session = open(message);
    else if (message.type === 'enforce') session?.files.enforce(message.plan);
    else if (session !== undefined) answer(session, message, body);
  },
  closed: () => process.exit(0),
});

function open({ token, plan, startedEmpty, scratchDirectory }: ExecFilesInit): Session {
  // Whatever ends it, and although its host may be gone.
  process.once('exit', () => rmSync(scratchDirectory, { recursive: true, force: true }));
  const tree = new RemoteTree(new RemoteShell(token, () => process.exit(3)), scratchDirectory);
  const layer = (rules: typeof plan) => createLayerOver(openRemoteWorkspace(tree, { plan: rules, startedEmpty }));
  return { tree, files: layer(plan), bare: layer(EMPTY_PLAN) };
}

function answer({ tree, files, bare }: Session, message: FileMessage, body: Uint8Array): void {
  const { id } = message;
  try {
    const reply =
      message.type === 'file'
        ? performOperation(message.operation, body, files)
        : performTreeOperation(message.operation, body, bare, (path) => tree.makeFifo(spotOf(path)));
    wire.send({ type: 'file-result', id, value: reply.value }, reply.body);
  } catch (error) {
    wire.send({ type: 'error', id, ...explainFailure(error) });
  }
}
