/** What tools of glibc and of musl call the system's errors. The name they are about comes before, so only the end counts. */
const WORDS: readonly [RegExp, string][] = [
  [/No space left on device$/, 'ENOSPC'],
  [/(Disk )?[Qq]uota exceeded$/, 'EDQUOT'],
  [/Permission denied$/, 'EACCES'],
  [/Operation not permitted$/, 'EPERM'],
  [/Read-only file system$/, 'EROFS'],
  [/(No such file or directory|nonexistent directory)$/, 'ENOENT'],
  [/Not a directory$/, 'ENOTDIR'],
  [/Is a directory$/, 'EISDIR'],
  [/File exists$/, 'EEXIST'],
  [/Directory not empty$/, 'ENOTEMPTY'],
  [/(File name too long|Filename too long)$/, 'ENAMETOOLONG'],
  [/(Too many levels of symbolic links|Symbolic link loop)$/, 'ELOOP'],
  [/(Device or resource busy|Resource busy)$/, 'EBUSY'],
  [/Text file busy$/, 'ETXTBSY'],
  [/(Invalid cross-device link|Cross-device link)$/, 'EXDEV'],
  [/Too many links$/, 'EMLINK'],
  [/(Operation not supported|Not supported)$/, 'EOPNOTSUPP'],
  [/Invalid argument$/, 'EINVAL'],
  [/File too large$/, 'EFBIG'],
  [/(Input\/output error|I\/O error)$/, 'EIO'],
];

/** A system error as Node would throw it, from a step's status and what a tool said. */
export function toolError(status: string, said: string): Error {
  if (status === 'stale') return systemError('ESTALE');
  if (/^E[A-Z]+$/.test(status)) return systemError(status);
  const text = said.trim();
  return systemError(WORDS.find(([words]) => words.test(text))?.[1] ?? 'EIO');
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
