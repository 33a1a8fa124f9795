import { SandboxError } from '../../sandbox/errors.js';
import type { AiSdkPathOptions, AiSdkSandboxSession, BashToolSandbox } from './sandbox-types.js';

/**
 * What the package `bash-tool` calls its sandbox by. Its `readFile` takes a path and the AI SDK's an object: one
 * function answers both.
 */
export function bashToolForm({ run, readFile, readTextFile, writeBinaryFile }: AiSdkSandboxSession): BashToolSandbox {
  const read = async (target: string | AiSdkPathOptions) => {
    if (typeof target !== 'string') return readFile(target);
    const text = await readTextFile({ path: target });
    if (text === null) throw new SandboxError('not_found', `No such file: '${target}'`, { path: target });
    return text;
  };
  return {
    executeCommand: async (command) => run({ command }),
    readFile: read as BashToolSandbox['readFile'],
    async writeFiles(files) {
      for (const { path, content } of files) {
        await writeBinaryFile({ path, content: typeof content === 'string' ? Buffer.from(content) : content });
      }
    },
  };
}
