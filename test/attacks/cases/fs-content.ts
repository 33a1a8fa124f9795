import { appendFileSync, truncateSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { DirectoryEntry, SandboxSession } from '../../../src/sandbox/contract.js';
import type { Attacks } from '../attack.js';
import { call, errorOf, outputOf, shell } from '../call.js';
import { expectAnswers, textOf } from '../evaluate.js';
import { watchHost } from '../host-watch.js';
import { ON_DISK, onDisk } from '../on-disk.js';
import { workersOf } from '../processes.js';

export const fsContent: Attacks = {
  'FS-018': async (stage) => {
    const session = stage.sandbox();
    const files = session.fs;
    const attempts = [
      () => files.readFile('a\0b.txt'),
      () => files.writeFile('a\0b.txt', 'x'),
      () => files.stat('\0'),
      () => files.list('/workspace\0/etc'),
      () => files.mkdir('d\0'),
      () => files.remove('a\0'),
      () => files.rename('a', 'b\0'),
      () => files.glob('*', { cwd: 'a\0' }),
      () => files.grep('x', { path: 'a\0' }),
      () => session.exec('echo a\0b'),
    ];
    for (const attempt of attempts)
      await expect(attempt(), String(attempt)).rejects.toMatchObject({ code: 'invalid_input' });
    const host = stage.host({ sandbox: session });
    for (const tool of ['read_file', 'list_dir']) {
      const outcome = await call(host, tool, { path: 'a\0b.txt' });
      expect(JSON.stringify(outcome), tool).toMatch(/invalid_input|"kind":"validation"/);
    }
    await expectAnswers(session);
  },

  'FS-020': async (stage) => {
    const names = [
      'new\nline',
      'tab\tname',
      ' leading',
      'trailing ',
      '-rf',
      '--files',
      'dot.',
      '...',
      '🦀',
      'rtl\u202egnp.exe',
      "quo'te",
      '$(id)',
      'back\\slash',
      '*',
    ];
    for (const session of onDisk(stage).sessions) {
      const host = stage.host({ sandbox: session });
      for (const name of names) await outputOf(host, 'write_file', { path: `odd/${name}`, content: name });
      const listed = await outputOf<{ entries: DirectoryEntry[] }>(host, 'list_dir', { path: 'odd' });
      expect(listed.entries.map((entry) => entry.name).sort()).toEqual([...names].sort());
      for (const name of names) expect(textOf(await session.fs.readFile(`odd/${name}`)), name).toBe(name);
      const found = await session.exec('cd odd && find . -type f -print0');
      expect(found.stdout.split('\0').filter(Boolean).sort()).toEqual(names.map((name) => `./${name}`).sort());
      expect((await session.fs.glob('odd/*')).paths.sort()).toEqual(names.map((name) => `odd/${name}`).sort());
      await session.fs.remove('odd/-rf');
      expect((await session.fs.list('odd'))?.length).toBe(names.length - 1);
    }
  },

  'FS-024': async (stage) => {
    const host = stage.host();
    const replacement = "$& $1 $` $' $$ \\1 %s";
    await outputOf(host, 'write_file', { path: 'f.txt', content: 'a x b' });
    await outputOf(host, 'edit_file', { path: 'f.txt', old_string: 'x', new_string: replacement });
    expect((await shell(host, 'cat f.txt')).stdout).toBe(`a ${replacement} b`);
    await outputOf(host, 'edit_file', { path: 'f.txt', old_string: replacement, new_string: '.*', replace_all: true });
    expect((await shell(host, 'cat f.txt')).stdout).toBe('a .* b');
  },

  'FS-025': async (stage) => {
    const host = stage.host();
    const content = 'aaa one one two';
    await outputOf(host, 'write_file', { path: 'f.txt', content });
    const attempts: [string, RegExp][] = [
      ['absent', /^edit_not_found$/],
      ['one', /^edit_not_unique$/],
      ['aa', /^edit_not_unique$/],
      ['', /^(invalid_input|edit_not_found|edit_not_unique)$|^validation$/],
    ];
    for (const [oldString, expected] of attempts) {
      const error = await errorOf(host, 'edit_file', { path: 'f.txt', old_string: oldString, new_string: 'new' });
      expect(error.code ?? error.kind, oldString).toMatch(expected);
      expect(error.message.length, oldString).toBeGreaterThan(10);
    }
    expect((await shell(host, 'cat f.txt')).stdout).toBe(content);
  },

  'FS-026': async (stage) => {
    for (const session of onDisk(stage).sessions) {
      const host = stage.host({ sandbox: session });
      const other = stage.host({ sandbox: session });
      const lines = Array.from({ length: 100 }, (_, index) => `line-${index}-old;`);
      await session.fs.writeFile('f.txt', lines.join('\n'));
      const edits = lines.map((line, index) =>
        call(index % 2 === 0 ? host : other, 'edit_file', {
          path: 'f.txt',
          old_string: line,
          new_string: `line-${index}-new;`,
        }),
      );
      const outcomes = await Promise.all(edits);
      const text = textOf(await session.fs.readFile('f.txt')).split('\n');
      expect(text).toHaveLength(100);
      for (const [index, outcome] of outcomes.entries()) {
        expect(text[index]).toBe(`line-${index}-${outcome.status === 'ok' ? 'new' : 'old'};`);
      }
      expect(outcomes.some((outcome) => outcome.status === 'ok')).toBe(true);
    }
  },

  'FS-027': async (stage) => {
    const [before, after] = [Buffer.alloc(50e6, 'a'), Buffer.alloc(50e6, 'b')];
    for (const mode of ON_DISK) {
      const project = stage.project();
      const session = stage.sandbox({
        workspace: project.root,
        workspaceMode: mode,
        limits: { memoryBytes: 1024 * 1024 * 1024 },
      });
      await session.fs.writeFile('big', before);
      await Promise.allSettled(
        [5, 15, 40].map(async (delay) => {
          const abort = new AbortController();
          const writing = session.fs.writeFile('big', after, { signal: abort.signal });
          await sleep(delay);
          abort.abort();
          await writing;
        }),
      );
      await expectWhole(session, before, after);
      for (const delay of [5, 20, 50]) {
        const writing = session.fs.writeFile('big', delay === 20 ? before : after).catch(() => undefined);
        await sleep(delay);
        for (const pid of workersOf(session)) process.kill(pid, 'SIGKILL');
        await writing;
        await expectWhole(session, before, after);
      }
      expect((await session.fs.list('.'))?.map((entry) => entry.name)).toEqual(['big']);
    }
  },

  'FS-028': async (stage) => {
    const { project, sessions } = onDisk(stage, { 'grow.txt': 'x'.repeat(1000), 'shrink.txt': 'y'.repeat(5e6) });
    let running = true;
    const change = async () => {
      while (running) {
        appendFileSync(project.at('grow.txt'), 'x'.repeat(1e5));
        truncateSync(project.at('shrink.txt'), Math.floor(Math.random() * 5e6));
        await sleep(1);
      }
    };
    const changing = change();
    stage.defer(() => (running = false));
    const cap = 2_000_000;
    for (const session of sessions) {
      for (let i = 0; i < 30; i += 1) {
        const [grown, shrunk] = await Promise.allSettled(
          ['grow.txt', 'shrink.txt'].map((path) => session.fs.readFile(path, { maxBytes: cap })),
        );
        for (const read of [grown, shrunk]) {
          if (read?.status === 'fulfilled') expect(read.value?.length).toBeLessThanOrEqual(cap);
          else expect(read?.reason).toMatchObject({ code: expect.stringMatching(/^(file_too_large|stale_file)$/) });
        }
      }
      await expectAnswers(session);
    }
    running = false;
    await changing;
  },

  'FS-031': async (stage) => {
    const session = stage.sandbox();
    await session.exec(
      'd=a; for i in 1 2 3 4 5 6 7 8; do d=$d/a; done; mkdir -p $d; touch $d/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab; touch x',
    );
    const host = stage.host({ sandbox: session });
    const patterns = [
      '**/**/**/**/**/x',
      `${'**/'.repeat(40)}y`,
      '{a,b}{c,d}'.repeat(20),
      `{${'a,'.repeat(5_000)}a}`,
      '{'.repeat(500),
      '[',
      '!(a|b)',
      `${'*a'.repeat(40)}c`,
      `${'+(a|aa)'.repeat(20)}c`,
      '[a-'.repeat(1_000),
    ];
    for (const pattern of patterns) {
      const { result, elapsedMs } = await watchHost(() => call(host, 'glob', { pattern }));
      expect(elapsedMs, pattern.slice(0, 60)).toBeLessThan(8_000);
      if (result.status === 'error')
        expect(result.error.code ?? result.error.kind, pattern.slice(0, 60)).toMatch(
          /^(bad_pattern|timeout|validation|invalid_input)$/,
        );
    }
    expect(await outputOf(host, 'glob', { pattern: '**/**/**/**/**/x' })).toMatchObject({ paths: ['x'] });
    await expectAnswers(session);
  },
};

async function expectWhole(session: SandboxSession, ...whole: Buffer[]): Promise<void> {
  const read = await session.fs.readFile('big');
  expect(
    read !== null && whole.some((content) => content.equals(read)),
    `big is neither old nor new: ${read?.length} bytes`,
  ).toBe(true);
}
