// DIMACS CNF: reads formulas and literals, writes answers.
//
// Lines that begin with c are comments, "p cnf variables clauses" comes before the clauses, each clause ends with 0 and
// may go over several lines. A line that begins with % ends the formula, as in the files of SATLIB.

import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';

/** A formula in conjunctive normal form, without repeated literals and tautologies. */
export interface Formula {
  readonly variables: number;
  readonly clauseCount: number;
  /** Literals as in DIMACS, each clause ended by 0. */
  readonly words: Int32Array;
  /** What was left out or is remarkable, in words. */
  readonly notes: readonly string[];
}

const HEADER = /^p\s+cnf\s+(\d{1,9})\s+(\d{1,9})$/;
const LITERAL = /^-?\d{1,9}$/;

const malformed = (line: number, message: string) =>
  validationError('dimacs', `dimacs, line ${line}: ${message}`, 'MALFORMED_DIMACS', { line });

/** @throws DomainError VALIDATION_FAILED, which names the line */
export function parseDimacs(text: string): Formula {
  const builder = new ClauseBuilder();
  let header: { readonly variables: number; readonly clauses: number; readonly line: number } | undefined;
  let number = 0;
  for (const raw of text.split(/\r\n|\n|\r/)) {
    number++;
    const line = raw.trim();
    if (line.startsWith('%')) break;
    if (line === '' || line.startsWith('c')) continue;
    if (line.startsWith('p')) {
      if (header) throw malformed(number, `a second header; the first is in line ${header.line}.`);
      header = { ...headerOf(line, number), line: number };
      continue;
    }
    if (!header) throw malformed(number, `got ${quote(line)}; expected the header "p cnf variables clauses" first.`);
    for (const token of line.split(/\s+/)) builder.add(literalOf(token, number, header.variables), number);
  }
  if (!header) throw malformed(number, 'the formula ends without a header "p cnf variables clauses".');
  if (builder.isOpen) throw malformed(number, 'the last clause does not end with 0.');
  if (builder.count !== header.clauses) {
    const expected = `the header in line ${header.line} announces ${header.clauses}`;
    throw malformed(number, `got ${builder.count} clauses; ${expected}.`);
  }
  return builder.formula(header.variables);
}

function headerOf(line: string, number: number): { readonly variables: number; readonly clauses: number } {
  const [, variables, clauses] = HEADER.exec(line) ?? [];
  if (variables === undefined) throw malformed(number, `got ${quote(line)}; expected "p cnf variables clauses".`);
  const { variables: max } = LIMITS.sat;
  if (Number(variables) > max) throw malformed(number, `got ${variables} variables; at most ${max} are allowed.`);
  return { variables: Number(variables), clauses: Number(clauses) };
}

function literalOf(token: string, line: number, variables: number): number {
  const literal = LITERAL.test(token) ? Number(token) : Number.NaN;
  if (Math.abs(literal) <= variables) return literal;
  const allowed = `expected a literal from -${variables} to ${variables}, or 0 at the end of a clause`;
  throw malformed(line, `got ${quote(token)}; ${allowed}.`);
}

const quote = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Collects clauses; drops repeated literals and tautologies, and says so. */
class ClauseBuilder {
  readonly #words: number[] = [];
  readonly #open = new Set<number>();
  #openLine = 0;
  #isTautology = false;
  #count = 0;
  #kept = 0;
  readonly #repeated: number[] = [];
  readonly #tautologies: number[] = [];
  readonly #empty: number[] = [];

  /** Number of clauses so far, with those that were dropped. */
  get count(): number {
    return this.#count;
  }

  get isOpen(): boolean {
    return this.#openLine > 0;
  }

  add(literal: number, line: number): void {
    if (literal === 0) {
      this.#end(line);
      return;
    }
    this.#openLine = line;
    if (this.#open.has(literal)) this.#repeated.push(line);
    if (this.#open.has(-literal)) this.#isTautology = true;
    this.#open.add(literal);
  }

  #end(line: number): void {
    this.#count++;
    if (this.#isTautology) this.#tautologies.push(line);
    else {
      if (this.#open.size === 0) this.#empty.push(line);
      for (const literal of this.#open) this.#words.push(literal);
      this.#words.push(0);
      this.#kept++;
    }
    this.#open.clear();
    this.#openLine = 0;
    this.#isTautology = false;
  }

  formula(variables: number): Formula {
    const lines = (at: readonly number[]) =>
      `${at.length === 1 ? 'line' : `${at.length} times, first in line`} ${at[0]}`;
    const notes = [
      ...(this.#repeated.length > 0 ? [`A literal is repeated in its clause: ${lines(this.#repeated)}.`] : []),
      ...(this.#tautologies.length > 0 ? [`A clause with x and -x is always true: ${lines(this.#tautologies)}.`] : []),
      ...(this.#empty.length > 0 ? [`An empty clause cannot be true: ${lines(this.#empty)}.`] : []),
    ];
    return { variables, clauseCount: this.#kept, words: Int32Array.from(this.#words), notes };
  }
}

/** The formula of clauses that a generator lists. */
export function formulaOf(variables: number, clauses: Iterable<readonly number[]>): Formula {
  const builder = new ClauseBuilder();
  for (const clause of clauses) for (const literal of [...clause, 0]) builder.add(literal, 0);
  return builder.formula(variables);
}

/** Literals of assumptions: numbers, or a text such as "1 -3". @throws DomainError VALIDATION_FAILED */
export function parseAssumptions(
  given: string | number | readonly number[] | undefined,
  variables: number,
): Int32Array {
  const text = typeof given === 'object' ? given.join(' ') : `${given ?? ''}`;
  const tokens = text.split(/[\s,]+/).filter((token) => token !== '');
  return Int32Array.from(tokens, (token) => {
    const literal = LITERAL.test(token) ? Number(token) : 0;
    if (literal !== 0 && Math.abs(literal) <= variables) return literal;
    const message = `assumptions: got ${quote(token)}; expected literals from -${variables} to ${variables} without 0.`;
    throw validationError('assumptions', message, 'MALFORMED_ASSUMPTION');
  });
}

const LINE_WIDTH = 78;

/** The answer as solvers print it: the line `s`, and lines `v` with the model. */
export function answerLines(status: number, model: ArrayLike<number>): readonly string[] {
  if (status !== 10) return [status === 20 ? 's UNSATISFIABLE' : 's UNKNOWN'];
  const lines = ['s SATISFIABLE'];
  let line = 'v';
  for (let v = 0; v <= model.length; v++) {
    const token = v === model.length ? '0' : `${(model[v] ?? 0) > 0 ? '' : '-'}${v + 1}`;
    if (line.length + 1 + token.length > LINE_WIDTH) {
      lines.push(line);
      line = 'v';
    }
    line += ` ${token}`;
  }
  return [...lines, line];
}
