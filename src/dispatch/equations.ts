// Equations of a sentence: "solve x'' = -4*x with x(0) = 1 and x'(0) = 0 until t = 10".

import { parseExpression } from '../expressions/parse.ts';
import type { Token } from './sentence.ts';

export interface FoundEquations {
  readonly lines: readonly string[];
  /** Whether one of them is a differential equation. */
  readonly isDifferential: boolean;
  /** Characters of the sentence that they take. */
  readonly spans: readonly (readonly [number, number])[];
}

/** Words that end an equation. */
const ENDS = /[,;\n]|\b(?:and|with|where|until|from|for|if|given|starting|over|at)\b/g;
const LEFT = /([A-Za-z][A-Za-z0-9_]{0,15})\s?('{0,2})\s?(\(\s?0\s?\))?\s?=\s?/g;
/** A derivative on the right side: y'. */
const PRIMED = /([A-Za-z]\w{0,15})'{1,2}/g;
const MAX_RIGHT = 200;
const MAX_LINES = 24;
/** Words behind a right side that do not belong to it. */
const MAX_TRIMMED = 6;

/** Undefined where no line is an equation: numbers alone are inputs. */
export function equationsOf(sentence: string): FoundEquations | undefined {
  const found: { line: string; span: readonly [number, number]; isEquation: boolean }[] = [];
  let isDifferential = false;
  for (const left of sentence.matchAll(LEFT)) {
    if (found.length >= MAX_LINES) break;
    const [whole = '', symbol = '', primes = '', atZero = ''] = left;
    const start = left.index + whole.length;
    const right = rightSideAt(sentence, start);
    if (right === undefined) continue;
    const isEquation = (primes !== '' && atZero === '') || !/^[+-]?[\d.]+(?:e[+-]?\d+)?$/i.test(right);
    isDifferential ||= primes !== '' && atZero === '';
    const line = `${symbol}${primes}${atZero === '' ? '' : '(0)'} = ${right}`;
    found.push({ line, span: [left.index, start + right.length], isEquation });
  }
  if (!found.some(({ isEquation }) => isEquation)) return undefined;
  // A time is an end, not a symbol of the equations.
  const own = found.filter(({ line }) => !line.startsWith('t = '));
  return { lines: own.map(({ line }) => line), isDifferential, spans: own.map(({ span }) => span) };
}

function rightSideAt(sentence: string, start: number): string | undefined {
  ENDS.lastIndex = start;
  const end = Math.min(ENDS.exec(sentence)?.index ?? sentence.length, start + MAX_RIGHT);
  let text = sentence
    .slice(start, end)
    .trim()
    .replace(/[.?!]$/, '');
  for (let trimmed = 0; trimmed <= MAX_TRIMMED && text !== ''; trimmed++) {
    if (isExpression(text)) return text;
    const space = text.lastIndexOf(' ');
    // Only words of the sentence are left out, never a part of the formula.
    if (space < 0 || !/^[A-Za-z]{2,}$/.test(text.slice(space + 1))) return undefined;
    text = text.slice(0, space).trim();
  }
  return undefined;
}

function isExpression(text: string): boolean {
  if (text.includes('=')) return false;
  try {
    parseExpression(text.replaceAll(PRIMED, '$1'));
    return true;
  } catch {
    return false;
  }
}

export const isWithin = ({ start, end }: Pick<Token, 'start' | 'end'>, spans: FoundEquations['spans']) =>
  spans.some(([from, to]) => start >= from && end <= to);
