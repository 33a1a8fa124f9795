import type { SandboxFiles } from '../sandbox/contract.js';
import type { EnforcementPlan, PathRule } from '../sandbox/plan.js';
import { readGitIndex } from './git-index.js';
import { foldPath, PathGlob } from './paths/path-glob.js';

/** Content that a rule keeps from being read, under a name that no rule denies. */
export interface SecretExposure {
  path: string;
  rule: string;
  how: 'hard link' | 'git';
  /** The other name, or where git keeps it. */
  also: string;
}

/** More files than this are not looked at. */
const MAX_FILES = 50_000;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/**
 * Looks for the same content under other names: hard links, and files that git tracks. Works through the sandbox's file
 * calls, never on the host's own tree, and sees nothing of what `files` hides: it needs a session without the rules.
 */
export async function findSecretExposures(
  files: Pick<SandboxFiles, 'glob' | 'stat' | 'readFile'>,
  { denyRead }: EnforcementPlan,
): Promise<{ exposures: SecretExposure[]; complete: boolean }> {
  if (denyRead.length === 0) return { exposures: [], complete: true };
  const rules = denyRead.map((rule) => ({ rule, glob: new PathGlob(rule.glob, { folds: true }) }));
  const ruleOf = (path: string) => rules.find(({ glob }) => glob.matches(foldPath(path)))?.rule;
  const query = { ignoreDirectories: [], maxResults: MAX_FILES, maxWalked: MAX_FILES };
  const { paths, complete } = await allFiles(files, query);
  const denied = paths.flatMap((path) => {
    const rule = ruleOf(path);
    return rule === undefined ? [] : [{ path, rule }];
  });
  const linked = denied.length === 0 ? [] : await findHardLinks(files, { paths, denied, ruleOf });
  const tracked = (await trackedFiles(files)).flatMap((path): SecretExposure[] => {
    const rule = ruleOf(path);
    return rule === undefined ? [] : [{ path, rule: rule.rule, how: 'git', also: `git show HEAD:${path}` }];
  });
  return { exposures: [...linked, ...tracked], complete };
}

async function allFiles(
  files: Pick<SandboxFiles, 'glob'>,
  query: { ignoreDirectories: string[]; maxResults: number; maxWalked: number },
): Promise<{ paths: string[]; complete: boolean }> {
  const found = await files.glob(['**/*'], query);
  const { resultsLimited, walkLimited } = found;
  const paths = found.paths.map((path) => path.replace(/^\/workspace\//, ''));
  return { paths, complete: !resultsLimited && !walkLimited };
}

interface LinkSearch {
  paths: readonly string[];
  denied: readonly { path: string; rule: PathRule }[];
  ruleOf: (path: string) => PathRule | undefined;
}

/** Two names of one file have the same version: it holds the file's number and the times of its last changes. */
async function findHardLinks(
  files: Pick<SandboxFiles, 'stat'>,
  { paths, denied, ruleOf }: LinkSearch,
): Promise<SecretExposure[]> {
  const versions = new Map<string, { path: string; rule: PathRule }>();
  for (const one of denied) {
    const version = await versionOf(files, one.path);
    if (version !== undefined) versions.set(version, one);
  }
  const found: SecretExposure[] = [];
  for (const path of paths) {
    if (ruleOf(path) !== undefined) continue;
    const secret = versions.get((await versionOf(files, path)) ?? '');
    if (secret !== undefined) found.push({ path: secret.path, rule: secret.rule.rule, how: 'hard link', also: path });
  }
  return found;
}

async function versionOf(files: Pick<SandboxFiles, 'stat'>, path: string): Promise<string | undefined> {
  try {
    const stat = await files.stat(path);
    return stat === null || stat.type !== 'file' || stat.size === 0 ? undefined : stat.version;
  } catch {
    return undefined;
  }
}

async function trackedFiles(files: Pick<SandboxFiles, 'readFile'>): Promise<string[]> {
  try {
    const index = await files.readFile('.git/index', { maxBytes: MAX_INDEX_BYTES });
    return index === null ? [] : readGitIndex(index);
  } catch {
    // No repository, or one that is elsewhere.
    return [];
  }
}
