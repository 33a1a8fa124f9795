import { createToolHost, defineTool } from 'caisson';
import { z } from 'zod';
import { atMost, type Measurement } from './measurement.ts';
import { sample, summary } from './samples.ts';

/** A tool that does nothing, called through the host and directly. */
export async function hostOverhead(): Promise<Measurement[]> {
  const tool = defineTool({
    name: 'noop',
    description: 'Does nothing',
    input: z.object({ text: z.string() }),
    execute: ({ text }) => text,
  });
  await using host = createToolHost({ tools: [tool] });
  const through = await sample(20_000, 5_000, () => host.call({ toolName: 'noop', args: { text: 'hi' } }));
  const direct = await sample(20_000, 5_000, async () =>
    tool.execute({ text: 'hi' }, { toolCallId: '1', toolName: 'noop', messages: [] }),
  );
  const { p50, p95 } = summary(through, 1000);
  return [
    {
      what: 'host overhead per call',
      unit: 'µs',
      p50,
      p95,
      rival: { name: 'direct function call', p50: summary(direct, 1000).p50 },
      target: atMost(50, p50, 'µs'),
    },
  ];
}
