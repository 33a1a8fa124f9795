import { numberedLines } from './numbered-lines.js';

/** What Anthropic's editor says of a file that it changed. */
export function edited(path: string, snippet: { text: string; startLine: number }): string {
  const lines = numberedLines(snippet.text, snippet.startLine);
  return (
    `The file ${path} has been edited. Here's the result of running \`cat -n\` on a snippet of ${path}:\n${lines}` +
    `${lines.endsWith('\n') ? '' : '\n'}Review the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). Edit the file again if necessary.`
  );
}
