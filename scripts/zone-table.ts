// Writes a table of time zones for contracts from a compiled copy of the IANA Time Zone Database, which is in the public
// domain. A table is never changed once a contract may name it: a new release becomes a new file.
//
//   node scripts/zone-table.ts DIRECTORY   (with tzdata.zi and the compiled zones, as systems install them)

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { changesOfYear, parseZone, yearOf } from '../src/contracts/time/zone.ts';
import { ROOT } from './compile-kernel.ts';

interface Change {
  /** Seconds since the Unix epoch. */
  readonly at: number;
  /** Seconds east of Greenwich from then on. */
  readonly offset: number;
}

/** Copies of all zones under other rules of leap seconds. */
const SKIPPED = new Set(['posix', 'right', 'posixrules', 'localtime', 'Factory']);

/** Offsets at the epoch and all changes since, then the rule for later years. */
function readCompiled(file: Buffer) {
  // The second block, with 64-bit times, follows the first one.
  const counts = (at: number) => [20, 24, 28, 32, 36, 40].map((field) => file.readUInt32BE(at + field));
  const [utc = 0, standard = 0, leaps = 0, times = 0, types = 0, characters = 0] = counts(0);
  const second = 44 + times * 5 + types * 6 + characters + leaps * 8 + standard + utc;
  const [utc2 = 0, standard2 = 0, leaps2 = 0, times2 = 0, types2 = 0, characters2 = 0] = counts(second);
  const start = second + 44;
  const typesAt = start + times2 * 9;
  const offsetOf = (type: number) => file.readInt32BE(typesAt + type * 6);
  const changes: Change[] = Array.from({ length: times2 }, (_, i) => ({
    at: Number(file.readBigInt64BE(start + i * 8)),
    offset: offsetOf(file.readUInt8(start + times2 * 8 + i)),
  }));
  const end = typesAt + types2 * 6 + characters2 + leaps2 * 12 + standard2 + utc2;
  const first = changes.filter(({ at }) => at <= 0).at(-1)?.offset ?? offsetOf(0);
  const later = changes.filter(({ at }) => at > 0);
  return { first, changes: distinct(first, later), footer: file.toString('latin1', end).trim() };
}

/** Without changes of the name alone. */
function distinct(first: number, changes: readonly Change[]): Change[] {
  let before = first;
  return changes.filter(({ offset }) => {
    const isChange = offset !== before;
    before = offset;
    return isChange;
  });
}

const NAME = '(?:[A-Za-z]{3,}|<[^>]+>)';
const OFFSET = '([+-]?\\d+(?::\\d+){0,2})';
const FOOTER = new RegExp(`^${NAME}${OFFSET}(?:${NAME}${OFFSET}?,(M[^,]+),(M[^,]+))?$`);

/** The yearly rules of a POSIX text such as `CET-1CEST,M3.5.0,M10.5.0/3`; none for a fixed offset. */
function rulesOf(footer: string): { readonly standard: number; readonly rules: readonly string[] } {
  const [, west = '', westOfSummer, start, end] = FOOTER.exec(footer) ?? [];
  if (west === '') throw new Error(`${footer} is no rule that this script reads.`);
  const standard = -secondsOf(west);
  if (start === undefined || end === undefined) return { standard, rules: [] };
  const summer = westOfSummer === undefined ? standard + 3600 : -secondsOf(westOfSummer);
  const rule = (text: string, offset: number) => {
    const [day = '', time = '2'] = text.split('/');
    return `${day}/${secondsOf(time)}:${offset}`;
  };
  return { standard, rules: [rule(start, summer), rule(end, standard)] };
}

function secondsOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(/^[+-]/, '').split(':').map(Number);
  const magnitude = hours * 3600 + minutes * 60 + seconds;
  return text.startsWith('-') ? -magnitude : magnitude;
}

/** A zone as text: without the changes at the end that the yearly rules state as well. */
function textOf(name: string, { first, changes, footer }: ReturnType<typeof readCompiled>): string {
  const { standard, rules } = rulesOf(footer);
  const write = (kept: readonly Change[]) => {
    const steps = kept.map(({ at, offset }, i) => `${(at - (kept[i - 1]?.at ?? 0)).toString(36)}:${offset}`);
    return [first, ...steps, ...rules].join(' ');
  };
  const isStated = (kept: readonly Change[]) => {
    const zone = parseZone(write(kept));
    const last = kept.at(-1)?.at ?? 0;
    const dropped = changes.slice(kept.length);
    const lastYear = yearOf((dropped.at(-1)?.at ?? last) * 1000);
    const stated: Change[] = [];
    for (let year = yearOf(last * 1000); year <= lastYear; year++) {
      for (const { at, offset } of changesOfYear(zone, year)) {
        if (at > last * 1000) stated.push({ at: at / 1000, offset: offset / 1000 });
      }
    }
    return JSON.stringify(stated) === JSON.stringify(dropped);
  };
  if (rules.length === 0) {
    if ((changes.at(-1)?.offset ?? first) !== standard) throw new Error(`${name} ends with another offset.`);
    return write(changes);
  }
  let count = changes.length;
  while (count > 0 && isStated(changes.slice(0, count - 1))) count--;
  if (!isStated(changes.slice(0, count))) throw new Error(`${name} has changes that its rules do not state.`);
  return write(changes.slice(0, count));
}

function filesIn(directory: string, root = directory): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesIn(path, root) : [relative(root, path)];
  });
}

const [, , directory] = process.argv;
if (directory === undefined) throw new Error('The directory of the compiled zones is missing.');
const [, version] = /^# version (\S+)/.exec(readFileSync(join(directory, 'tzdata.zi'), 'utf8')) ?? [];
if (version === undefined) throw new Error('tzdata.zi names no version.');
const rules: string[] = [];
const zones: Record<string, number> = {};
for (const name of filesIn(directory).sort()) {
  const file = readFileSync(join(directory, name));
  if (file.toString('latin1', 0, 4) !== 'TZif') continue;
  const text = textOf(name, readCompiled(file));
  const index = rules.indexOf(text);
  zones[name] = index >= 0 ? index : rules.push(text) - 1;
}
const target = join(ROOT, 'src', 'contracts', 'time', `zones-${version}.json`);
writeFileSync(target, `${JSON.stringify({ version, rules, zones }, undefined, 2)}\n`);
