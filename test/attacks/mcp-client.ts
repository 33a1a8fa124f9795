import { type Program, startCaisson, startFixture } from './command-line.js';
import type { Stage } from './stage.js';

/** A JSON-RPC message as it came; each line of stdout has to be one. */
export interface Message {
  jsonrpc: string;
  id?: number | string | null;
  method?: string;
  result?: { content?: { text: string }[]; isError?: boolean; tools?: unknown[] };
  error?: { code: number; message: string };
}

/** A client that writes what it likes to a server's stdin. */
export interface McpClient {
  readonly program: Program;
  /** Writes one line as it is. */
  line(text: string): void;
  /** Sends a request and resolves with the message that answers its id. */
  request(method: string, params?: object): Promise<Message>;
  /** Resolves when as many messages have come as `count` says, with all that came. */
  messages(count: number): Promise<Message[]>;
  /** Everything that stdout holds, parsed; throws when a line is not JSON. */
  received(): Message[];
}

export async function connectCaisson(stage: Stage, ...args: string[]): Promise<McpClient> {
  return await shakeHands(startCaisson(stage, 'mcp', ...args));
}

export async function connectFixture(stage: Stage, name: string): Promise<McpClient> {
  return await shakeHands(startFixture(stage, name));
}

async function shakeHands(program: Program): Promise<McpClient> {
  let nextId = 1;
  const received = () => parseLines(program.stdout());
  const line = (text: string) => program.write(`${text}\n`);
  const until = async <T>(find: (messages: Message[]) => T | undefined): Promise<T> => {
    let found = find(received());
    while (found === undefined) {
      await program.wrote();
      found = find(received());
    }
    return found;
  };
  const client: McpClient = {
    program,
    line,
    received,
    request: (method, params) => {
      const id = nextId++;
      line(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }));
      return until((messages) => messages.find((message) => message.id === id && message.method === undefined));
    },
    messages: (count) => until((messages) => (messages.length >= count ? messages : undefined)),
  };
  const clientInfo = { name: 'attacker', version: '1' };
  await client.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  line('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return client;
}

function parseLines(stdout: string): Message[] {
  const lines = stdout.slice(0, stdout.lastIndexOf('\n') + 1).split('\n');
  return lines.filter((text) => text !== '').map((text) => JSON.parse(text) as Message);
}
