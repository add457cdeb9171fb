// The parts of a definition in words: names, values, lengths of time, conditions and amounts.

import { CONDITION_SYNTAX, parseExpression } from '../../expressions/parse.ts';
import { BINARY_PRECEDENCE, type BinaryOperator, type Expression, PRECEDENCE } from '../../expressions/tree.ts';
import type { CompiledContract } from '../compiled.ts';
import { currencyOf } from '../data/types.ts';
import type { Scalar } from '../definition.ts';
import { isDurationText, ticksOfDuration } from '../durations.ts';
import { DATA_SYNTAX } from '../typed-expressions.ts';

const TICK_SECONDS = 0.777000777;

/** `dispute_window` → dispute window */
export const spoken = (name: string): string => name.replaceAll('_', ' ');

/** "a", "a and b", "a, b and c" */
export function listed(parts: readonly string[], last = 'and'): string {
  if (parts.length < 2) return parts.join();
  return `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`;
}

export const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const DURATION = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/;
const UNITS = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'];

/** An ISO 8601 duration; undefined for any other text. */
export function durationWords(text: string): string | undefined {
  const parts = DURATION.exec(text)?.slice(1);
  const words = parts?.flatMap((part, i) => (part === undefined ? [] : [counted(Number(part), UNITS[i] ?? '')]));
  return words === undefined || words.length === 0 ? undefined : listed(words);
}

/** The units in which a number of ticks is said, with the letters of their ISO durations. */
const WHOLE: readonly (readonly [unit: string, seconds: number, prefix: string, letter: string])[] = [
  ['day', 86_400, 'P', 'D'],
  ['hour', 3_600, 'PT', 'H'],
  ['minute', 60, 'PT', 'M'],
  ['second', 1, 'PT', 'S'],
];

/** A number of ticks, in the largest unit of which it is a whole number. */
export function ticksWords(ticks: number): string {
  const seconds = ticks * TICK_SECONDS;
  for (const [unit, length, prefix, letter] of WHOLE) {
    const number = Math.floor(seconds / length);
    if (number >= 1 && ticksOfDuration(`${prefix}${number}${letter}`) === ticks) return counted(number, unit);
  }
  return `${counted(ticks, 'tick')} (${Number(seconds.toPrecision(4))} seconds)`;
}

const TYPES: Readonly<Record<string, string>> = {
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  string: 'a text',
  ticks: 'a number of ticks',
  duration: 'a length of time',
  cron: 'a list of times',
};

/** A declared type: "a whole number", "an amount of EUR". */
export function typeWords(type: string): string {
  const currency = currencyOf(type);
  return currency === undefined ? (TYPES[type] ?? type) : `an amount of ${currency}`;
}

/** The unit as it follows a number; a number without dimension has none. */
export const afterNumber = (unit: string | undefined): string => (unit === undefined || unit === '1' ? '' : ` ${unit}`);

/** A value of a declared type. */
export function valueWords(value: Scalar, type: string): string {
  const currency = currencyOf(type);
  if (currency !== undefined && typeof value === 'number') return `${value} minor units of ${currency}`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if ((type === 'ticks' || type === 'duration') && typeof value === 'number') return ticksWords(value);
  if (type === 'duration') return durationWords(String(value)) ?? String(value);
  return typeof value === 'string' ? `“${value}”` : String(value);
}

const COMPARISONS: Readonly<Partial<Record<BinaryOperator, string>>> = {
  '<': 'is below',
  '<=': 'is at most',
  '>': 'is above',
  '>=': 'is at least',
  '==': 'is',
  '!=': 'is not',
};
const SIGNS: Readonly<Partial<Record<BinaryOperator, string>>> = { '-': '−', '*': '×', '/': '÷' };

const STANDING: Readonly<Record<string, string>> = {
  'event.actor': 'who sends it',
  'event.sender': 'the account that sends it',
  'agg.value': 'the result of the window',
  'agg.count': 'the number of events in the window',
  'op.value': 'the computed value',
  'oracle.value': 'the reading of the oracle',
  'oracle.age': 'the age of the reading',
  'state.age': 'the time in this state in ticks',
  'state.entries': 'the number of entries into states',
  'quorum.count': 'the number of votes that count',
  now: 'the present tick',
};

