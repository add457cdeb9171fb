// Choice of what the colours of a map span: the values of all times, of this time, or their logarithms.

import { h } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { FIELD_COLOURS, SIGNED_COLOURS } from './colour-map.ts';
import { minMax } from './picture.ts';

export interface Colours {
  readonly range: readonly [number, number];
  readonly isLogarithmic: boolean;
  readonly table: Uint32Array;
}

type Choice = 'all' | 'frame' | 'log';

/** Values on both sides of zero, the smaller side at least this share of the other, are coloured about zero. */
const SIGNED_SHARE = 0.05;

/** Smaller values than this share of the largest have the darkest colour of a logarithmic map. */
const LOG_FLOOR = 1e-12;

/**
 * The colours of a map, and the field that chooses them if there is a choice.
 *
 * @param limits  of the values by their nature
 */
export function useColours(
  all: ArrayLike<number>,
  shown: ArrayLike<number>,
  limits?: readonly [low: number, high: number],
) {
  const id = useId();
  const [choice, choose] = useState<Choice>('all');
  const whole = useMemo(() => minMax(all), [all]);
  const smallest = useMemo(() => smallestPositive(all), [all]);
  const colours = useMemo((): Colours => {
    if (choice === 'log') {
      const range = [Math.max(smallest, LOG_FLOOR * whole[1]), whole[1]] as const;
      return { range, isLogarithmic: true, table: FIELD_COLOURS };
    }
    return evenColours(choice === 'frame' ? minMax(shown) : (limits ?? whole), isSigned(whole));
  }, [choice, all, choice === 'frame' ? shown : undefined]);
  const choices: readonly (readonly [Choice, string])[] = [
    ['all', all === shown || all.length === shown.length ? 'linear' : 'all times'],
    ...(all.length === shown.length ? [] : ([['frame', 'this time']] as const)),
    ...(whole[0] >= 0 && smallest < whole[1] ? ([['log', 'logarithmic']] as const) : []),
  ];
  const control =
    choices.length < 2
      ? null
      : h(
          'label',
          { class: 'picture-choice', htmlFor: id },
          'Colours ',
          h(
            'select',
            {
              id,
              value: choice,
              onChange: (event: Event) => choose((event.target as HTMLSelectElement).value as Choice),
            },
            choices.map(([value, text]) => h('option', { key: value, value }, text)),
          ),
        );
  return { colours, control };
}

/** Colours of all values of a map without a choice. */
export function coloursOf(values: ArrayLike<number>): Colours {
  const range = minMax(values);
  return evenColours(range, isSigned(range));
}

function isSigned([low, high]: readonly [number, number]): boolean {
  return low < 0 && high > 0 && Math.min(-low, high) >= SIGNED_SHARE * Math.max(-low, high);
}

/** Colours over a range, or as far on both sides of zero. */
function evenColours([low, high]: readonly [number, number], isAboutZero: boolean): Colours {
  if (!isAboutZero) return { range: [low, high], isLogarithmic: false, table: FIELD_COLOURS };
  const reach = Math.max(-low, high, Number.MIN_VALUE);
  return { range: [-reach, reach], isLogarithmic: false, table: SIGNED_COLOURS };
}

/** The values as the map paints them, with their range. */
export function paintedValues(data: ArrayLike<number>, { range, isLogarithmic }: Colours) {
  if (!isLogarithmic) return { data, range };
  const [low, high] = range;
  return {
    data: Float64Array.from(data, (value) => Math.log10(Math.max(value, low))),
    range: [Math.log10(low), Math.log10(high)] as const,
  };
}

function smallestPositive(data: ArrayLike<number>): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < data.length; i++) {
    const value = data[i] ?? 0;
    if (value > 0 && value < smallest) smallest = value;
  }
  return smallest;
}
