// Events as callers write them: `y = 0 down`, `x = 1 up -> stop`, `y = 0 down -> v = -0.8*v, n = n + 1`.

import { parseExpression } from '../../expressions/parse.ts';
import { type BinaryOperator, type Expression, symbolsOf } from '../../expressions/tree.ts';
import { refusal, within } from './lists.ts';

export interface Assignment {
  readonly symbol: string;
  readonly expression: Expression;
}

export interface EventLine {
  /** What crosses zero: left minus right. */
  readonly expression: Expression;
  /** Both sides, for the check of dimensions; the right one is 0 where there is none. */
  readonly sides: readonly [Expression, Expression];
  readonly direction: -1 | 0 | 1;
  readonly action: 'count' | 'stop' | 'assign';
  readonly assignments: readonly Assignment[];
  readonly path: string;
  readonly text: string;
}

const ZERO: Expression = { kind: 'number', value: 0, start: 0, end: 0 };
const WORDS: ReadonlyMap<string, -1 | 1> = new Map([
  ['up', 1],
  ['down', -1],
]);
/** In which direction left minus right crosses zero when the comparison becomes true. */
const COMPARISONS: ReadonlyMap<BinaryOperator, -1 | 0 | 1> = new Map([
  ['>', 1],
  ['>=', 1],
  ['<', -1],
  ['<=', -1],
  ['==', 0],
]);

const EQUALS = /(?<![<>=!])=(?!=)/;
const DIRECTION = /\s+(up|down)\s*$/;
const ASSIGNMENT = /^\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?<![<>=!])=(?!=)(.*)$/s;

/** @throws DomainError EXPRESSION_INVALID, VALIDATION_FAILED */
export function readEvent(text: string, index: number): EventLine {
  const path = `events.${index + 1}`;
  const arrow = text.indexOf('->');
  const condition = arrow < 0 ? text : text.slice(0, arrow);
  const word = DIRECTION.exec(condition)?.[1];
  const bare = condition.replace(DIRECTION, '');
  const at = bare.search(EQUALS);
  const parse = (one: string, from: number) => within(path, text, () => parseExpression(' '.repeat(from) + one));
  const whole = parse(at < 0 ? bare : bare.slice(0, at), 0);
  const compared = at < 0 ? comparisonIn(whole) : undefined;
  const left = compared?.left ?? whole;
  const right = compared?.right ?? (at < 0 ? ZERO : parse(bare.slice(at + 1), at + 1));
  const direction = WORDS.get(word ?? '') ?? compared?.direction ?? 0;
  if (isTruth(left) || isTruth(right) || (compared !== undefined && direction * compared.direction < 0)) {
    const expected = 'what crosses a value, like x = 1 up, x = 1 down or x > 1';
    throw refusal(
      path,
      `${path} (${text}): ${condition.trim()} crosses nothing; ${expected}, is expected.`,
      'CONDITION',
    );
  }
  if (symbolsOf(left).size + symbolsOf(right).size === 0) {
    const message = `${path} (${text}): ${condition.trim()} never changes; t, a state or what follows from them is expected.`;
    throw refusal(path, message, 'CONDITION');
  }
  const isZero = right.kind === 'number' && right.value === 0;
  const actions = arrow < 0 ? '' : text.slice(arrow + 2).trim();
  return {
    expression: isZero ? left : { kind: 'binary', operator: '-', left, right, start: left.start, end: right.end },
    sides: [left, right],
    direction,
    ...actionOf(actions, path, text),
    path,
    text,
  };
}

/** `x > 1` happens when it becomes true: it is `x = 1 up`. */
function comparisonIn(
  node: Expression,
): { readonly left: Expression; readonly right: Expression; readonly direction: -1 | 0 | 1 } | undefined {
  if (node.kind !== 'binary') return undefined;
  const direction = COMPARISONS.get(node.operator);
  return direction === undefined ? undefined : { left: node.left, right: node.right, direction };
}

const TRUTHS: ReadonlySet<string> = new Set(['and', 'or', 'not', '<', '<=', '>', '>=', '==', '!=']);

/** Conditions are 0 or 1 and cross nothing. */
function isTruth(node: Expression): boolean {
  return node.kind === 'truth' || ((node.kind === 'binary' || node.kind === 'unary') && TRUTHS.has(node.operator));
}

function actionOf(actions: string, path: string, text: string): Pick<EventLine, 'action' | 'assignments'> {
  if (actions === '' || actions === 'count') return { action: 'count', assignments: [] };
  if (actions === 'stop') return { action: 'stop', assignments: [] };
  const assignments = splitAtCommas(actions).map((one) => {
    const [, symbol, expression] = ASSIGNMENT.exec(one) ?? [];
    if (symbol === undefined || expression === undefined) {
      const expected = 'stop, or assignments like v = -0.8*v with commas between them';
      throw refusal(path, `${path} (${text}): ${one.trim()} is no action; ${expected}, is expected.`, 'ACTION');
    }
    return { symbol, expression: within(path, text, () => parseExpression(expression)) };
  });
  return { action: 'assign', assignments };
}

/** Commas between arguments of a function are none. */
function splitAtCommas(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const mark of text) {
    if (mark === '(') depth++;
    if (mark === ')') depth--;
    if (mark === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += mark;
  }
  return parts;
}
