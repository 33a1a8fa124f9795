/** The few SVG elements the pictures of the docs are made of; colours work on light and dark pages. */

export const INK = '#24292f';
export const PAPER = '#ffffff';

export interface TextOptions {
  size?: number;
  anchor?: 'start' | 'middle' | 'end';
  weight?: 'normal' | 'bold';
  fill?: string;
}

export function svg(width: number, height: number, body: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif">`,
    `<rect width="${width}" height="${height}" fill="${PAPER}"/>`,
    ...body,
    '</svg>',
    '',
  ].join('\n');
}

export function text(x: number, y: number, content: string, options: TextOptions = {}): string {
  const { size = 13, anchor = 'start', weight = 'normal', fill = INK } = options;
  return `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" font-weight="${weight}" fill="${fill}">${escapeXml(content)}</text>`;
}

export function box(
  x: number,
  y: number,
  size: { width: number; height: number },
  style: { fill: string; stroke?: string },
): string {
  const stroke = style.stroke ?? INK;
  return `<rect x="${x}" y="${y}" width="${size.width}" height="${size.height}" rx="6" fill="${style.fill}" stroke="${stroke}"/>`;
}

export function arrow(points: readonly [number, number][], color = INK): string {
  const path = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join(' ');
  return `<path d="${path}" fill="none" stroke="${color}" stroke-width="1.5" marker-end="url(#head)"/>`;
}

export const ARROW_HEAD = `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="${INK}"/></marker></defs>`;

function escapeXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
