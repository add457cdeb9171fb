// Time slider over recorded frames, with playback.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Field } from '../../solvers/definition.ts';
import { getArray } from '../../solvers/plot.ts';
import { formatRounded, withUnit } from '../kit/format.ts';

/** Duration of one playback of all frames. */
const PLAY_MS = 5_000;

interface Frames {
  readonly count: number;
  readonly times: ArrayLike<number>;
  readonly unit: string;
}

/** Playback state. Plays once on load, unless the visitor prefers reduced motion. */
function usePlayback({ count }: Frames) {
  const [frame, setFrame] = useState(0);
  const [isPlaying, setPlaying] = useState(() => count > 1 && !matchMedia('(prefers-reduced-motion: reduce)').matches);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const from = frame >= count - 1 ? 0 : frame;
    const begin = performance.now();
    let request = requestAnimationFrame(function next(now) {
      const current = Math.min(count - 1, from + Math.max(0, Math.floor(((now - begin) / PLAY_MS) * count)));
      setFrame(current);
      if (current >= count - 1) setPlaying(false);
      else request = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(request);
  }, [isPlaying, count]);
  const seek = (next: number) => {
    setPlaying(false);
    setFrame(next);
  };
  return { frame, isPlaying, show: seek, toggle: () => setPlaying(!isPlaying) };
}

/** The frame to show of arrays that depend on time, and its slider; without time, the only frame and no slider. */
export function useFrames(arrays: readonly Field[], time: string | undefined) {
  const times = time === undefined ? undefined : getArray(arrays, time);
  const frames = { count: times?.data.length ?? 1, times: times?.data ?? [0], unit: times?.unit ?? '1' };
  const playback = usePlayback(frames);
  const slider = times === undefined ? null : h(TimeSlider, { ...frames, playback });
  return { frame: playback.frame, count: frames.count, slider };
}

interface TimeSliderProps extends Frames {
  readonly playback: ReturnType<typeof usePlayback>;
}

function TimeSlider({ count, times, unit, playback }: TimeSliderProps) {
  const { frame, isPlaying, show, toggle } = playback;
  const time = withUnit(formatRounded(times[frame] ?? 0, 4), unit);
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
