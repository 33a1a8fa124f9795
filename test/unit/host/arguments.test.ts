import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAuditLog } from '../../../src/host/audit-log.js';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { codingTools, createFsTools, createShellTool } from '../../../src/tools/index.js';
import { errorOf } from './outcomes.js';

type Loose = (...args: unknown[]) => unknown;

const echo = defineTool({ name: 'echo', description: 'Echoes', input: z.object({}), execute: () => 'here' });
const call = { toolName: 'echo', args: {} };

describe('what a program gives a host', () => {
  it.each([
    [[null], "callMany: 'calls' must be an array, not null"],
    [[undefined], "callMany: 'calls' must be an array, not undefined"],
    [[{ toolName: 'echo' }], "callMany: 'calls' must be an array, not an object"],
    [[[call], null], 'callMany: options must be an object, not null'],
    [
      [[call], { sgnal: 1 }],
      "callMany: unknown option 'sgnal'; did you mean 'signal'? Known options: signal, messages",
    ],
  ])('callMany() refuses %j', async (args, message) => {
    const host = createToolHost({ tools: echo });
    await expect((host.callMany as Loose).apply(host, args)).rejects.toThrow(message);
  });

  it.each([
    [null, 'options must be an object, not null'],
    ['fast', "options must be an object, not 'fast'"],
    [{ foo: 1 }, "unknown option 'foo'. Known options: signal"],
    [{ signal: {} }, "'signal' must be an AbortSignal, not an object"],
    [{ messages: 'hi' }, "'messages' must be an array, not 'hi'"],
    [{ sessionId: 5 }, "'sessionId' must be a string, not 5"],
    [{ approve: 'yes' }, "'approve' must be 'approved' or a function, not 'yes'"],
    [{ sandbox: 'isolate' }, "'sandbox' must be a sandbox (at least name, run and writeFile), not 'isolate'"],
    [{ onPartial: 1 }, "'onPartial' must be a function, not 1"],
  ])('call() and review() refuse the options %j', async (options, message) => {
    const host = createToolHost({ tools: echo });
    await expect((host.call as Loose).call(host, call, options)).rejects.toThrow(TypeError);
    await expect((host.call as Loose).call(host, call, options)).rejects.toThrow(`call: ${message}`);
    await expect((host.review as Loose).call(host, call, options)).rejects.toThrow(`review: ${message}`);
  });

  it('options that are undefined count as not given', async () => {
    const host = createToolHost({ tools: echo, approve: undefined as never });
    expect((await host.call(call, { signal: undefined as never })).status).toBe('ok');
  });

  it.each([
    [undefined, "'decision' must be 'approve' or 'reject'"],
    [{ decision: 'yes' }, "'decision' must be one of approve, reject, not 'yes'"],
    [{ decision: 'approve', alway: [] }, "unknown option 'alway'; did you mean 'always'?"],
    [{ decision: 'approve', always: 'shell' }, "'always' must be an array of strings, not 'shell'"],
  ])('approvals.resolve() refuses the decision %j and leaves the call waiting', async (decision, message) => {
    const host = createToolHost({ tools: echo, permissions: { ask: ['echo'] } });
    const outcome = await host.call(call);
    const id = outcome.status === 'awaiting-approval' ? outcome.approval.id : '';
    await expect((host.approvals.resolve as Loose)(id, decision)).rejects.toThrow(message);
    expect(host.approvals.list()).toHaveLength(1);
  });

  it('a call that is no call is answered: it comes from a model', async () => {
    const host = createToolHost({ tools: echo });
    for (const nonsense of [null, 5, 'echo', {}, []]) {
      expect(errorOf(await host.call(nonsense as never)).kind).toBe('not-found');
    }
  });

  it("a 'workspace' alone starts no sandbox, and the error of a tool that needs one says so", async () => {
    const host = createToolHost({ workspace: '.', policyFiles: false, tools: codingTools() });
    const error = errorOf(await host.call({ toolName: 'shell', args: { command: 'ls' } }));
    expect([error.kind, error.message]).toEqual(['sandbox', expect.stringContaining("'workspace' alone starts none")]);
    expect(() => createToolHost({ workspace: '.', workspaceMode: 'overlay' })).toThrow(
      "'workspaceMode' needs a 'sandbox'",
    );
  });
});

describe('every function that takes options', () => {
  it.each([
    [
      'createAuditLog',
      createAuditLog,
      { path: 'a', foo: 1 },
      "createAuditLog: unknown option 'foo'. Known options: path",
    ],
    ['createAuditLog', createAuditLog, null, 'createAuditLog: options must be an object, not null'],
    ['createAuditLog', createAuditLog, { path: 5 }, "createAuditLog: 'path' must be a non-empty string, not 5"],
    ['createAuditLog', createAuditLog, { write: 'x' }, "createAuditLog: 'write' must be a function, not 'x'"],
    [
      'createAuditLog',
      createAuditLog,
      { path: 'a', redact: 's' },
      "createAuditLog: 'redact' must be an array of strings",
    ],
    ['createAuditLog', createAuditLog, { path: 'a', records: 'x' }, "'records' must be one of all, decisions, not 'x'"],
    ['createToolHost', createToolHost, null, 'createToolHost: options must be an object, not null'],
    ['createToolHost', createToolHost, { hooks: 5 }, "createToolHost: 'hooks' must be an object, not 5"],
    [
      'createShellTool',
      createShellTool,
      { timeout: 5 },
      "createShellTool: unknown option 'timeout'; did you mean 'timeoutMs'?",
    ],
    ['createShellTool', createShellTool, { env: 'A=1' }, "createShellTool: 'env' must be an object, not 'A=1'"],
    [
      'createFsTools',
      createFsTools,
      { readonly: true },
      "createFsTools: unknown option 'readonly'; did you mean 'readOnly'?",
    ],
    ['codingTools', codingTools, { shel: false }, "codingTools: unknown option 'shel'; did you mean 'shell'?"],
    ['codingTools', codingTools, 'all', "codingTools: options must be an object, not 'all'"],
  ])('%s refuses by name what it does not know', (_, create, options, message) => {
    expect(() => (create as Loose)(options)).toThrow(TypeError);
    expect(() => (create as Loose)(options)).toThrow(message);
  });
});