/** Words for expressions, with the values of parameters. */
export class Words {
  readonly #contract: CompiledContract;

  constructor(contract: CompiledContract) {
    this.#contract = contract;
  }

  /** An expression as part of a sentence. */
  expression(text: string): string {
    const { edition } = this.#contract.definition;
    return this.#say(parseExpression(text, edition === 2 ? DATA_SYNTAX : CONDITION_SYNTAX), 0);
  }

  /** A number of ticks, a duration, or the parameter with one. */
  length(given: number | string): string {
    if (typeof given === 'number') return ticksWords(given);
    if (isDurationText(given)) return durationWords(given) ?? given;
    return this.#name(given);
  }

  /** What a deadline counts: a duration, the name of one, or an expression in ticks. */
  span(text: string): string {
    const words = durationWords(text);
    if (words !== undefined) return words;
    const { type } = this.#contract.definition.parameters?.[text] ?? {};
    if (type !== undefined) return this.#name(text);
    return `the time ${this.expression(text)} (in ticks)`;
  }

  /** A date or an instant as it stands, or an expression with one. */
  instant(text: string): string {
    return /^\d{4}-/.test(text) ? text : this.expression(text);
  }

  /** A name with its value, if it is a parameter. */
  #name(name: string): string {
    const standing = STANDING[name];
    if (standing !== undefined) return standing;
    const { parameters, definition } = this.#contract;
    const declared = Object.hasOwn(parameters, name) ? definition.parameters?.[name] : undefined;
    const value = parameters[name];
    if (declared !== undefined && value !== undefined) {
      const raw = typeof value === 'string' ? durationWords(value) : undefined;
      return `${spoken(name)} (${raw ?? `${valueWords(value, declared.type)}${afterNumber(declared.unit)}`})`;
    }
    const [head = '', tail] = name.split('.');
    if (tail === undefined) return spoken(name);
    if (head === 'event') return `the ${spoken(tail)} sent`;
    if (head === 'clock') return `the time on the stopwatch ${spoken(tail)}`;
    if (head === 'accrual') return `the part of a year ${spoken(tail)}`;
    return tail === 'count' ? `the number of voters of ${spoken(head)}` : spoken(name);
  }

  #say(node: Expression, minimum: number): string {
    switch (node.kind) {
      case 'number':
        return String(node.value);
      case 'text':
        return `“${node.value}”`;
      case 'truth':
        return node.value ? 'yes' : 'no';
      case 'constant':
        return node.name;
      case 'symbol':
        return this.#name(node.name);
      case 'unary':
        if (node.operator === '-') return `−${this.#say(node.operand, PRECEDENCE.minus)}`;
        return `not ${this.#say(node.operand, PRECEDENCE.leaf)}`;
      case 'binary': {
        const own = BINARY_PRECEDENCE.get(node.operator) ?? 0;
        const { left, right, operator } = node;
        const word = COMPARISONS[operator] ?? SIGNS[operator] ?? operator;
        return enclosed(`${this.#say(left, own)} ${word} ${this.#say(right, own + 1)}`, own < minimum);
      }
      case 'choice': {
        const { condition, yes, no } = node;
        const text = `${this.#say(yes, 2)} if ${this.#say(condition, 2)}, otherwise ${this.#say(no, 1)}`;
        return enclosed(text, minimum > 0);
      }
      case 'call':
        return `${node.name}(${node.operands.map((operand) => this.#say(operand, 0)).join(', ')})`;
      case 'sum': {
        const { index, from, to, term } = node;
        return `the sum for ${index} from ${this.#say(from, 2)} to ${this.#say(to, 2)} of ${this.#say(term, PRECEDENCE.leaf)}`;
      }
    }
  }
}

const enclosed = (text: string, isNeeded: boolean) => (isNeeded ? `(${text})` : text);
