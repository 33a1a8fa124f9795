import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/** Who belongs to a call: by its mark, or, where there is none, by the session and group its shell began. */
export interface Kin {
  pid: number;
  mark?: number | undefined;
  /** Without a mark: whoever was seen to belong to it, since a parent that ends takes the trace with it. */
  seen: Set<number>;
}

/** Living processes of a call, now. Zombies are not counted: they hold nothing and go by themselves. */
export function findKin(kin: Kin): number[] {
  const { mark } = kin;
  if (mark === undefined) return findUnmarked(kin);
  const found: number[] = [];
  for (const name of readdirSync('/proc')) {
    const candidate = Number(name);
    if (!(candidate > 0) || candidate === process.pid) continue;
    if (marksOf(candidate).includes(mark)) found.push(candidate);
  }
  return found;
}

let scan: Promise<Map<number, number[]>> | undefined;
/** When the last look was over, and how long it took. */
let looked = { at: 0, ms: 0 };

/** So many times as long as a look took, no other is begun: with hundreds of processes looking must not be what they wait for. */
const REST = 4;
const LONGEST_REST_MS = 50;

/** Living processes of a call, seen a moment from now. Calls that end together share one look at all processes. */
export async function findKinSoon(kin: Kin): Promise<number[]> {
  if (kin.mark === undefined) return findKin(kin);
  scan ??= new Promise((resolve) => {
    const look = () => {
      scan = undefined;
      const begun = performance.now();
      const found = scanMarks();
      const at = performance.now();
      looked = { at, ms: at - begun };
      resolve(found);
    };
    const rest = looked.at + Math.min(looked.ms * REST, LONGEST_REST_MS) - performance.now();
    if (rest < 1) setImmediate(look);
    else setTimeout(look, rest);
  });
  return (await scan).get(kin.mark) ?? [];
}

function scanMarks(): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!(pid > 0) || pid === process.pid) continue;
    for (const mark of marksOf(pid)) {
      const list = found.get(mark);
      if (list === undefined) found.set(mark, [pid]);
      else list.push(pid);
    }
  }
  return found;
}

/** Its command line, as `ps` would show it, at most 200 characters. */
export function commandLine(pid: number): string {
  const line = read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim();
  return (line === undefined || line === '' ? (read(`/proc/${pid}/comm`)?.trim() ?? '?') : line).slice(0, 200);
}

/** The groups of a living process. */
function marksOf(pid: number): number[] {
  const status = read(`/proc/${pid}/status`);
  if (status === undefined || /^State:\t[ZX]/m.test(status)) return [];
  const groups = /^Groups:\t(.*)$/m.exec(status)?.[1]?.trim() ?? '';
  return groups === '' ? [] : groups.split(' ').map(Number);
}

/** By session, by group, by parent, and by having been seen before. */
function findUnmarked({ pid: leader, seen }: Kin): number[] {
  const living = new Map<number, { parent: number; group: number; session: number }>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const place = pid > 0 && pid !== process.pid ? placeOf(pid) : undefined;
    if (place !== undefined) living.set(pid, place);
  }
  for (const pid of seen) if (!living.has(pid)) seen.delete(pid);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, { parent, group, session }] of living) {
      if (seen.has(pid) || (group !== leader && session !== leader && pid !== leader && !seen.has(parent))) continue;
      seen.add(pid);
      grown = true;
    }
  }
  return [...seen];
}

function placeOf(pid: number): { parent: number; group: number; session: number } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name, which may hold anything, is in parentheses; after the last one come state, parent, group, session.
  const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  return { parent: Number(parent), group: Number(group), session: Number(session) };
}

/** More than any of these files has that is looked at; they are written anew for each reading, so one is enough. */
const page = Buffer.allocUnsafe(8 * 1024);

function read(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    return page.toString('latin1', 0, readSync(file, page));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
