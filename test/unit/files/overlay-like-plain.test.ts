import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileLayer } from '../../../sandbox/files/create-file-layer.js';
import { FileError, type FileLayer } from '../../../sandbox/files/file-layer.js';
import { openLayer } from './layer-fixture.js';

const NAMES = ['a', 'b', 'c', 'd'];
const STEPS = 50;

/** The same numbers for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

function randomStep(random: (below: number) => number, step: number): (layer: FileLayer) => unknown {
  const path = () => `/workspace/${Array.from({ length: 1 + random(3) }, () => NAMES[random(4)]).join('/')}`;
  const [at, to, flag, kind] = [path(), path(), random(2) === 1, random(11)];
  const content = Buffer.from(`step ${step}`);
  const steps: ((layer: FileLayer) => unknown)[] = [
    (layer) => layer.writeFile(at, content, { parents: flag }),
    (layer) => layer.writeFile(at, content, { append: true }),
    (layer) => layer.remove(at, { recursive: flag }),
    (layer) => layer.rename(at, to),
    (layer) => layer.rename(at, to),
    (layer) => layer.mkdir(at, { recursive: flag }),
    (layer) => layer.symlink(NAMES[step % 4] ?? '', at),
    (layer) => layer.chmod(at, 0o700 + (step % 64)),
    (layer) => layer.link(at, to),
    (layer) => layer.stat(at).type,
    (layer) => Buffer.from(layer.readFile(at, 1000)).toString(),
  ];
  return steps[kind] ?? (() => undefined);
}

function outcome(layer: FileLayer, step: (layer: FileLayer) => unknown): unknown {
  try {
    return step(layer);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return error.code;
  }
}

/** Everything that can be seen of a tree. */
function picture(layer: FileLayer, directory = '/workspace'): string[] {
  return layer.list(directory).flatMap(({ name, type, target }) => {
    const path = `${directory}/${name}`;
    if (type === 'symlink') return [`${path} -> ${target}`];
    const line = `${path} ${layer.lstat(path).mode.toString(8)}`;
    if (type === 'directory') return [line, ...picture(layer, path)];
    return [`${line} ${Buffer.from(layer.readFile(path, 1000)).toString()}`];
  });
}

describe('an overlay', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    'behaves step by step like a plain tree, and commits to the same (seed %i)',
    (seed) => {
      const random = randomNumbers(seed);
      const { layer: below, workspace, privateRoot, options } = openLayer();
      for (let step = 0; step < 12; step += 1) outcome(below, randomStep(random, step));
      const copy = `${workspace}-copy`;
      execFileSync('cp', ['-a', workspace, copy]);
      for (const name of ['plain', 'overlay']) mkdirSync(join(privateRoot, name));
      const plain = createFileLayer({ ...options, workspaceRoot: copy, privateRoot: join(privateRoot, 'plain') });
      const overlay = createFileLayer({ ...options, mode: 'overlay', privateRoot: join(privateRoot, 'overlay') });
      for (let step = 0; step < STEPS; step += 1) {
        const work = randomStep(random, step);
        expect(outcome(overlay, work)).toEqual(outcome(plain, work));
        expect(picture(overlay)).toEqual(picture(plain));
        if (step % 20 === 19) {
          overlay.commit();
          expect(overlay.changes()).toEqual([]);
          expect(picture(below)).toEqual(picture(plain));
        }
      }
      overlay.commit();
      expect(picture(below)).toEqual(picture(plain));
    },
  );
});
