import type { Measurement } from './measurement.ts';

/** The measurements as a table for a terminal or a README. */
export function table(measurements: readonly Measurement[]): string {
  const rows = [
    ['what', 'p50', 'p95', 'rival', 'ratio', 'target', ''],
    ...measurements.map((row) => [
      row.what,
      withUnit(row.p50, row.unit),
      row.p95 === undefined ? '' : withUnit(row.p95, row.unit),
      row.rival === undefined ? '' : `${row.rival.name} ${withUnit(row.rival.p50, row.unit)}`,
      row.rival === undefined ? '' : `${precise(row.p50 / row.rival.p50)}×`,
      row.target.text,
      row.target.met ? 'met' : 'MISSED',
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A value as the table shows it. */
export function withUnit(value: number, unit: string): string {
  return `${precise(value)} ${unit}`;
}

function precise(value: number): string {
  if (value >= 100 || Number.isInteger(value)) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3);
}
