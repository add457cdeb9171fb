// A slider over recorded frames that can also run by itself.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { inShort, withUnit } from '../kit/format.ts';

/** All frames, whatever their number. */
const PLAY_MS = 5_000;

export interface Frames {
  readonly count: number;
  readonly times: ArrayLike<number>;
  readonly unit: string;
}

/** The frame on show. It plays once by itself, unless the visitor prefers things to stand still. */
export function useTimeline({ count }: Frames) {
  const [frame, setFrame] = useState(0);
  const [isPlaying, setPlaying] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const from = frame >= count - 1 ? 0 : frame;
    const begin = performance.now();
    let request = requestAnimationFrame(function next(now) {
      const shown = Math.min(count - 1, from + Math.max(0, Math.floor(((now - begin) / PLAY_MS) * count)));
      setFrame(shown);
      if (shown >= count - 1) setPlaying(false);
      else request = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(request);
  }, [isPlaying, count]);
  const show = (next: number) => {
    setPlaying(false);
    setFrame(next);
  };
  return { frame, isPlaying, show, toggle: () => setPlaying(!isPlaying) };
}

interface TimelineProps extends Frames {
  readonly state: ReturnType<typeof useTimeline>;
}

export function Timeline({ count, times, unit, state }: TimelineProps) {
  const { frame, isPlaying, show, toggle } = state;
  const time = withUnit(inShort(times[frame] ?? 0, 4), unit);
  return h(
    'div',
    { class: 'timeline' },
    h(
      'button',
      { type: 'button', class: 'icon-button', onClick: toggle, 'aria-label': isPlaying ? 'Pause' : 'Play' },
      h(
        'svg',
        { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': true },
        h('path', { d: isPlaying ? 'M4 3h3v10H4zM9 3h3v10H9z' : 'M4 2.5l9 5.5-9 5.5z', class: 'glyph' }),
      ),
    ),
    h('input', {
      type: 'range',
      min: 0,
      max: Math.max(0, count - 1),
      step: 1,
      value: frame,
      'aria-label': 'Time',
      'aria-valuetext': time,
      onInput: (event: Event) => show(Number((event.target as HTMLInputElement).value)),
    }),
    h('span', { class: 'timeline-time' }, `t = ${time}`),
  );
}
