/** The AI SDK 7's `Experimental_SandboxSession`, restated so that `ai` need not be installed. */
export interface AiSdkSandboxSession {
  readonly description: string;
  run(options: AiSdkCommandOptions): PromiseLike<{ exitCode: number; stdout: string; stderr: string }>;
  readonly spawn: {
    (options: AiSdkCommandOptions & { stdin: true }): PromiseLike<AiSdkWritableProcess>;
    (options: AiSdkCommandOptions & { stdin?: false }): PromiseLike<AiSdkProcess>;
    (options: AiSdkCommandOptions & { stdin?: boolean }): PromiseLike<AiSdkProcess | AiSdkWritableProcess>;
  };
  readFile(options: AiSdkPathOptions): PromiseLike<ReadableStream<Uint8Array> | null>;
  readBinaryFile(options: AiSdkPathOptions): PromiseLike<Uint8Array | null>;
  /** `startLine` and `endLine` count from 1 and are inclusive. */
  readTextFile(
    options: AiSdkPathOptions & { encoding?: string; startLine?: number; endLine?: number },
  ): PromiseLike<string | null>;
  writeFile(options: AiSdkPathOptions & { content: ReadableStream<Uint8Array> }): PromiseLike<void>;
  writeBinaryFile(options: AiSdkPathOptions & { content: Uint8Array }): PromiseLike<void>;
  writeTextFile(options: AiSdkPathOptions & { content: string; encoding?: string }): PromiseLike<void>;
  stat(options: AiSdkPathOptions): PromiseLike<{ type: 'file' | 'directory' | 'other'; size: number } | null>;
  listDirectory(options: AiSdkPathOptions): PromiseLike<AiSdkDirectoryEntry[] | null>;
  deleteFile(options: AiSdkPathOptions): PromiseLike<boolean>;
}

/** A session of any release of the AI SDK 7: what newer ones added may be missing. */
export type AnyAiSdkSandboxSession = Pick<AiSdkSandboxSession, 'description' | 'run'> &
  Partial<Omit<AiSdkSandboxSession, 'description' | 'run'>>;

export interface AiSdkPathOptions {
  path: string;
  abortSignal?: AbortSignal;
}

export interface AiSdkCommandOptions {
  command: string;
  workingDirectory?: string;
  env?: Record<string, string>;
  abortSignal?: AbortSignal;
}

export interface AiSdkDirectoryEntry {
  name: string;
  type: 'file' | 'directory' | 'symlink' | 'other';
}

export interface AiSdkProcess {
  readonly pid?: number;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  wait(): PromiseLike<{ exitCode: number }>;
  kill(): PromiseLike<void>;
}

export interface AiSdkWritableProcess extends AiSdkProcess {
  readonly stdin: WritableStream<Uint8Array>;
}

/** What the package `bash-tool` wants of a sandbox. */
export interface BashToolSandbox {
  executeCommand(command: string): Promise<{ exitCode: number; stdout: string; stderr: string }>;
  readFile(path: string): Promise<string>;
  writeFiles(files: { path: string; content: string | Uint8Array }[]): Promise<void>;
}
