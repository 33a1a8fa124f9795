import type { ScannedProcess } from './scan.js';

/** What a process shows of its mark. */
export type Limits = Pick<ScannedProcess, 'fileSize' | 'dataSize'>;

const FIRST_BLOCKS = 2 ** 40;
const FIRST_KIB = 2 ** 41;
const KIB = 1024;

/**
 * Resource limits as marks of calls: one rises with each call, the other falls. Without privileges a process can lower
 * both and raise neither, so nobody can take another call's mark, and a spoilt one still tells from which calls it can come.
 */
export class Marks {
  #next = 1;
  /** Bytes in a block of `ulimit -f`: 512, but for shells that count in 1,024. */
  #blockBytes = 512;

  take(): number {
    this.#next += 1;
    return this.#next - 1;
  }

  /** For `ulimit -f` and `ulimit -d`. */
  words(mark: number): [blocks: string, kib: string] {
    return [String(FIRST_BLOCKS + mark), String(FIRST_KIB - mark)];
  }

  /** From what the first marked process shows. @returns whether marks can be read here at all */
  learn(mark: number, { fileSize, dataSize }: Limits): boolean {
    this.#blockBytes = fileSize / (FIRST_BLOCKS + mark);
    return (this.#blockBytes === 512 || this.#blockBytes === 1024) && dataSize === (FIRST_KIB - mark) * KIB;
  }

  /** Whether a process belongs to a call; one that spoilt its mark belongs to every call that it can come from. */
  isOf(mark: number, { fileSize, dataSize }: Limits): boolean {
    const rising = fileSize / this.#blockBytes - FIRST_BLOCKS;
    const falling = FIRST_KIB - dataSize / KIB;
    if (rising === falling) return rising === mark;
    return rising <= mark && falling >= mark;
  }
}
