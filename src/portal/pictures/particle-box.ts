// Particles in a box, in parallel projection; drag or use the arrow keys to rotate.

import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { theme } from '../theme.ts';

interface ParticleBoxProps {
  readonly label: string;
  /** x, y, z of each particle, inside the box. */
  readonly positions: Float64Array;
  /** A plane has no depth, and is seen from the front. */
  readonly box: readonly [number, number, number];
  readonly diameter: number;
}

interface View {
  /** Rotation about the vertical axis, then tilt, in radians. */
  readonly turn: number;
  readonly tilt: number;
}

const STEP = Math.PI / 24;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7];
const EDGES = CORNERS.flatMap((corner) =>
  [1, 2, 4].flatMap((bit) => ((corner & bit) === 0 ? [[corner, corner | bit] as const] : [])),
);

export function ParticleBox({ label, positions, box, diameter }: ParticleBoxProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<View>(box[2] === 0 ? { turn: 0, tilt: 0 } : { turn: 0.5, tilt: 0.3 });
  const [size, setSize] = useState(0);
  const currentTheme = theme.value;
  const rotate = (turn: number, tilt: number) =>
    setView((before) => ({ turn: before.turn + turn, tilt: Math.min(1.5, Math.max(-1.5, before.tilt + tilt)) }));

  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setSize(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // A layout effect: before a print, only what is drawn without another frame is on the paper.
  useLayoutEffect(() => {
    if (canvas.current) draw(canvas.current, positions, box, diameter, view);
  }, [positions, box, diameter, view, size, currentTheme]);

  return h('canvas', {
    ref: canvas,
    class: 'particles drawing',
    tabIndex: 0,
    role: 'img',
    'aria-label': `${label}. Use the arrow keys to rotate the box.`,
    onKeyDown: (event: KeyboardEvent) => {
      const step = ARROWS[event.key];
      if (!step) return;
      event.preventDefault();
      rotate(...step);
    },
    onPointerDown: (event: PointerEvent) => (event.target as Element).setPointerCapture(event.pointerId),
    onPointerMove: (event: PointerEvent) => {
      if (event.buttons === 1) rotate(event.movementX / 120, event.movementY / 120);
    },
  });
}

function draw(
  canvas: HTMLCanvasElement,
  positions: Float64Array,
  box: readonly [number, number, number],
  diameter: number,
  { turn, tilt }: View,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const ratio = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  context.clearRect(0, 0, width, height);

  const [cosTurn, sinTurn, cosTilt, sinTilt] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)];
  const scale = (0.94 * Math.min(width, height)) / Math.sqrt(box[0] * box[0] + box[1] * box[1] + box[2] * box[2]);
  /** Screen coordinates and depth; larger is nearer. */
  const project = (x: number, y: number, z: number): readonly [number, number, number] => {
    const [u, v, w] = [x - box[0] / 2, y - box[1] / 2, z - box[2] / 2];
    const across = u * cosTurn + w * sinTurn;
    const depth = w * cosTurn - u * sinTurn;
    return [
      width / 2 + scale * across,
      height / 2 - scale * (v * cosTilt - depth * sinTilt),
      v * sinTilt + depth * cosTilt,
    ];
  };

  const corners = CORNERS.map((corner) =>
    project((corner & 1) * box[0], ((corner >> 1) & 1) * box[1], ((corner >> 2) & 1) * box[2]),
  );
  context.strokeStyle = colour('--line-strong');
  context.lineWidth = ratio;
  context.beginPath();
  for (const [from, to] of EDGES) {
    const [a, b] = [corners[from], corners[to]];
    if (!a || !b) continue;
    context.moveTo(a[0], a[1]);
    context.lineTo(b[0], b[1]);
  }
  context.stroke();

  const particles = Array.from({ length: positions.length / 3 }, (_, i) =>
    project(positions[3 * i] ?? 0, positions[3 * i + 1] ?? 0, positions[3 * i + 2] ?? 0),
  ).sort((a, b) => a[2] - b[2]);
  const maxDepth = Math.max(...corners.map((corner) => corner[2]), 1e-9);
  const radius = Math.max(1.2 * ratio, 0.42 * diameter * scale);
  const sprite = spriteOf(radius, colour('--accent'), colour('--surface'));
  for (const [x, y, depth] of particles) {
    // Distant particles fade into the background.
    context.globalAlpha = 0.35 + 0.65 * Math.min(1, Math.max(0, (depth / maxDepth + 1) / 2));
    context.drawImage(sprite, x - sprite.width / 2, y - sprite.height / 2);
  }
  context.globalAlpha = 1;
}

/** Draws one particle to copy; thousands of paths per frame would block the page. */
function spriteOf(radius: number, fill: string, stroke: string): HTMLCanvasElement {
  const sprite = document.createElement('canvas');
  sprite.width = sprite.height = 2 * Math.ceil(radius + 1);
  const context = sprite.getContext('2d');
  if (!context) return sprite;
  context.fillStyle = fill;
  context.strokeStyle = stroke;
  context.arc(sprite.width / 2, sprite.height / 2, radius, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  return sprite;
}
