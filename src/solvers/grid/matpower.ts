// Case files of MATPOWER (.m), read as data: matrices of numbers, and nothing is run.
//
// Files of distribution networks end with statements that convert their units. The usual forms of these are known and done;
// every other statement that might change a matrix is refused with its line.

import { validationError } from '../parts/errors.ts';
import { type NetworkCase, networkCaseOf, type Table } from './network-case.ts';

const MAX_COLUMNS = 64;
/** Statements in a row that are read. */
const MAX_STATEMENTS = 10_000;

interface Matrix {
  readonly rows: number[][];
  readonly lines: number[];
}

const NAME = /[A-Za-z]\w*(?:\.[A-Za-z]\w*)*/y;
const NUMBER = /[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d{1,5})?|Inf(?:inity)?\b|NaN\b)/iy;
const QUOTED = /'(?:[^'\n\r]|'')*'|"[^"\n\r]*"/y;
/** Statements without an effect on the numbers. */
const HARMLESS = /^(?:function\b.*|return|end|endfunction|define_constants|clear|\[[\w\s,~]+\]=idx_\w+)$/;

/** Conversions of units as the files of distribution networks have them, without white space. */
const CONVERSIONS = {
  volts: /^Vbase=mpc\.bus\(1,(?:BASE_KV|10)\)\*(?:1e3|1000)$/,
  power: /^Sbase=mpc\.baseMVA\*(?:1e6|1000000)$/,
  impedances:
    /^mpc\.branch\(:,\[(?:BR_R,?BR_X|34|3,4|3:4)\]\)=mpc\.branch\(:,\[(?:BR_R,?BR_X|34|3,4|3:4)\]\)\/\(Vbase\^2\/Sbase\)$/,
  loads: /^mpc\.bus\(:,\[(?:PD,?QD|34|3,4|3:4)\]\)=mpc\.bus\(:,\[(?:PD,?QD|34|3,4|3:4)\]\)\/(?:1e3|1000)$/,
} as const;

const quote = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

class Reader {
  readonly #text: string;
  #at = 0;
  #line = 1;
  readonly matrices = new Map<string, Matrix>();
  names: string[] | undefined;
  base: number | undefined;
  title = 'case';
  readonly notes: string[] = [];
  readonly #conversions = new Set<keyof typeof CONVERSIONS>();

  constructor(text: string) {
    this.#text = text;
  }

  error(message: string, line = this.#line) {
    return validationError('file', `file, line ${line}: ${message}.`, 'MALFORMED_NETWORK', { line });
  }

  read(): void {
    for (let count = 0; ; count++) {
      this.#skip(true);
      if (this.#at >= this.#text.length) return;
      if (count > MAX_STATEMENTS) throw this.error(`there are more than ${MAX_STATEMENTS} statements`);
      this.#statement();
    }
  }

  /** Blanks, comments, continuations; with `lines` the ends of lines and statements, too. */
  #skip(lines: boolean): void {
    for (;;) {
      const c = this.#text[this.#at];
      if (c === undefined) return;
      if (c === ' ' || c === '\t') this.#at++;
      else if (c === '%' || c === '#') this.#skipComment();
      else if (this.#text.startsWith('...', this.#at)) {
        this.#skipLine();
        this.#newLine();
      } else if (lines && (c === '\n' || c === '\r')) this.#newLine();
      else if (lines && (c === ';' || c === ',')) this.#at++;
      else return;
    }
  }

