import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { encodeFrame, FrameDecoder } from '../../../sandbox/protocol/frame.js';
import { readShellCommand } from '../../../src/permissions/shell/read-shell-command.js';
import type { SandboxSession } from '../../../src/sandbox/contract.js';
import { type Attacks, within } from '../attack.js';
import { createRandom, fuzzSettings, type Random } from '../random.js';
import type { Project, Stage } from '../stage.js';

export const fuzz: Attacks = {
  'HOST-037': within(60_000, async (stage) => {
    fuzzFrames();
    fuzzShellCommands();
    await fuzzPaths(stage);
  }),
};

function fuzzFrames(): void {
  const { seed, runs } = fuzzSettings(20_000);
  const random = createRandom(seed);
  for (let index = 0; index < runs; index += 1) {
    const stream = random.below(3) === 0 ? random.bytes(random.below(64)) : mutatedFrames(random);
    const decoder = new FrameDecoder();
    let read = 0;
    try {
      for (let at = 0; at < stream.length; ) {
        const size = 1 + random.below(16);
        for (const frame of decoder.push(stream.subarray(at, at + size))) read += frame.body.length;
        at += size;
      }
    } catch (error) {
      expect((error as Error).constructor.name, `frames, seed ${seed}, run ${index}`).toBe('FrameError');
    }
    expect(read, `frames, seed ${seed}, run ${index}`).toBeLessThanOrEqual(stream.length);
  }
}

function mutatedFrames(random: Random): Uint8Array {
  const frames = Array.from({ length: 1 + random.below(3) }, () =>
    encodeFrame({ type: 'ready', n: random.below(9) }, random.bytes(random.below(9))),
  );
  const stream = Buffer.concat(frames.flat());
  for (let count = random.below(3); count > 0; count -= 1) stream[random.below(stream.length)] = random.below(256);
  return stream;
}

const SHELL_PIECES = [
  'rm',
  ' ',
  ' ',
  '\n',
  ';',
  '|',
  '&',
  '&&',
  '(',
  ')',
  '{',
  '}',
  '$(',
  '`',
  '"',
  "'",
  '$',
  '\\',
  '<',
  '>',
  '<<E\n',
  '<<<',
  '$((',
  '))',
  '[[',
  ']]',
  'if',
  'then',
  'fi',
  'for',
  'do',
  'done',
  'case',
  'esac',
  'in',
  'x=',
  'echo',
  '*',
  '#',
  '!',
  'eval',
  'sh -c',
  '~',
  '\0',
  '🦀',
  '${',
  '}',
];

function fuzzShellCommands(): void {
  const { seed, runs } = fuzzSettings(10_000);
  const random = createRandom(seed);
  for (let index = 0; index < runs; index += 1) {
    const text = random.text(SHELL_PIECES, 24);
    const reading = readShellCommand(text);
    expect(readShellCommand(text), `shell, seed ${seed}: ${JSON.stringify(text)}`).toEqual(reading);
    // A command that stands at the end of anything readable is found, or the whole is not understood.
    const found = (line: string) => {
      const { commands, unreadable } = readShellCommand(line);
      return Boolean(unreadable) || commands.some((command) => command.words[0] === 'forbidden');
    };
    const quiet = random.pick([
      'forbidden',
      'forbidden x',
      'x=1 forbidden',
      '{ forbidden; }',
      '(forbidden)',
      'echo $(forbidden)',
      'env forbidden',
      'true && forbidden',
    ]);
    expect(found(quiet), `shell: ${quiet}`).toBe(true);
    expect(
      Boolean(reading.unreadable) || !/\bforbidden\b/.test(text),
      `shell, seed ${seed}: ${JSON.stringify(text)}`,
    ).toBe(true);
  }
}

const NAMES = ['a', 'b', 'secret', 'link', 'up', '.env'];
const SEGMENTS = [...NAMES, ...NAMES, '.', '..', '', 'SECRET', '..a', ' '];

