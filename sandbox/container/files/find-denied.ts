import { PathRules } from '../../files/rules/path-rules.js';
import type { EnforcementPlan } from '../../protocol/plan.js';
import { directoryRule } from './scan-tree.js';

/** As many as the kernel follows. */
const MAX_LINKS = 40;

/**
 * Of each path the rule that denies to write or read there. Nothing has to be there.
 * @param links the symbolic links of the tree, with where each leads: one above what may not be written is denied as
 *   well, and so is what one leads to, or leads to by a denied name of its own
 */
export function findDenied(
  plan: EnforcementPlan,
  paths: readonly string[],
  links: Readonly<Record<string, string>> = {},
): (string | null)[] {
  const rules = new PathRules();
  rules.add(plan);
  rules.add({ denyRead: plan.denyRead.flatMap(directoryRule), denyWrite: plan.denyWrite.flatMap(directoryRule) });
  const known = new Map(Object.entries(links));
  const leading = [...known.keys()].flatMap((link) => {
    const isNamed = rules.find('denyWrite', link) !== undefined;
    const target = isNamed || rules.mayReachThrough('denyWrite', link) ? follow(link, known) : undefined;
    return target === undefined ? [] : [{ link, target }];
  });
  const byLink = (path: string) => {
    for (const { link, target } of leading) {
      const name = nameThrough(path, { link, target });
      const rule = name === undefined ? undefined : rules.find('denyWrite', name);
      if (rule !== undefined) return rule;
    }
    return undefined;
  };
  return paths.map((path) => {
    const through = known.has(path) ? rules.findThrough(path) : undefined;
    const rule = rules.find('denyWrite', path) ?? rules.find('denyRead', path) ?? through ?? byLink(path);
    return rule?.rule ?? null;
  });
}

/** What the path is called by the name of a link that leads to it, or to a directory above it. */
function nameThrough(path: string, { link, target }: { link: string; target: string }): string | undefined {
  if (path === target) return link;
  if (target === '') return `${link}/${path}`;
  return path.startsWith(`${target}/`) ? `${link}/${path.slice(target.length + 1)}` : undefined;
}

/** Where a link leads, by the names alone; `undefined`: out of the workspace, or in a circle. */
function follow(link: string, links: ReadonlyMap<string, string>): string | undefined {
  const pending = ['workspace', ...link.split('/')].reverse();
  let at: string[] = [];
  let followed = 0;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      at.pop();
      continue;
    }
    at.push(part);
    if (at[0] !== 'workspace') return undefined;
    const target = links.get(at.slice(1).join('/'));
    if (target === undefined) continue;
    followed += 1;
    if (followed > MAX_LINKS) return undefined;
    at.pop();
    if (target.startsWith('/')) at = [];
    pending.push(...target.split('/').reverse());
  }
  return at[0] === 'workspace' ? at.slice(1).join('/') : undefined;
}
