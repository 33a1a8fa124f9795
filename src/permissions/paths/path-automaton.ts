import { GLOB, HOLE, NAME, ONE, SPREAD } from '../text/marks.js';

/** What one step of an automaton takes: a character, or any of a class. */
type Taken = string | 'any character' | 'no slash' | 'no slash or leading dot';

/** One edge; without `takes` nothing is read. */
interface Edge {
  to: number;
  takes?: Taken;
}

/** A set of paths. State 0 is the start; the last state accepts. */
export type Automaton = readonly (readonly Edge[])[];

/** The paths that a glob names: `*` and `?` stay in one segment, `**` does not, `[…]` is one character. */
export function globAutomaton(glob: string): Automaton {
  const states: Edge[][] = [];
  for (let at = 0; at < glob.length; at += 1) {
    const here = states.length;
    const character = glob.charAt(at);
    if (character === '*' && glob.charAt(at + 1) === '*') {
      at += 1;
      if (glob.charAt(at + 1) === '/' && (at === 1 || glob.charAt(at - 2) === '/')) {
        // `**/` is any number of whole directories, none included.
        at += 1;
        states.push(
          [{ to: here + 1 }, { to: here + 2 }],
          [
            { to: here + 1, takes: 'any character' },
            { to: here + 2, takes: '/' },
          ],
        );
      } else states.push([{ to: here + 1 }, { to: here, takes: 'any character' }]);
    } else if (character === '*') states.push([{ to: here + 1 }, { to: here, takes: 'no slash' }]);
    else if (character === '?') states.push([{ to: here + 1, takes: 'no slash' }]);
    else if (character === '[' && bracketEnd(glob, at) !== undefined) {
      const end = bracketEnd(glob, at) ?? at;
      states.push(bracketMembers(glob.slice(at + 1, end)).map((takes) => ({ to: here + 1, takes })));
      at = end;
    } else {
      if (character === '\\' && at + 1 < glob.length) at += 1;
      states.push([{ to: here + 1, takes: glob.charAt(at) }]);
    }
  }
  return [...states, []];
}

/**
 * The paths that a word may turn out to be. A star of the shell does not begin with a dot. `narrow`: what is not known
 * holds no slash, but at the start.
 */
export function wordAutomaton(path: string, { narrow = false }: { narrow?: boolean } = {}): Automaton {
  const states: Edge[][] = [];
  for (let at = 0; at < path.length; at += 1) {
    const here = states.length;
    const character = path.charAt(at);
    const startsSegment = at > 0 && path.charAt(at - 1) === '/';
    switch (character) {
      case HOLE:
      case SPREAD:
        states.push([{ to: here + 1 }, { to: here, takes: narrow && at > 0 ? 'no slash' : 'any character' }]);
        break;
      case NAME:
        states.push([{ to: here + 1 }, { to: here, takes: 'no slash' }]);
        break;
      case GLOB:
        if (startsSegment) states.push([{ to: here + 2 }, { to: here + 1, takes: 'no slash or leading dot' }]);
        states.push([{ to: states.length + 1 }, { to: states.length, takes: 'no slash' }]);
        break;
      case ONE:
        states.push([{ to: here + 1, takes: startsSegment ? 'no slash or leading dot' : 'no slash' }]);
        break;
      default:
        states.push([{ to: here + 1, takes: character }]);
    }
  }
  return [...states, []];
}

/** Whether some path is in both sets; in time proportional to the product of their sizes. */
export function intersect(left: Automaton, right: Automaton): boolean {
  const width = right.length;
  const goal = left.length * width - 1;
  const seen = new Uint8Array(left.length * width);
  const pending = [0];
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    if (state === goal) return true;
    if (seen[state] === 1) continue;
    seen[state] = 1;
    const [i, j] = [Math.floor(state / width), state % width];
    const [edges, others] = [left[i] ?? [], right[j] ?? []];
    for (const edge of edges) {
      if (edge.takes === undefined) pending.push(edge.to * width + j);
      else {
        for (const other of others) {
          if (other.takes !== undefined && agree(edge.takes, other.takes)) pending.push(edge.to * width + other.to);
        }
      }
    }
    for (const other of others) if (other.takes === undefined) pending.push(i * width + other.to);
  }
  return false;
}

function agree(left: Taken, right: Taken): boolean {
  if (left.length > 1 && right.length > 1) return true;
  if (left.length > 1) return admits(left, right);
  return right.length > 1 ? admits(right, left) : left === right;
}

function admits(taken: Taken, character: string): boolean {
  if (taken === 'any character') return true;
  return character !== '/' && (taken === 'no slash' || character !== '.');
}

function bracketEnd(glob: string, open: number): number | undefined {
  const end = glob.indexOf(']', open + 2);
  return end === -1 || glob.slice(open, end).includes('/') ? undefined : end;
}

/** A negated set, or a wide one, is taken for any character: a deny rule rather covers too much. */
function bracketMembers(body: string): Taken[] {
  if (/^[!^]/.test(body) || body.includes('[')) return ['no slash'];
  const members: string[] = [];
  for (let at = 0; at < body.length; at += 1) {
    const [first, last] = [body.charCodeAt(at), body.charCodeAt(at + 2)];
    if (body.charAt(at + 1) === '-' && at + 2 < body.length) {
      if (last - first > 128) return ['no slash'];
      for (let code = first; code <= last; code += 1) members.push(String.fromCharCode(code));
      at += 2;
    } else members.push(body.charAt(at));
  }
  return members.length === 0 ? ['no slash'] : members;
}
