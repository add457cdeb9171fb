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

/** What moves, for a recording of it. */
export interface Reel {
  readonly count: number;
  /** The one that is shown. */
  readonly frame: number;
  readonly show: (frame: number) => void;
  /** `t = 0.2 s`. */
  readonly textOf: (frame: number) => string;
}

/** The frame to show of arrays that depend on time, and its slider; without time, the only frame and no slider. */
export function useFrames(arrays: readonly Field[], time: string | undefined) {
  const times = time === undefined ? undefined : getArray(arrays, time);
  const frames = { count: times?.data.length ?? 1, times: times?.data ?? [0], unit: times?.unit ?? '1' };
  const playback = usePlayback(frames);
  const slider = times === undefined ? null : h(TimeSlider, { ...frames, playback });
  const { frame, show } = playback;
  const reel: Reel | undefined =
    frames.count < 2 ? undefined : { count: frames.count, frame, show, textOf: (at) => `t = ${timeText(frames, at)}` };
  return { frame, count: frames.count, slider, reel };
}

interface TimeSliderProps extends Frames {
  readonly playback: ReturnType<typeof usePlayback>;
}

function TimeSlider({ count, times, unit, playback }: TimeSliderProps) {
  const { frame, isPlaying, show, toggle } = playback;
  const time = timeText({ times, unit }, frame);
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

const timeText = ({ times, unit }: Pick<Frames, 'times' | 'unit'>, frame: number): string =>
  withUnit(formatRounded(times[frame] ?? 0, 4), unit);
