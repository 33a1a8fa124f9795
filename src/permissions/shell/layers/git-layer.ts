import type { ShellWord } from '../syntax/shell-syntax.js';
import { type Layer, runsScript } from './layer.js';

/** `git -c alias.x=!cmd x` and `git config alias.x '!cmd'` run `cmd`, now or later. */
export function gitLayer(words: readonly ShellWord[]): Layer | undefined {
  const texts = words.map(({ text }) => text);
  const named = texts.findIndex((text) => /^alias\./i.test(text));
  if (named !== -1 && texts.includes('config')) {
    const body = texts.slice(named + 1).find((text) => !text.startsWith('--'));
    return body === undefined ? undefined : aliasBody(body);
  }
  for (const [index, text] of texts.entries()) {
    if (!text.startsWith('-')) break;
    const setting = text === '-c' ? texts[index + 1] : undefined;
    const alias = setting === undefined ? undefined : /^alias\.[^=]*=([\s\S]*)$/i.exec(setting)?.[1];
    if (alias !== undefined) return aliasBody(alias);
  }
  return undefined;
}

function aliasBody(body: string): Layer {
  return runsScript(body.startsWith('!') ? body.slice(1) : `git ${body}`);
}
