import { KNOWN_TOOLS } from '../../../../sandbox/protocol/known-tools.js';
import { SandboxUnavailableError } from '../../errors.js';
import { type CommandSurroundings, ExecCommand } from './exec-command.js';

export interface Found {
  /** Before a command line. */
  shell: readonly string[];
  tools: string[];
  /** Resource limits of other processes can be read, and so calls told apart for certain. */
  marked: boolean;
}

/** File work and commands are made of these. */
const NEEDED = 'cat chmod dd head ln mkdir mv readlink rm rmdir sleep stat touch tr xargs';
const TIMEOUT_MS = 15_000;

/**
 * What an image has.
 * @throws SandboxUnavailableError `unsupported`, naming the tools without which nothing can be done
 */
export async function probe(around: CommandSurroundings): Promise<Found> {
  const { lines, first, mark } = await runProbe(around);
  const shells = lines.get('bash') ?? [];
  const lacking = lines.get('lacks') ?? [];
  if (lacking.length > 0) {
    throw new SandboxUnavailableError(
      `Cannot start the sandbox: the image has no Node, and lacks what is needed to work without it: ${lacking.join(', ')}. Add Node 22 or later, or these tools, to the image`,
      { code: 'unsupported' },
    );
  }
  const [bash] = shells;
  return {
    shell: bash === undefined ? ['/bin/sh', '-c'] : [bash, '--norc', '--noprofile', '-c'],
    tools: (lines.get('tool') ?? []).filter((tool) => KNOWN_TOOLS.includes(tool)),
    marked: first !== undefined && around.marks.learn(mark, first),
  };
}

async function runProbe(around: CommandSurroundings) {
  let output = '';
  const failure: { message?: string } = {};
  const command = new ExecCommand(
    0,
    {
      argv: ['/bin/sh', '-c', PROBE, 'sh', NEEDED, KNOWN_TOOLS.join(' ')],
      cwd: '/workspace',
      env: {},
      timeoutMs: TIMEOUT_MS,
      flow: false,
      stdin: new Uint8Array(0),
    },
    {
      around,
      answer: (message, body) => {
        if (message.type === 'output') output += Buffer.from(body ?? '').toString('latin1');
        if (message.type === 'error') failure.message = message.message;
      },
    },
  );
  await command.ended;
  if (failure.message !== undefined || !output.endsWith('end\n')) {
    throw new SandboxUnavailableError(
      `Cannot start the sandbox: no command can be run in it${failure.message === undefined ? '' : ` (${failure.message})`}`,
      { code: 'sandbox_start_failed' },
    );
  }
  const lines = Map.groupBy(output.trimEnd().split('\n'), (line) => line.split(' ', 1)[0] ?? '');
  const words = new Map([...lines].map(([key, all]) => [key, all.map((line) => line.slice(key.length + 1))]));
  return { lines: words, first: command.first, mark: command.mark };
}

const PROBE = `
has() { for d in /usr/local/sbin /usr/local/bin /usr/sbin /usr/bin /sbin /bin; do [ -f "$d/$1" ] && [ -x "$d/$1" ] && p=$d/$1 && return 0; done; return 1; }
has bash && echo "bash $p"
for t in $1; do has "$t" || echo "lacks $t"; done
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
[ "$(printf abc | dd bs=3 count=1 iflag=fullblock 2>/dev/null)" = abc ] || echo "lacks dd with iflag=fullblock"
for t in $2; do has "$t" && echo "tool $t"; done
echo end
`;
