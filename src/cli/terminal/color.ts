import pc from 'picocolors';

/** For stdout. Colour only on a terminal, and never with `NO_COLOR`; `CI` or `--color` in a guest's command do not count. */
export const color = pc.createColors(hasColor(process.stdout));

/** For stderr. */
export const noteColor = pc.createColors(hasColor(process.stderr));

function hasColor(stream: { isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0' && FORCE_COLOR !== '') return true;
  return stream.isTTY === true && TERM !== 'dumb';
}
