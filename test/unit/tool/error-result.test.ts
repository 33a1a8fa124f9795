import { describe, expect, it } from 'vitest';
import {
  isRetryable,
  SandboxCrashedError,
  SandboxError,
  SandboxNotConfiguredError,
  SandboxRequiredError,
  SandboxUnavailableError,
} from '../../../src/sandbox/errors.js';
import { toolErrorResult } from '../../../src/tool/error-result.js';
import { TOOL_ERROR_KINDS } from '../../../src/tool/result.js';

const toolName = 't';

describe('what was thrown', () => {
  it('L37: a thrown error gives its name and message, and no stack', () => {
    const result = toolErrorResult({ toolName, error: new TypeError('Query must not be empty') });
    expect(result).toEqual({ error: 'TypeError', toolName, message: 'Query must not be empty', kind: 'execution' });
    expect(JSON.stringify(result)).not.toMatch(/stack| at .*:\d+/);
  });

  it.each([
    ['x', 'Error', 'x'],
    [42, 'Error', '42'],
    [null, 'Error', 'null'],
    [undefined, 'Error', 'undefined'],
    [true, 'Error', 'true'],
    [7n, 'Error', '7'],
    [Symbol('s'), 'Error', 'Symbol(s)'],
    [{ name: 'Custom', message: 'gone' }, 'Custom', 'gone'],
    [{ name: 7, message: 'gone' }, 'Error', 'gone'],
    [{ name: ' ', message: 'gone' }, 'Error', 'gone'],
    [{ a: 1 }, 'Error', '{"a":1}'],
    [new Error(''), 'Error', 'Error'],
    [new AggregateError([]), 'AggregateError', 'AggregateError'],
    [{ name: 'Custom', message: 7 }, 'Custom', '7'],
  ])('L38: %o', (error, name, message) => {
    expect(toolErrorResult({ toolName, error })).toEqual({ error: name, toolName, message, kind: 'execution' });
  });

  it.each([
    ['a revoked proxy', revokedProxy()],
    ['a proxy whose traps throw', new Proxy({}, { get: boom, has: boom, ownKeys: boom, getPrototypeOf: boom })],
    [
      'throwing getters',
      Object.defineProperties({}, { name: { get: boom }, message: { get: boom }, code: { get: boom } }),
    ],
    ['a message that cannot be text', { message: Object.create(null) }],
    ['a cycle', cycle()],
    ['an object without a prototype', Object.create(null)],
    ['a function', boom],
  ])('L38: %s is a result too', (_what, error) => {
    const result = toolErrorResult({ toolName, error });
    expect(result.kind).toBe('execution');
    expect(result.error).not.toBe('');
    expect(typeof result.message).toBe('string');
  });

  it('L38: a name as long as a book is cut', () => {
    expect(toolErrorResult({ toolName, error: { name: 'N'.repeat(10_000), message: '' } }).error).toHaveLength(100);
  });
});

describe('the message cap', () => {
  it('L39: 2,000 characters are kept and the cut is marked', () => {
    expect(toolErrorResult({ toolName, error: 'x'.repeat(5000) }).message).toBe(`${'x'.repeat(2000)}... (truncated)`);
    expect(toolErrorResult({ toolName, error: 'x'.repeat(2001) }).message).toHaveLength(2015);
  });

  it('L39: exactly 2,000 are untouched', () => {
    expect(toolErrorResult({ toolName, error: 'x'.repeat(2000) }).message).toBe('x'.repeat(2000));
  });

  it('L39: no surrogate pair is cut through', () => {
    const { message } = toolErrorResult({ toolName, error: `${'x'.repeat(1999)}${'😀'.repeat(10)}` });
    expect(message).toBe(`${'x'.repeat(1999)}... (truncated)`);
    expect(message.isWellFormed()).toBe(true);
  });
});

describe('kinds', () => {
  it.each([
    ['execution', 'Error'],
    ['validation', 'ToolArgumentsValidationError'],
    ['not-found', 'ToolNotFoundError'],
    ['rejected', 'ToolRejectedError'],
    ['not-run', 'ToolNotRunError'],
    ['mcp', 'McpToolError'],
    ['sandbox', 'SandboxRequiredError'],
    ['denied', 'ToolDeniedError'],
  ] as const)('L40: the default name of %s is %s', (kind, error) => {
    expect(toolErrorResult({ toolName, error: 'no', kind })).toEqual({ error, toolName, message: 'no', kind });
  });

  it.each(TOOL_ERROR_KINDS)('L42: a thrown error may declare the kind %s', (kind) => {
    const error = Object.assign(new RangeError('x'), { toolErrorKind: kind });
    expect(toolErrorResult({ toolName, error })).toMatchObject({ kind, error: 'RangeError' });
  });

  it.each(['toString', '__proto__', 'constructor', 'EXECUTION', '', 7, null, ['mcp']])(
    'L42: the kind %j is execution',
    (kind) => {
      expect(toolErrorResult({ toolName, error: Object.assign(new Error('x'), { toolErrorKind: kind }) }).kind).toBe(
        'execution',
      );
    },
  );

  it('L43: an explicit kind beats the declared one', () => {
    const error = Object.assign(new Error('x'), { toolErrorKind: 'mcp' });
    expect(toolErrorResult({ toolName, error, kind: 'denied' }).kind).toBe('denied');
  });

  it('L43: an explicit kind that is none of the eight is ignored', () => {
    expect(toolErrorResult({ toolName, error: 'x', kind: 'toString' as 'mcp' }).kind).toBe('execution');
  });
});