  /** To the end of the line; of a block %{ … %} to its end. */
  #skipComment(): void {
    const isBlock = this.#isAlone('%{') || this.#isAlone('#{');
    if (!isBlock) {
      this.#skipLine();
      return;
    }
    const start = this.#line;
    for (;;) {
      this.#skipLine();
      if (this.#at >= this.#text.length) throw this.error('the block comment does not end', start);
      this.#newLine();
      const end = this.#text.slice(this.#at, this.#at + 200).trimStart();
      if (!/^[%#]\}[ \t]*(?:[\n\r]|$)/.test(end)) continue;
      this.#skipLine();
      return;
    }
  }

  /** Whether the mark is the only thing of its line. */
  #isAlone(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false;
    const before = this.#text.slice(Math.max(0, this.#at - 200), this.#at);
    const after = this.#text.slice(this.#at + 2, this.#at + 200);
    return /(?:^|[\n\r])[ \t]*$/.test(before) && /^[ \t]*(?:[\n\r]|$)/.test(after);
  }

  #skipLine(): void {
    while (this.#at < this.#text.length && this.#text[this.#at] !== '\n' && this.#text[this.#at] !== '\r') this.#at++;
  }

  #newLine(): void {
    if (this.#at >= this.#text.length) return;
    if (this.#text[this.#at] === '\r' && this.#text[this.#at + 1] === '\n') this.#at++;
    this.#at++;
    this.#line++;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #statement(): void {
    const start = this.#at;
    const line = this.#line;
    const name = this.#match(NAME);
    this.#skip(false);
    if (name !== undefined && this.#text[this.#at] === '=' && this.#text[this.#at + 1] !== '=') {
      this.#at++;
      this.#skip(false);
      if (this.#assign(name, line)) return;
    }
    this.#at = start;
    this.#code(line);
  }

  /** @returns false if the value is an expression */
  #assign(name: string, line: number): boolean {
    const short = name.startsWith('mpc.') ? name.slice(4) : name;
    const c = this.#text[this.#at];
    if (c === '[') {
      this.#at++;
      const isUsed = short === 'bus' || short === 'gen' || short === 'branch';
      if (isUsed && this.matrices.has(short)) throw this.error(`${name} is given twice`, line);
      const matrix = this.#matrix(name, line);
      if (isUsed) this.matrices.set(short, matrix);
      if (short === 'dcline' && matrix.rows.length > 0)
        this.notes.push('DC lines (mpc.dcline) are not part of the flow.');
      return true;
    }
    if (c === '{') {
      const words = this.#cell(name, line);
      if (short === 'bus_name') this.names = words;
      return true;
    }
    if (this.#match(QUOTED) !== undefined) return this.#isOver();
    const number = this.#match(NUMBER);
    if (number === undefined || !this.#isOver()) return false;
    if (short === 'baseMVA') {
      if (this.base !== undefined) throw this.error('baseMVA is given twice', line);
      this.base = numberOf(number);
    }
    return short !== 'bus' && short !== 'gen' && short !== 'branch';
  }

  /** Whether nothing follows in the statement. */
  #isOver(): boolean {
    this.#skip(false);
    const c = this.#text[this.#at];
    return c === undefined || c === ';' || c === ',' || c === '\n' || c === '\r';
  }

  #matrix(name: string, start: number): Matrix {
    const matrix: Matrix = { rows: [], lines: [] };
    let row: number[] = [];
    const endRow = () => {
      if (row.length === 0) return;
      const columns = matrix.rows[0]?.length ?? row.length;
      if (row.length !== columns)
        throw this.error(`${name}: the row has ${row.length} numbers; the first row has ${columns}`);
      matrix.rows.push(row);
      matrix.lines.push(this.#line);
      row = [];
    };
    for (;;) {
      this.#skip(false);
      const c = this.#text[this.#at];
      if (c === undefined) throw this.error(`${name}, begun in line ${start}, does not end with ]`);
      if (c === ']') {
        endRow();
        this.#at++;
        if (!this.#isOver())
          throw this.error(`${name}: the matrix is part of an expression; only matrices of numbers are read`);
        return matrix;
      }
      if (c === ';') {
        endRow();
        this.#at++;
      } else if (c === '\n' || c === '\r') {
        endRow();
        this.#newLine();
      } else if (c === ',') this.#at++;
      else row.push(this.#entry(name, row.length));
    }
  }

  #entry(name: string, column: number): number {
    const from = this.#at;
    const found = this.#match(NUMBER);
    const next = this.#text[this.#at];
    const isWhole = next === undefined || ' \t,;]\n\r%#'.includes(next) || this.#text.startsWith('...', this.#at);
    if (found === undefined || !isWhole) {
      const word = /^[^\s,;\]]+/.exec(this.#text.slice(from, from + 80))?.[0] ?? '';
      throw this.error(`${name}: got ${quote(word)}; expected a number`);
    }
    if (column >= MAX_COLUMNS) throw this.error(`${name}: the row has more than ${MAX_COLUMNS} numbers`);
    return numberOf(found);
  }

  /** Words in braces; other contents are passed over. */
  #cell(name: string, start: number): string[] {
    const words: string[] = [];
    let depth = 0;
    for (;;) {
      this.#skip(true);
      const c = this.#text[this.#at];
      if (c === undefined) throw this.error(`${name}, begun in line ${start}, does not end with }`);
      const word = this.#match(QUOTED);
      if (word !== undefined) {
        words.push(word.slice(1, -1).trim());
        continue;
      }
      this.#at++;
      if (c === '{') depth++;
      if (c === '}') depth--;
      if (depth === 0) return words;
    }
  }

  /** Any other statement: known ones, and refusals. */
  #code(line: number): void {
    let text = '';
    while (!this.#isOver() || (this.#text[this.#at] === ',' && this.#isInside(text))) {
      const c = this.#text[this.#at] ?? '';
      text += c;
      this.#at++;
      if (/\s/.test(this.#text[this.#at] ?? '') && /\w$/.test(text)) text += ' ';
    }
    const plain = text
      .trim()
      .replace(/\s*([=,[\]()*/:^+-])\s*/g, '$1')
      .replace(/\s+/g, ' ');
    const title = /^function\s*(?:\[[^\]]*\]|\w+)=?(\w+)/.exec(plain)?.[1];
    if (plain.startsWith('function')) {
      this.title = title ?? this.title;
      this.#skipLine();
      return;
    }
    if (HARMLESS.test(plain)) return;
    const dense = plain.replace(/ /g, '');
    for (const [name, pattern] of Object.entries(CONVERSIONS)) {
      if (!pattern.test(dense)) continue;
      const key = name as keyof typeof CONVERSIONS;
      if (this.#conversions.has(key)) throw this.error('the conversion is there twice', line);
      if (key === 'impedances' && !(this.#conversions.has('volts') && this.#conversions.has('power')))
        throw this.error('Vbase and Sbase are not given before their use', line);
      this.#conversions.add(key);
      return;
    }
    throw this.error(
      `got ${quote(plain)}; files are read, not run: only matrices of numbers and the usual conversions of units`,
      line,
    );
  }

  /** Whether a comma is inside of brackets. */
  #isInside(text: string): boolean {
    return (text.match(/[[(]/g)?.length ?? 0) > (text.match(/[\])]/g)?.length ?? 0);
  }

  /** Does what the conversions say. */
  convert(): void {
    const bus = this.matrices.get('bus');
    const branch = this.matrices.get('branch');
    if (this.#conversions.has('impedances')) {
      const volts = (bus?.rows[0]?.[9] ?? Number.NaN) * 1e3;
      const ohms = (volts * volts) / ((this.base ?? Number.NaN) * 1e6);
      if (!(ohms > 0)) throw this.error('the conversion of impedances needs baseKV of the first bus and baseMVA');
      scale(branch, [2, 3], ohms);
      this.notes.push('Impedances were converted from ohms, as the file says.');
    }
    if (this.#conversions.has('loads')) {
      scale(bus, [2, 3], 1e3);
      this.notes.push('Loads were converted from kW to MW, as the file says.');
    }
  }
}

function scale(matrix: Matrix | undefined, columns: readonly number[], divisor: number): void {
  for (const row of matrix?.rows ?? [])
    for (const column of columns) if (row[column] !== undefined) row[column] = (row[column] ?? 0) / divisor;
}

function numberOf(text: string): number {
  const lower = text.toLowerCase().replace('d', 'e');
  if (lower.endsWith('nan')) return Number.NaN;
  if (lower.includes('inf')) return lower.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(lower);
}

/** @throws DomainError VALIDATION_FAILED, which names the line */
export function parseMatpower(text: string): NetworkCase {
  const reader = new Reader(text);
  reader.read();
  reader.convert();
  const table = (name: string): Table => {
    const matrix = reader.matrices.get(name);
    if (matrix) return matrix;
    throw validationError('file', `file: the matrix mpc.${name} is missing.`, 'MISSING');
  };
  const { base, title, names, notes } = reader;
  const buses = table('bus');
  const branches = table('branch');
  if (base === undefined) throw validationError('file', 'file: mpc.baseMVA is missing.', 'MISSING');
  const used = names?.length === buses.rows.length ? names : undefined;
  const generators = reader.matrices.get('gen');
  const network = networkCaseOf(
    {
      title,
      base,
      buses,
      generators: generators ?? { rows: [] },
      branches,
      ...(used ? { names: used } : {}),
      notes,
    },
    'file',
  );
  // A misspelt matrix is not a network without generators: that one has an empty matrix.
  if (!generators) table('gen');
  return network;
}
