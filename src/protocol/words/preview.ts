// Previews of any JSON value for readers: plain text of bounded length, with the count of what is left out.

import { groupDigits, shortText } from '../../core/plain-text.ts';

const MAX_ITEMS = 8;
const MAX_CHARACTERS = 300;

/** `[1, 2, 3, … of 1,000]`; bounded in time and length also for a value of any depth and size. */
export function previewValue(value: unknown): string {
  if (typeof value === 'string') return shortText(value, MAX_CHARACTERS);
  return shortText(preview(value, 2), MAX_CHARACTERS);
}

function preview(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_CHARACTERS + 1));
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    if (depth === 0) return value.length === 0 ? '[]' : `[… of ${groupDigits(value.length)}]`;
    const shown = value.slice(0, MAX_ITEMS).map((item) => preview(item, depth - 1));
    return `[${[...shown, ...restOf(value.length)].join(', ')}]`;
  }
  const keys = Object.keys(value);
  if (depth === 0) return keys.length === 0 ? '{}' : `{… of ${groupDigits(keys.length)}}`;
  const shown = keys
    .slice(0, MAX_ITEMS)
    .map((key) => `${key.slice(0, MAX_CHARACTERS)}: ${preview((value as Record<string, unknown>)[key], depth - 1)}`);
  return `{${[...shown, ...restOf(keys.length)].join(', ')}}`;
}

const restOf = (count: number) => (count > MAX_ITEMS ? [`… of ${groupDigits(count)}`] : []);