describe('details', () => {
  it('L43: the call id is there only when it is given', () => {
    expect(toolErrorResult({ toolName, error: 'x' })).not.toHaveProperty('toolCallId');
    expect(toolErrorResult({ toolName, error: 'x', toolCallId: 'call_1' }).toolCallId).toBe('call_1');
  });

  it('L43: details never override the shared fields', () => {
    const details = {
      note: 'why',
      error: 'Spoof',
      message: 'spoof',
      kind: 'mcp',
      toolName: 'other',
      toolCallId: 'other',
      stack: 'at x',
    };
    expect(toolErrorResult({ toolName, toolCallId: 'call_1', error: 'no', kind: 'rejected', details })).toEqual({
      error: 'ToolRejectedError',
      toolName,
      message: 'no',
      kind: 'rejected',
      toolCallId: 'call_1',
      note: 'why',
    });
    expect(toolErrorResult({ toolName, error: 'no', details: { toolCallId: 'spoof' } })).not.toHaveProperty(
      'toolCallId',
    );
  });

  it('L41: issues, note and reason stay on their own kind', () => {
    const details = { issues: [{ path: 'a', message: 'Required' }], note: 'n', reason: 'r' };
    const extras = (kind: 'validation' | 'rejected' | 'denied' | 'execution') => {
      const {
        error: _error,
        toolName: _tool,
        message: _message,
        kind: _kind,
        ...rest
      } = toolErrorResult({ toolName, error: 'x', kind, details });
      return rest;
    };
    expect(extras('validation')).toEqual({ issues: details.issues });
    expect(extras('rejected')).toEqual({ note: 'n' });
    expect(extras('denied')).toEqual({ reason: 'r' });
    expect(extras('execution')).toEqual({});
  });

  it('L41: a detail that is not given is not there', () => {
    expect(
      toolErrorResult({ toolName, error: 'x', kind: 'rejected', details: { note: undefined } }),
    ).not.toHaveProperty('note');
  });

  it('L43: details that are not JSON are left out', () => {
    const details = Object.defineProperties(
      { big: 1n, cycle: cycle(), fine: 1, at: new Date(0) },
      { trap: { get: boom, enumerable: true }, ['__proto__']: { value: { polluted: true }, enumerable: true } },
    );
    const result = toolErrorResult({ toolName, error: 'x', details });
    expect(result).toEqual({
      error: 'Error',
      toolName,
      message: 'x',
      kind: 'execution',
      fine: 1,
      at: '1970-01-01T00:00:00.000Z',
    });
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it('L43: details may add a code', () => {
    expect(
      toolErrorResult({ toolName, error: 'x', details: { code: 'invalid_input', retryable: false } }),
    ).toMatchObject({ code: 'invalid_input' });
  });
});

describe('codes', () => {
  it.each([
    [new SandboxRequiredError('No sandboxExecute'), 'SandboxRequiredError', 'sandbox_required'],
    [new SandboxNotConfiguredError('No sandbox'), 'SandboxNotConfiguredError', 'sandbox_not_configured'],
    [
      new SandboxUnavailableError('No engine', { code: 'engine_unreachable' }),
      'SandboxUnavailableError',
      'engine_unreachable',
    ],
    [new SandboxUnavailableError('No image', { code: 'image_missing' }), 'SandboxUnavailableError', 'image_missing'],
    [new SandboxCrashedError('Died'), 'SandboxCrashedError', 'sandbox_crashed'],
    [new SandboxCrashedError('Mask gone', 'mask_lost'), 'SandboxCrashedError', 'mask_lost'],
  ] as const)('L40: %s is kind sandbox with its own name and code', (error, name, code) => {
    expect(toolErrorResult({ toolName, error })).toEqual({
      error: name,
      toolName,
      message: error.message,
      kind: 'sandbox',
      code,
      retryable: isRetryable(code),
    });
  });

  it('a file error of the sandbox is kind execution with its code', () => {
    const error = new SandboxError('path_escape', "Cannot read '../x': it is outside the workspace");
    expect(toolErrorResult({ toolName, error })).toMatchObject({
      kind: 'execution',
      code: 'path_escape',
      retryable: false,
    });
  });

  it('any error with a known code carries it, and whether to try again', () => {
    expect(toolErrorResult({ toolName, error: Object.assign(new Error('x'), { code: 'timeout' }) })).toMatchObject({
      code: 'timeout',
      retryable: true,
    });
    const once = Object.assign(new Error('x'), { code: 'timeout', retryable: false });
    expect(toolErrorResult({ toolName, error: once }).retryable).toBe(false);
  });

  it.each(['ENOENT', 'toString', '__proto__', 7])('the unknown code %j is not carried', (code) => {
    const result = toolErrorResult({ toolName, error: Object.assign(new Error('x'), { code }) });
    expect(result).not.toHaveProperty('code');
    expect(result).not.toHaveProperty('retryable');
  });

  it('an error that only claims a sandbox code is kind execution', () => {
    expect(toolErrorResult({ toolName, error: { message: 'x', code: 'sandbox_crashed' } })).toMatchObject({
      kind: 'execution',
      code: 'sandbox_crashed',
    });
  });
});

function boom(): never {
  throw new Error('Trap');
}

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function cycle(): Record<string, unknown> {
  const self: Record<string, unknown> = {};
  self.self = self;
  return self;
}
