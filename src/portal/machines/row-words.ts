// What a row is about, in a few words. Payloads are anybody's: read as plain data, shown as plain text.

import type { RowRecord } from './records.ts';

const LONGEST = 120;

type Plain = Readonly<Record<string, unknown>>;

const textIn = (payload: Plain, field: string) => (typeof payload[field] === 'string' ? String(payload[field]) : '');

export function rowWords({ type, payload, salt, sealed }: RowRecord): string {
  if (sealed) return 'sealed: only the equation of the owner opens it';
  if (salt === null) return 'the payload was erased, or is not for you';
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload))
    return cut(JSON.stringify(payload) ?? '');
  const plain = payload as Plain;
  // A type is anybody's word as well, `constructor` for one.
  const words = Object.hasOwn(SAID, type) ? (SAID[type]?.(plain) ?? '') : '';
  return cut(words.trim() === '' ? JSON.stringify(payload) : words);
}

/** The contract that a row is of, where its own words do not name it. */
export function contractOf({ type, payload }: RowRecord): string | undefined {
  if (type === 'contract' || payload === null || typeof payload !== 'object') return undefined;
  const { contract } = payload as Plain;
  return typeof contract === 'string' ? contract : undefined;
}

const SAID: Readonly<Record<string, (payload: Plain) => string>> = {
  genesis: () => 'the machine began',
  event: (payload) => named(payload),
  emit: (payload) => named(payload),
  transition: (payload) =>
    `${textIn(payload, 'transition')}: ${textIn(payload, 'from')} → ${textIn(payload, 'to')}`.replace(/^: {2}→ $/, ''),
  contract: (payload) => `${textIn(payload, 'name')} ${textIn(payload, 'act')}`.trim(),
  refused: (payload) =>
    [textIn(payload, 'transition'), textIn(payload, 'reason') || textIn(payload, 'code')]
      .filter((words) => words !== '')
      .join(': '),
  rejection: (payload) =>
    `${textIn(payload, 'code')}: ${textIn(payload, 'route')}${times(payload)}`.replace(/^: $/, ''),
  fire_skipped: (payload) => `${textIn(payload, 'transition')} was skipped`,
  connection: (payload) => textIn(payload, 'peer'),
  file: (payload) => textIn(payload, 'name'),
  state: (payload) => textIn(payload, 'label'),
  stamp: () => 'the clock was stamped',
};

function times({ count }: Plain): string {
  return typeof count === 'number' && count > 1 ? `, ${count} times` : '';
}

/** `reading temp 281.2, minutes 3`. */
function named(payload: Plain): string {
  const { payload: carried } = payload;
  const fields =
    carried !== null && typeof carried === 'object' && !Array.isArray(carried)
      ? Object.entries(carried).map(
          ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
        )
      : [];
  return `${textIn(payload, 'name')}${fields.length === 0 ? '' : ` · ${fields.join(', ')}`}`;
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
