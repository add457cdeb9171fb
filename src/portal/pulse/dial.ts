// Dial of a clock: the tick as a ring, its number, and the pulse as a running curve.

import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { PULSE_HZ, pulseFraction, readPulse } from '../../core/clock.ts';
import { theme } from '../theme.ts';
import type { NodeClock } from './node-clock.ts';

const RADIUS = 132;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

/** Animated values are written directly to the DOM; rendering the view 60 times per second would be too slow. */
export function Dial({ clock, isPaused }: { readonly clock: NodeClock | undefined; readonly isPaused: boolean }) {
  const arc = useRef<SVGCircleElement>(null);
  const tick = useRef<HTMLSpanElement>(null);
  const modulation = useRef<HTMLSpanElement>(null);
  const wave = useRef<HTMLCanvasElement>(null);
  const currentTheme = theme.value;
  useEffect(() => {
    if (!clock) return undefined;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    let request = 0;
    let last = -1;
    const next = () => {
      const now = clock.now();
      const { svcond, phase, R_t } = readPulse(now);
      if (!isStill || svcond !== last) {
        last = svcond;
        arc.current?.setAttribute('stroke-dashoffset', String(CIRCUMFERENCE * (1 - (isStill ? 0 : phase))));
        if (tick.current) tick.current.textContent = groupDigits(svcond);
        if (modulation.current) modulation.current.textContent = R_t.toFixed(9);
        if (wave.current) drawWave(wave.current, now);
      }
      if (!isPaused) request = requestAnimationFrame(next);
    };
    next();
    return () => cancelAnimationFrame(request);
  }, [clock, isPaused, currentTheme]);
  return h(
    'div',
    { class: 'dial', role: 'group', 'aria-label': 'The clock of this node' },
    h(
      'div',
      { class: 'dial-face' },
      h(
        'svg',
        { viewBox: '0 0 300 300', 'aria-hidden': true },
        h('circle', { class: 'dial-ring', cx: 150, cy: 150, r: RADIUS }),
        h('circle', {
          ref: arc,
          class: 'dial-arc',
          cx: 150,
          cy: 150,
          r: RADIUS,
          transform: 'rotate(-90 150 150)',
          'stroke-dasharray': CIRCUMFERENCE,
          'stroke-dashoffset': CIRCUMFERENCE,
        }),
      ),
      h(
        'div',
        { class: 'dial-middle' },
        h('span', { class: 'dial-name' }, 'tick'),
        h('span', { class: 'dial-tick', ref: tick }, '– – – –'),
        h('span', { class: 'dial-name' }, 'R(t)'),
        h('span', { class: 'dial-modulation', ref: modulation }, '–'),
      ),
    ),
    h('canvas', {
      ref: wave,
      class: 'pulse-wave',
      role: 'img',
      'aria-label': 'R(t) over the last seconds, a slow sine between 0.999 and 1.001',
    }),
  );
}

const SECONDS_SHOWN = 4;

/** Draws the last seconds of R(t), the present at the right edge. */
function drawWave(canvas: HTMLCanvasElement, now: bigint): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const ratio = devicePixelRatio || 1;
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  context.clearRect(0, 0, width, height);
  context.strokeStyle = colour('--line');
  context.lineWidth = ratio;
  context.beginPath();
  context.moveTo(0, height / 2);
  context.lineTo(width, height / 2);
  context.stroke();

  const phase = 2 * Math.PI * pulseFraction(now);
  const amplitude = height / 2 - 6 * ratio;
  const yAt = (x: number) => {
    const ago = SECONDS_SHOWN * (1 - x / (width - 6 * ratio));
    return height / 2 - amplitude * Math.sin(phase - 2 * Math.PI * PULSE_HZ * ago);
  };
  context.strokeStyle = colour('--accent');
  context.lineWidth = 2 * ratio;
  context.beginPath();
  const end = width - 6 * ratio;
  for (let x = 0; x <= end; x += 2) context.lineTo(x, yAt(x));
  context.stroke();
  context.fillStyle = colour('--accent');
  context.beginPath();
  context.arc(end, yAt(end), 4.5 * ratio, 0, 2 * Math.PI);
  context.fill();
}

const groupDigits = (tick: number) => String(tick).replace(/\B(?=(\d{3})+$)/g, ' ');
