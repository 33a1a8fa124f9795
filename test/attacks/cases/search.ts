import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import type { Attacks } from '../attack.js';
import { call, errorOf, outputOf, shell } from '../call.js';
import { expectAnswers } from '../evaluate.js';
import { watchHost } from '../host-watch.js';

interface Found {
  matches: { path: string; line: number; text: string }[];
}

export const search: Attacks = {
  'SRCH-001': async (stage) => {
    const session = stage.sandbox({ timeoutMs: 3_000 });
    await session.fs.writeFile('bomb.txt', `${'a'.repeat(200)}!\n`.repeat(50));
    const host = stage.host({ sandbox: session });
    for (const pattern of ['(a+)+$', '^(a|a)*b$', '(?:a?){100}a{100}x']) {
      const { result, elapsedMs, longestStallMs } = await watchHost(() =>
        session.fs.grep(pattern, { timeoutMs: 700 }).then(
          (found) => found.matches,
          (error: { code: string }) => error.code,
        ),
      );
      expect(elapsedMs, pattern).toBeLessThan(6_000);
      expect(longestStallMs, pattern).toBeLessThan(1_000);
      if (typeof result === 'string') expect(result, pattern).toBe('timeout');
      else expect(result, pattern).toEqual([]);
      // A caller who gives up is not kept waiting, and nothing goes on for him.
      const outcome = await host.call({ toolName: 'grep', args: { pattern } }, { signal: AbortSignal.timeout(300) });
      if (outcome.status === 'error') expect(outcome.error.code, pattern).toMatch(/^(aborted|timeout)$/);
      const startedAt = performance.now();
      await session.exec(`grep -E '${pattern}' bomb.txt; rg '${pattern}' bomb.txt`, { timeoutMs: 500 });
      expect(performance.now() - startedAt, pattern).toBeLessThan(6_000);
    }
    await expectAnswers(session);
  },

  'SRCH-002': async (stage) => {
    const project = stage.project({ 'a.txt': 'plain\n--pre=sh -c id\n-f/etc/passwd\n--files\n' });
    for (const workspaceMode of ['direct', 'overlay'] as const) {
      const host = stage.host({ sandbox: stage.sandbox({ workspace: project.root, workspaceMode }) });
      for (const [index, pattern] of ['--pre=sh -c id', '-f/etc/passwd', '--files'].entries()) {
        const found = await outputOf<Found>(host, 'grep', { pattern });
        expect(found.matches, pattern).toEqual([{ path: 'a.txt', line: index + 2, text: pattern }]);
      }
      for (const path of ['--files', '--pre=sh', '-f/etc/passwd']) {
        expect((await errorOf(host, 'grep', { pattern: 'plain', path })).code, path).toMatch(
          /^(not_found|path_escape)$/,
        );
        expect(await outputOf<Found>(host, 'grep', { pattern: 'plain', glob: path }), path).toMatchObject({
          matches: [],
        });
      }
      expect(JSON.stringify(await call(host, 'glob', { pattern: '--pre=sh -c id' }))).not.toContain('uid=');
      const piped = await shell(
        host,
        "rg -e '--pre=sh -c id' . ; rg --pre 'sh -c id' plain; grep -e -f/etc/passwd a.txt",
      );
      expect(piped.stdout).not.toMatch(/uid=|root:/);
    }
  },

  'SRCH-003': async (stage) => {
    const marker = `${stage.directory()}/ran`;
    const config = `--pre=touch ${marker}\n--files-without-match\n--ignore-file=/etc/passwd\n--max-count=0\n`;
    const project = stage.project({ '.ripgreprc': config, 'a.txt': 'needle\n' });
    process.env.RIPGREP_CONFIG_PATH = project.at('.ripgreprc');
    stage.defer(() => delete process.env.RIPGREP_CONFIG_PATH);
    const host = stage.host({ sandbox: stage.sandbox({ workspace: project.root }) });
    expect(await outputOf<Found>(host, 'grep', { pattern: 'needle' })).toMatchObject({ matches: [{ path: 'a.txt' }] });
    const { stdout } = await shell(host, 'export RIPGREP_CONFIG_PATH=/workspace/.ripgreprc; rg needle; echo "[$HOME]"');
    expect(stdout).toContain('needle');
    expect(existsSync(marker)).toBe(false);
  },

  'SRCH-005': async (stage) => {
    const session = stage.sandbox({ timeoutMs: 5_000 });
    await session.fs.writeFile('a.txt', 'text\n');
    const host = stage.host({ sandbox: session });
    for (const pattern of ['(', '[', 'a**', '(?<n>a)(?<n>b)', '\\', '*', 'a{2,1}', '[b-a]', '(?z)']) {
      const error = await errorOf(host, 'grep', { pattern });
      expect(error.code, pattern).toBe('bad_pattern');
      expect(error.message.length, pattern).toBeLessThan(1_000);
    }
    const large = [
      'a'.repeat(1e6),
      '(a|b)'.repeat(2e5),
      'a{65535}'.repeat(100),
      '(((a{1000}){1000}){1000})',
      '('.repeat(1e5),
    ];
    for (const pattern of large) {
      const { result, elapsedMs } = await watchHost(() => call(host, 'grep', { pattern }));
      expect(elapsedMs, pattern.slice(0, 20)).toBeLessThan(10_000);
      if (result.status === 'error') {
        const { code, kind, message } = result.error;
        expect(code ?? kind, pattern.slice(0, 20)).toMatch(/^(bad_pattern|validation|timeout|oom)$/);
        expect(message.length).toBeLessThan(3_000);
      } else expect(result).toMatchObject({ output: { matches: [] } });
    }
    await expectAnswers(session);
  },
};