/** Random link trees, read by random paths: each read agrees with a model of where the path leads. */
async function fuzzPaths(stage: Stage): Promise<void> {
  const { seed, runs } = fuzzSettings(12);
  const random = createRandom(seed);
  for (let tree = 0; tree < runs; tree += 1) {
    const project = stage.project();
    const model = growTree(random, project);
    const session = stage.sandbox({
      workspace: project.root,
      plan: {
        denyRead: ['**/.env', '**/.env/**'].map((glob) => ({ glob, rule: 'read_file(**/.env)' })),
        denyWrite: [],
      },
    });
    for (let index = 0; index < 120; index += 1) {
      const path = Array.from({ length: 1 + random.below(5) }, () => random.pick(SEGMENTS)).join('/');
      const place = `paths, seed ${seed}, tree ${tree}: ${JSON.stringify(path)}`;
      const read = await readOutcome(session, path);
      // A file named with a slash behind it may be taken for the file, or for the directory that it is not.
      if (read !== NOTHING || !/(^|\/)\.{0,2}$/.test(path)) expect(read, place).toBe(model.read(path));
    }
    await session.dispose();
    rmSync(project.root, { recursive: true });
  }
}

async function readOutcome(session: SandboxSession, path: string): Promise<string> {
  try {
    const bytes = await session.fs.readFile(path);
    return bytes === null ? NOTHING : Buffer.from(bytes).toString();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined) throw error;
    return NOTHING;
  }
}

const NOTHING = 'nothing to read';

type Node = { kind: 'file'; content: string } | Directory | { kind: 'link'; target: string };

interface Directory {
  kind: 'directory';
  entries: Map<string, Node>;
}

function growTree(random: Random, project: Project): { read(path: string): string } {
  const root: Directory = { kind: 'directory', entries: new Map() };
  fill(random, root, project.root, 0);
  return { read: (path) => readModel(root, path) };
}

function fill(random: Random, directory: Directory, hostPath: string, depth: number): void {
  for (const name of NAMES) {
    if (random.below(3) === 0) continue;
    const at = `${hostPath}/${name}`;
    const kind = depth < 3 ? random.pick(['file', 'directory', 'link'] as const) : 'file';
    if (kind === 'file') {
      const content = `${name} at ${depth} ${random.below(1e6)}`;
      writeFileSync(at, content);
      directory.entries.set(name, { kind, content });
    } else if (kind === 'link') {
      const target = random.pick([
        'a',
        'b',
        '../b',
        '../secret',
        '.env',
        './a/../b',
        '../../outside/secret.txt',
        '/workspace/a',
        '/workspace/b/a',
        '/etc/passwd',
        '..',
        '.',
        'link',
        '../../..',
      ]);
      symlinkSync(target, at);
      directory.entries.set(name, { kind, target });
    } else {
      mkdirSync(at);
      const child: Directory = { kind, entries: new Map() };
      directory.entries.set(name, child);
      fill(random, child, at, depth + 1);
    }
  }
}

/**
 * What a read gives. Dots are taken away by the text alone, as a shell's `cd` does; the rest is walked as the kernel
 * does, in the sandbox's namespace. A rule holds for the path as given and for the place where it leads.
 */
function readModel(root: Directory, path: string): string {
  const given = withoutDots(path);
  const steps: Step[] = [{ name: '', node: root }];
  if (given === undefined || isDenied(given) || !follow({ root, steps, links: 0 }, given.join('/'))) return NOTHING;
  const { node } = steps.at(-1) as Step;
  return node.kind !== 'file' || isDenied(steps.map((step) => step.name)) ? NOTHING : node.content;
}

/** `undefined`: it leads out. */
function withoutDots(path: string): string[] | undefined {
  if (path.startsWith('/')) return undefined;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..' && segments.pop() === undefined) return undefined;
    if (segment !== '' && segment !== '.' && segment !== '..') segments.push(segment);
  }
  return segments;
}

function isDenied(segments: string[]): boolean {
  return segments.some((segment) => segment.toLowerCase() === '.env');
}

interface Step {
  name: string;
  node: Node;
}

interface Walk {
  root: Directory;
  steps: Step[];
  links: number;
}

/** @returns whether it leads to something inside */
function follow(walk: Walk, path: string): boolean {
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    const { node } = walk.steps.at(-1) as Step;
    if (node.kind !== 'directory') return false;
    if (segment === '..') {
      if (walk.steps.length === 1) return false;
      walk.steps.pop();
      continue;
    }
    const next = node.entries.get(segment);
    if (next === undefined) return false;
    if (next.kind !== 'link') walk.steps.push({ name: segment, node: next });
    else if (!followLink(walk, next.target)) return false;
  }
  return true;
}

function followLink(walk: Walk, target: string): boolean {
  walk.links += 1;
  if (walk.links > 40) return false;
  if (!target.startsWith('/')) return follow(walk, target);
  if (!target.startsWith('/workspace/')) return false;
  walk.steps.length = 1;
  return follow(walk, target.slice('/workspace'.length));
}
