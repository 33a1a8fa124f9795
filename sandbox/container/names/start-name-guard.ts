import type { NameGuardReply, NameGuardRequest } from '../../protocol/name-guard.js';
import { findOtherNames } from './find-other-names.js';
import { NameWatch } from './name-watch.js';

/** A process of the host's machine that watches a workspace for what the rules name. Ends with the host. */
export function start(): void {
  let names: NameWatch | undefined;
  const say = (reply: NameGuardReply): void => void process.send?.(reply);
  // A person's Ctrl-C is the host's to answer.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('disconnect', () => process.exit(0));
  process.on('message', (request: NameGuardRequest) => {
    try {
      if (request.type === 'find-others')
        return say({ type: 'others', others: findOtherNames(request.root, request.plan) });
      if (request.type === 'watch') {
        names = new NameWatch({
          ...request,
          onReplaced: (named) => say({ type: 'replaced', named }),
          onAppeared: (named, replaced) => say({ type: 'appeared', named, replaced }),
        });
        const { named, closesRoot, unmatched, unnamed, linked } = names;
        return say({ type: 'named', named, closesRoot, unmatched, unnamed, linked });
      }
    } catch (error) {
      return say({ type: 'failed', message: (error as NodeJS.ErrnoException).code ?? 'unknown' });
    }
    void names?.changed().then((changed) => say({ type: 'checked', changed }));
  });
}
