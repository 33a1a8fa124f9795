import { chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { createFileLayer } from '../../files/create-file-layer.js';
import type { FileLayer } from '../../files/file-layer.js';
import { explainFailure, performOperation } from '../../files/perform-operation.js';
import type { FileHelperInit, HostMessage } from '../../protocol/container.js';
import { EMPTY_PLAN } from '../../protocol/plan.js';
import { Wire } from '../wire.js';
import { performTreeOperation } from './tree-operations.js';

type HelperMessage = FileHelperInit | Extract<HostMessage, { type: 'file' | 'tree' | 'enforce' }>;

/** A process under the commands' user that does file work, one operation after the other. */
export function startFileHelper(input: Readable, output: Writable): void {
  let files: FileLayer | undefined;
  let trees: FileLayer | undefined;
  let init: FileHelperInit | undefined;
  // Copying in and out is the host's own doing, under no rule: what is denied never comes here to begin with.
  const bare = () =>
    (trees ??=
      init === undefined
        ? undefined
        : open({ ...init, plan: EMPTY_PLAN, scratchDirectory: `${init.scratchDirectory}/trees` }));
  const wire = new Wire(input, output, {
    frame: (header, body) => {
      const message = header as HelperMessage;
      if (message.type === 'init') {
        init = message;
        if (message.user !== undefined) become(message.user);
        keepOpen(message.workspace);
        files = open(message);
      } else if (message.type === 'enforce') files?.enforce(message.plan);
      else {
        if (init !== undefined) keepOpen(init.workspace);
        const layer = message.type === 'file' ? files : bare();
        if (layer !== undefined) answer(wire, layer, { message, body });
      }
    },
    closed: () => process.exit(0),
  });
}

function become({ uid, gid }: { uid: number; gid: number }): void {
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/** Commands own the workspace and may take their own right to enter it away: that must not keep file calls out. */
function keepOpen(workspace: string): void {
  const { mode, uid } = statSync(workspace);
  if ((mode & constants.S_IXUSR) === 0 && uid === process.getuid?.())
    chmodSync(workspace, (mode & 0o777) | constants.S_IRWXU);
}

function open({ plan, startedEmpty, workspace, scratchDirectory }: FileHelperInit): FileLayer {
  mkdirSync(scratchDirectory, { recursive: true, mode: 0o700 });
  return createFileLayer({
    mode: 'direct',
    workspaceRoot: workspace,
    privateRoot: scratchDirectory,
    plan,
    workspaceOnly: true,
    startedEmpty,
    maxBytes: 1024 * 1024,
    maxEntries: 1_000,
  });
}

function answer(
  wire: Wire,
  files: FileLayer,
  { message, body }: { message: Extract<HelperMessage, { type: 'file' | 'tree' }>; body: Uint8Array },
): void {
  const { id } = message;
  try {
    const reply =
      message.type === 'file'
        ? performOperation(message.operation, body, files)
        : performTreeOperation(message.operation, body, files);
    wire.send({ type: 'file-result', id, value: reply.value }, reply.body);
  } catch (error) {
    wire.send({ type: 'error', id, ...explainFailure(error) });
  }
}
