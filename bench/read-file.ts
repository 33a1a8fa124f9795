import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIsolateSandbox } from 'caisson';
import { atMost, type Measurement } from './measurement.ts';
import { sample, summary } from './samples.ts';

/** A file of 1 KiB through the sandbox, and through node:fs. */
export async function readFile1KiB(): Promise<Measurement[]> {
  const workspace = await mkdtemp(join(tmpdir(), 'caisson-bench-'));
  try {
    await writeFile(join(workspace, 'file'), 'x'.repeat(1024));
    await using session = createIsolateSandbox({ workspace });
    const ours = await sample(5_000, 500, () => session.fs.readFile('file'));
    const theirs = await sample(5_000, 500, () => readFile(join(workspace, 'file')));
    const { p50, p95 } = summary(ours);
    return [
      {
        what: 'isolate fs.readFile, 1 KiB',
        unit: 'ms',
        p50,
        p95,
        rival: { name: 'node:fs readFile', p50: summary(theirs).p50 },
        target: atMost(0.3, p50, 'ms'),
      },
    ];
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
