// The IEEE Common Data Format: cards of fixed columns.
//
// Working Group on a Common Format for the Exchange of Solved Load Flow Data, IEEE Transactions on Power Apparatus and
// Systems PAS-92 (1973) 1916. A generator is part of its bus card; its limits are those of a bus of type 1 or 2.

import { validationError } from '../parts/errors.ts';
import { type NetworkCase, networkCaseOf } from './network-case.ts';

const malformed = (line: number, message: string) =>
  validationError('file', `file, line ${line}: ${message}.`, 'MALFORMED_NETWORK', { line });

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** A number in columns that count from 1; blanks are 0. */
function real(card: string, line: number, from: number, to: number, name: string): number {
  const text = card.slice(from - 1, to).trim();
  if (text === '') return 0;
  if (NUMBER.test(text)) return Number(text);
  throw malformed(line, `${name} in columns ${from} to ${to} is ${JSON.stringify(text)}; expected a number`);
}

interface Section {
  readonly cards: readonly { readonly card: string; readonly line: number }[];
}

/** The cards between a heading and −999. */
function sectionOf(lines: readonly string[], heading: RegExp, name: string): Section {
  const start = lines.findIndex((line) => heading.test(line));
  if (start < 0) throw validationError('file', `file: the section ${name} is missing.`, 'MISSING');
  const cards: { card: string; line: number }[] = [];
  for (let i = start + 1; i < lines.length; i++) {
    const card = lines[i] ?? '';
    if (/^\s*-9+\b/.test(card)) {
      const said = /(\d{1,9})\s*ITEMS/i.exec(lines[start] ?? '')?.[1];
      if (said === undefined || Number(said) === cards.length) return { cards };
      throw malformed(
        start + 1,
        `${name} announces ${Number(said)} items; ${cards.length} cards follow before ${card.trim()}`,
      );
    }
    if (card.trim() !== '') cards.push({ card, line: i + 1 });
  }
  throw malformed(lines.length, `the section ${name}, begun in line ${start + 1}, does not end with -999`);
}

export const isCommonFormat = (text: string): boolean => /^\s*BUS DATA FOLLOWS/im.test(text);

/** @throws DomainError VALIDATION_FAILED, which names the line */
export function parseCommonFormat(text: string): NetworkCase {
  const lines = text.split(/\r\n|\n|\r/);
  const title = (lines[0] ?? '').slice(45).trim();
  const base = real(lines[0] ?? '', 1, 32, 37, 'the base');
  const buses: number[][] = [];
  const generators: number[][] = [];
  const names: string[] = [];
  const busSection = sectionOf(lines, /^\s*BUS DATA FOLLOWS/i, 'BUS DATA FOLLOWS');
  const busLines: number[] = [];
  const generatorLines: number[] = [];
  for (const { card, line } of busSection.cards) {
    const at = (from: number, to: number, name: string) => real(card, line, from, to, name);
    const number = at(1, 4, 'the bus number');
    const type = at(25, 26, 'the type');
    if (![0, 1, 2, 3].includes(type)) throw malformed(line, `the type is ${type}; allowed are 0 to 3`);
    const [power, reactive] = [at(60, 67, 'the generation'), at(68, 75, 'the reactive generation')];
    const [highest, lowest] = [at(91, 98, 'the upper limit'), at(99, 106, 'the lower limit')];
    const desired = at(85, 90, 'the desired voltage');
    // Type 1 holds its reactive power within limits of voltage: a load with a generator.
    const kind = type === 3 ? 3 : type === 2 ? 2 : 1;
    const voltage = at(28, 33, 'the voltage');
    buses.push([
      number,
      kind,
      at(41, 49, 'the load'),
      at(50, 59, 'the reactive load'),
      at(107, 114, 'the shunt conductance') * base,
      at(115, 122, 'the shunt susceptance') * base,
      1,
      voltage,
      at(34, 40, 'the angle'),
      at(77, 83, 'the base voltage'),
    ]);
    busLines.push(line);
    names.push(card.slice(5, 17).trim() || `${number}`);
    if (kind === 1 && power === 0 && reactive === 0) continue;
    const limits = kind === 2 && highest !== lowest ? [highest, lowest] : [Infinity, -Infinity];
    generators.push([number, power, reactive, ...limits, desired > 0 && kind > 1 ? desired : voltage, base, 1]);
    generatorLines.push(line);
  }
  const branches: number[][] = [];
  const branchLines: number[] = [];
  for (const { card, line } of sectionOf(lines, /^\s*BRANCH DATA FOLLOWS/i, 'BRANCH DATA FOLLOWS').cards) {
    const at = (from: number, to: number, name: string) => real(card, line, from, to, name);
    branches.push([
      at(1, 4, 'the tap bus'),
      at(6, 9, 'the other bus'),
      at(20, 29, 'the resistance'),
      at(30, 40, 'the reactance'),
      at(41, 50, 'the charging'),
      at(51, 55, 'rating A'),
      at(57, 61, 'rating B'),
      at(63, 67, 'rating C'),
      at(77, 82, 'the ratio'),
      at(84, 90, 'the shift'),
      1,
    ]);
    branchLines.push(line);
  }
  return networkCaseOf(
    {
      title: title || 'case',
      base,
      buses: { rows: buses, lines: busLines },
      generators: { rows: generators, lines: generatorLines },
      branches: { rows: branches, lines: branchLines },
      names,
      notes: [],
    },
    'file',
  );
}
