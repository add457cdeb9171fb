// A picture as one file of vector graphics: its drawing with the styles of the page, its maps as images, its title and
// the names of its series.

const NAMESPACE = 'http://www.w3.org/2000/svg';
const [PADDING, HEADER, LEGEND_GAP] = [12, 30, 16];
/** What the styles of the page say about the look of a mark, and what holds without a word. */
const LOOKS = {
  fill: 'rgb(0, 0, 0)',
  stroke: 'none',
  'stroke-width': '1px',
  'stroke-dasharray': 'none',
  'stroke-linecap': 'butt',
  'stroke-linejoin': 'miter',
  opacity: '1',
  'font-size': '16px',
  'font-weight': '400',
} as const;

/** The drawings of a figure, beneath its title. */
export function pictureAsSvg(figure: HTMLElement | null, title: string): string | undefined {
  if (figure === null) return undefined;
  const parts = [...figure.querySelectorAll<SVGSVGElement | HTMLCanvasElement>('svg.drawing, canvas.drawing')];
  return parts.length === 0 ? undefined : svgOf(parts, figure, title);
}

/** One file of drawings that stand where they stand on the page. */
export function svgOf(
  parts: readonly (SVGSVGElement | HTMLCanvasElement)[],
  figure: HTMLElement,
  title: string,
): string {
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const texts = [...figure.querySelectorAll<HTMLElement>('.drawing-text')].filter((text) => text.checkVisibility());
  const all = [...boxes, ...texts.map((text) => text.getBoundingClientRect())];
  const left = Math.min(...all.map((box) => box.left));
  const top = Math.min(...all.map((box) => box.top));
  const width = Math.max(...all.map((box) => box.right)) - left + 2 * PADDING;
  const height = Math.max(...all.map((box) => box.bottom)) - top + HEADER + 2 * PADDING;
  const style = getComputedStyle(figure);
  const root = element('svg', {
    xmlns: NAMESPACE,
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    'font-family': style.fontFamily,
  });
  root.append(element('rect', { width, height, fill: style.getPropertyValue('--surface').trim() }));
  const ink = style.getPropertyValue('--ink').trim();
  const heading = element('text', { x: PADDING, y: PADDING + 14, fill: ink, 'font-size': 14, 'font-weight': 600 });
  heading.textContent = title;
  root.append(heading, ...legendOf(figure, width, ink));
  parts.forEach((part, k) => {
    const [x, y] = [(boxes[k]?.left ?? 0) - left + PADDING, (boxes[k]?.top ?? 0) - top + PADDING + HEADER];
    const size = { width: boxes[k]?.width ?? 0, height: boxes[k]?.height ?? 0 };
    root.append(part instanceof SVGSVGElement ? drawn(part, { x, y, ...size }) : painted(part, { x, y, ...size }));
  });
  for (const words of texts) {
    const { fontSize, color } = getComputedStyle(words);
    for (const line of linesOf(words)) {
      const [x, y] = [line.left - left + PADDING, line.middle - top + PADDING + HEADER];
      const text = element('text', { x, y, fill: color, 'font-size': fontSize, 'dominant-baseline': 'middle' });
      text.textContent = line.text;
      root.append(text);
    }
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
}

interface Line {
  readonly text: string;
  readonly left: number;
  readonly middle: number;
}

/** Lines of a text as the page has broken it: a drawing breaks none. */
function linesOf(words: HTMLElement): Line[] {
  const lines: { text: string; left: number; middle: number }[] = [];
  const range = document.createRange();
  for (const node of words.childNodes) {
    const text = node.textContent ?? '';
    let at = 0;
    for (const character of text) {
      range.setStart(node, at);
      at += character.length;
      range.setEnd(node, at);
      const box = [...range.getClientRects()].at(-1);
      if (box === undefined) continue;
      const middle = (box.top + box.bottom) / 2;
      const line = lines.at(-1);
      if (line && Math.abs(line.middle - middle) < box.height / 2) line.text += character;
      else lines.push({ text: character, left: box.left, middle });
    }
  }
  return lines.map((line) => ({ ...line, text: line.text.trim() })).filter(({ text }) => text !== '');
}

type Attributes = Readonly<Record<string, string | number>>;

function element(name: string, attributes: Attributes): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key !== 'xmlns') made.setAttribute(key, String(value));
  }
  return made;
}

/** A copy whose marks carry their looks themselves. */
function drawn(source: SVGSVGElement, place: Attributes): SVGElement {
  const copy = source.cloneNode(true) as SVGSVGElement;
  const [from, to] = [source, copy].map((tree) => [...tree.querySelectorAll<SVGElement>('*')]);
  from?.forEach((mark, k) => {
    const style = getComputedStyle(mark);
    for (const [look, usual] of Object.entries(LOOKS)) {
      const value = style.getPropertyValue(look);
      if (value === usual) to?.[k]?.removeAttribute(look);
      else to?.[k]?.setAttribute(look, value);
    }
    to?.[k]?.removeAttribute('class');
  });
  for (const [key, value] of Object.entries(place)) copy.setAttribute(key, String(value));
  copy.removeAttribute('class');
  return copy;
}

const painted = (canvas: HTMLCanvasElement, place: Attributes): SVGElement =>
  element('image', {
    href: canvas.toDataURL('image/png'),
    preserveAspectRatio: 'none',
    'image-rendering': getComputedStyle(canvas).imageRendering,
    ...place,
  });

/** Names of the shown series at the right of the title. */
function legendOf(figure: HTMLElement, width: number, ink: string): SVGElement[] {
  const names = [...figure.querySelectorAll<HTMLElement>('.chart-key-name:not([aria-pressed="false"])')].filter(
    (name) => name.closest('.chart-key') !== null,
  );
  let right = width - PADDING;
  return names.toReversed().flatMap((name) => {
    const text = name.textContent ?? '';
    const { fontSize } = getComputedStyle(name);
    const label = element('text', {
      x: right,
      y: PADDING + 14,
      fill: ink,
      'font-size': fontSize,
      'text-anchor': 'end',
    });
    label.textContent = text;
    const strokeEnd = right - name.getBoundingClientRect().width + 30;
    const stroke = getComputedStyle(name).getPropertyValue('--series').trim();
    const dashes = { dashed: '6 4', dotted: '2 3' }[getComputedStyle(name).getPropertyValue('--series-line').trim()];
    const line = element('path', {
      d: `M${strokeEnd - 22} ${PADDING + 9}H${strokeEnd}`,
      stroke,
      'stroke-width': 2,
      ...(dashes ? { 'stroke-dasharray': dashes } : {}),
    });
    right = strokeEnd - 22 - LEGEND_GAP;
    return [label, line];
  });
}
