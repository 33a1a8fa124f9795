import { describe, expect, it, vi } from 'vitest';
import { isPropagatingToolError, PropagatingToolError } from '../../../src/tool/propagating-error.js';

describe('PropagatingToolError', () => {
  it('L44: is an error with its own name and cause', () => {
    const cause = new Error('Below');
    const error = new PropagatingToolError('Stop', { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'PropagatingToolError', message: 'Stop', cause });
    expect(isPropagatingToolError(error)).toBe(true);
  });

  it('L44: instances of subclasses are recognised', () => {
    class BudgetExceededError extends PropagatingToolError {}
    expect(isPropagatingToolError(new BudgetExceededError('Out of money'))).toBe(true);
  });

  it('L44: an instance of another copy of the package is recognised by its brand', async () => {
    vi.resetModules();
    const copy = await import('../../../src/tool/propagating-error.js');
    expect(copy.PropagatingToolError).not.toBe(PropagatingToolError);
    expect(isPropagatingToolError(new copy.PropagatingToolError('Stop'))).toBe(true);
  });

  it.each([
    new Error('x'),
    { name: 'PropagatingToolError', message: 'x' },
    null,
    'x',
    undefined,
    JSON.parse('{"caisson.PropagatingToolError":true}'),
  ])('L44: %o is none', (value) => {
    expect(isPropagatingToolError(value)).toBe(false);
  });

  it('L44: a proxy whose traps throw is none', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('Trap');
        },
      },
    );
    expect(isPropagatingToolError(hostile)).toBe(false);
  });
});
