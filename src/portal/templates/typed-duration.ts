// Durations as people write them, `2 days`, `1 h 30 min`, in the form of ISO 8601 that contracts hold.

/** From the longest; a lone m may be a month or a minute, and is neither. */
const UNITS: readonly (readonly [words: RegExp, part: 'date' | 'time', letter: string, count: number])[] = [
  [/^(?:y|yr|years?)$/i, 'date', 'Y', 1],
  [/^months?$/i, 'date', 'M', 1],
  [/^(?:w|weeks?)$/i, 'date', 'D', 7],
  [/^(?:d|days?)$/i, 'date', 'D', 1],
  [/^(?:h|hrs?|hours?)$/i, 'time', 'H', 1],
  [/^(?:min|mins|minutes?)$/i, 'time', 'M', 1],
  [/^(?:s|secs?|seconds?)$/i, 'time', 'S', 1],
];

const NAMES = { date: { Y: 'year', M: 'month', D: 'day' }, time: { H: 'hour', M: 'minute', S: 'second' } } as const;

/** `P1DT2H` as `1 day 2 hours`; the text itself if it is written in another way, or words would not be read as it. */
export function durationWords(iso: string): string {
  const [, date = '', time = ''] = /^P([^T]*)(?:T(.+))?$/.exec(iso) ?? [];
  const words = Object.entries({ date, time }).flatMap(([part, text]) =>
    [...text.matchAll(/(\d+)([A-Z])/g)].map(([, count, letter = '']) => {
      const name = (NAMES[part as keyof typeof NAMES] as Readonly<Record<string, string>>)[letter];
      return `${count} ${name}${count === '1' ? '' : 's'}`;
    }),
  );
  const text = words.join(' ');
  return typedDuration(text) === iso ? text : iso;
}

/** The duration in ISO 8601; the text itself if it is written in another way. */
export function typedDuration(text: string): string {
  const parts = [...text.matchAll(/(\d+)\s*([a-z]+)/gi)];
  if (parts.length === 0 || text.replaceAll(/(\d+)\s*([a-z]+)|,|\band\b|\s/gi, '') !== '') return text;
  const counts = { date: new Map<string, number>(), time: new Map<string, number>() };
  let last = -1;
  for (const [, digits, word = ''] of parts) {
    const at = UNITS.findIndex(([words]) => words.test(word));
    const [, part, letter, size] = UNITS[at] ?? [];
    if (at <= last || part === undefined || letter === undefined || size === undefined) return text;
    last = at;
    counts[part].set(letter, (counts[part].get(letter) ?? 0) + size * Number(digits));
  }
  const [date, time] = [counts.date, counts.time].map((part) =>
    [...part].map(([letter, n]) => `${n}${letter}`).join(''),
  );
  return `P${date}${time === '' ? '' : `T${time}`}`;
}
