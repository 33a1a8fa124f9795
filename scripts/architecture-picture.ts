/** Draws docs/images/architecture.svg: the way of one call and the borders it crosses. With --check it only compares. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ARROW_HEAD, arrow, box, svg, text } from './svg.ts';

const FILE = new URL('../docs/images/architecture.svg', import.meta.url);
const STATIONS = ['find tool', 'parse args', 'pre hooks', 'rules', 'approval', 'run', 'check output', 'post hooks'];
const REFUSALS = ['not-found', 'validation', 'denied', 'denied', 'rejected', 'execution, sandbox', 'execution', ''];
const MODES = [
  ['direct', 'reads and writes your directory'],
  ['overlay', 'reads it, keeps writes apart'],
  ['memory', 'starts empty'],
] as const;
const TRUSTED = '#ddf4ff';
const BORDER = '#fff8c5';
const HOSTILE = '#ffebe9';

main();

function main(): void {
  const picture = draw();
  if (!process.argv.includes('--check')) {
    mkdirSync(new URL('.', FILE), { recursive: true });
    writeFileSync(FILE, picture);
  } else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== picture) {
    console.error('docs/images/architecture.svg is not current. Run npm run pictures and commit the file');
    process.exitCode = 1;
  }
}

function draw(): string {
  return svg(960, 520, [ARROW_HEAD, ...callers(), ...host(), ...session(), ...worker(), ...legend()]);
}

function callers(): string[] {
  const names = ['your agent loop', 'caisson call', 'caisson shell', 'caisson demo'];
  return [
    ...names.flatMap((name, index) => [
      box(40 + index * 225, 20, { width: 205, height: 34 }, { fill: '#f6f8fa' }),
      text(142 + index * 225, 42, name, { anchor: 'middle' }),
    ]),
    arrow([
      [480, 54],
      [480, 84],
    ]),
    text(490, 76, '{ toolCallId, toolName, args }', { size: 12 }),
  ];
}

function host(): string[] {
  return [
    box(20, 86, { width: 920, height: 130 }, { fill: TRUSTED }),
    text(34, 106, 'ToolHost: one pipeline for every caller', { weight: 'bold' }),
    ...STATIONS.flatMap((station, index) => {
      const x = 34 + index * 113;
      return [
        box(x, 120, { width: 100, height: 34 }, { fill: '#ffffff' }),
        text(x + 50, 142, station, { anchor: 'middle' }),
        text(x + 50, 174, REFUSALS[index] ?? '', { anchor: 'middle', size: 11, fill: '#cf222e' }),
        ...(index < STATIONS.length - 1
          ? [
              arrow([
                [x + 100, 137],
                [x + 113, 137],
              ]),
            ]
          : []),
      ];
    }),
    text(
      34,
      204,
      'Each station may end the call with an error of the kind below it; every station is an event (audit log).',
      { size: 12 },
    ),
  ];
}

function session(): string[] {
  return [
    arrow([
      [649, 182],
      [649, 250],
    ]),
    box(20, 252, { width: 920, height: 66 }, { fill: TRUSTED }),
    text(34, 272, 'SandboxSession (isolate): starts workers, holds a second deadline, checks every frame', {
      weight: 'bold',
    }),
    text(
      34,
      296,
      'exec · evaluate · fs.* · changes · commit · discard · dispose. Path denies arrive as an enforcement plan.',
      { size: 12 },
    ),
  ];
}

function worker(): string[] {
  return [
    arrow([
      [300, 318],
      [300, 350],
    ]),
    text(310, 340, 'frames over pipes: size-capped, schema-checked', { size: 12 }),
    box(20, 352, { width: 600, height: 132 }, { fill: BORDER }),
    text(34, 372, 'worker process: permission model, empty environment, another user for root', {
      weight: 'bold',
      size: 12,
    }),
    box(34, 386, { width: 150, height: 84 }, { fill: '#ffffff' }),
    text(46, 408, 'watchdog thread', { weight: 'bold' }),
    text(46, 428, 'deadline, memory:', { size: 12 }),
    text(46, 448, 'kills the process', { size: 12 }),
    box(196, 386, { width: 240, height: 84 }, { fill: HOSTILE }),
    text(208, 408, 'V8 isolate', { weight: 'bold' }),
    text(208, 428, 'shell interpreter, guest JavaScript', { size: 12 }),
    text(208, 448, 'no host objects inside', { size: 12 }),
    arrow([
      [436, 428],
      [466, 428],
    ]),
    box(468, 386, { width: 138, height: 84 }, { fill: '#ffffff' }),
    text(480, 408, 'file gate', { weight: 'bold' }),
    text(480, 428, 'anchored access', { size: 12 }),
    text(480, 448, 'path rules hold', { size: 12 }),
    arrow([
      [606, 428],
      [640, 428],
    ]),
    box(642, 352, { width: 298, height: 132 }, { fill: '#f6f8fa' }),
    text(656, 372, 'workspace, seen as /workspace', { weight: 'bold' }),
    ...MODES.flatMap(([mode, meaning], index) => [
      text(656, 396 + index * 20, mode, { size: 12, weight: 'bold' }),
      text(724, 396 + index * 20, meaning, { size: 12 }),
    ]),
    text(656, 460, 'State lies outside the isolate: a killed', { size: 11 }),
    text(656, 474, 'worker loses no completed write.', { size: 11 }),
  ];
}

function legend(): string[] {
  const entries: [string, string][] = [
    [TRUSTED, 'trusted, in your process'],
    [BORDER, 'guest side: its frames are checked as hostile input'],
    [HOSTILE, 'untrusted code'],
  ];
  const widths = [20, 230, 590];
  return entries.flatMap(([fill, name], index) => [
    box(widths[index] ?? 0, 494, { width: 16, height: 16 }, { fill }),
    text((widths[index] ?? 0) + 24, 507, name, { size: 12 }),
  ]);
}
