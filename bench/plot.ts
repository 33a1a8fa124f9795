/** Draws docs/images/bench.svg from bench/results/latest.json: each measurement as a share of its target. */
import { readFileSync, writeFileSync } from 'node:fs';
import { box, svg, text } from '../scripts/svg.ts';
import type { Measurement } from './measurement.ts';
import { withUnit } from './table.ts';

const LABEL_WIDTH = 330;
const BAR_WIDTH = 330;
const ROW_HEIGHT = 34;
/** Bars end here, in targets; what is longer is cut and says so. */
const MOST = 1.5;
const MET = '#2da44e';
const MISSED = '#cf222e';

interface Results {
  machine: { date: string; node: string; cpu: string; cores: number };
  rows: Measurement[];
}

main();

function main(): void {
  const results = JSON.parse(readFileSync(new URL('results/latest.json', import.meta.url), 'utf8')) as Results;
  writeFileSync(new URL('../docs/images/bench.svg', import.meta.url), draw(results));
}

function draw({ machine, rows }: Results): string {
  const drawn = rows.filter((row) => row.target.limit !== undefined);
  const height = 84 + drawn.length * ROW_HEIGHT;
  const targetX = LABEL_WIDTH + BAR_WIDTH / MOST;
  return svg(960, height, [
    text(20, 28, 'Measured against target (shorter is better)', { size: 16, weight: 'bold' }),
    text(20, 48, `${machine.cores} cores, ${machine.cpu}, Node ${machine.node}, ${machine.date}`, { size: 12 }),
    `<line x1="${targetX}" y1="58" x2="${targetX}" y2="${height - 14}" stroke="#57606a" stroke-dasharray="4 3"/>`,
    text(targetX, 54, 'target', { size: 11, anchor: 'middle' }),
    ...drawn.flatMap((row, index) => bar(row, 66 + index * ROW_HEIGHT)),
  ]);
}

function bar(row: Measurement, y: number): string[] {
  const { value = row.p50, limit = row.p50, met } = row.target;
  const width = Math.max(2, (Math.min(value / limit, MOST) / MOST) * BAR_WIDTH);
  const rival = row.rival === undefined ? '' : ` · ${row.rival.name}: ${withUnit(row.rival.p50, row.unit)}`;
  return [
    text(LABEL_WIDTH - 12, y + 17, row.what, { anchor: 'end' }),
    box(LABEL_WIDTH, y, { width, height: 24 }, { fill: met ? MET : MISSED, stroke: 'none' }),
    text(LABEL_WIDTH + width + 8, y + 17, `${withUnit(value, row.unit)} of ${withUnit(limit, row.unit)}${rival}`, {
      size: 12,
    }),
  ];
}
