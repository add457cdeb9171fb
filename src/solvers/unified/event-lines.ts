// Parses events: `y = 0 down`, `x = 1 up -> stop`, `y = 0 down -> v = -0.8*v, n = n + 1`.

import { parseExpression } from '../../expressions/parse.ts';
import { type BinaryOperator, type Expression, symbolsOf } from '../../expressions/tree.ts';
import { validationError } from '../parts/errors.ts';
import { EQUALS, PRIMED, splitAtCommas, withPath } from './entries.ts';

export interface Assignment {
  readonly symbol: string;
  readonly expression: Expression;
}

export interface EventLine {
  /** Crosses zero at the event: left minus right. */
  readonly expression: Expression;
  /** Both sides, for the check of dimensions; a missing right side is 0. */
  readonly sides: readonly [Expression, Expression];
  readonly direction: -1 | 0 | 1;
  readonly action: 'count' | 'stop' | 'assign';
  readonly assignments: readonly Assignment[];
  readonly path: string;
  readonly text: string;
}

const ZERO: Expression = { kind: 'number', value: 0, start: 0, end: 0 };
const DIRECTION_WORDS: ReadonlyMap<string, -1 | 1> = new Map([
  ['up', 1],
  ['down', -1],
]);
/** Direction in which left minus right crosses zero when the comparison becomes true. */
const COMPARISONS: ReadonlyMap<BinaryOperator, -1 | 0 | 1> = new Map([
  ['>', 1],
  ['>=', 1],
  ['<', -1],
  ['<=', -1],
  ['==', 0],
]);

const DIRECTION = /\s+(up|down)\s*$/;
const ASSIGNMENT = /^\s*([A-Za-z_][A-Za-z0-9_]*'*)\s*(?<![<>=!])=(?!=)(.*)$/s;

/** @throws DomainError EXPRESSION_INVALID, VALIDATION_FAILED */
export function parseEvent(text: string, index: number): EventLine {
  const path = `events.${index + 1}`;
  const arrow = text.indexOf('->');
  const condition = arrow < 0 ? text : text.slice(0, arrow);
  const word = DIRECTION.exec(condition)?.[1];
  const comparisonText = condition.replace(DIRECTION, '');
  const equalsIndex = comparisonText.search(EQUALS);
  const parse = (part: string, from: number) =>
    withPath(path, text, () => parseExpression(' '.repeat(from) + part, PRIMED));
  const whole = parse(equalsIndex < 0 ? comparisonText : comparisonText.slice(0, equalsIndex), 0);
  const comparison = equalsIndex < 0 ? comparisonIn(whole) : undefined;
  const left = comparison?.left ?? whole;
  const right =
    comparison?.right ?? (equalsIndex < 0 ? ZERO : parse(comparisonText.slice(equalsIndex + 1), equalsIndex + 1));
  const direction = DIRECTION_WORDS.get(word ?? '') ?? comparison?.direction ?? 0;
  if (isBoolean(left) || isBoolean(right) || (comparison !== undefined && direction * comparison.direction < 0)) {
    const expected = 'what crosses a value, like x = 1 up, x = 1 down or x > 1';
    throw validationError(
      path,
      `${path} (${text}): ${condition.trim()} crosses nothing; ${expected}, is expected.`,
      'CONDITION',
    );
  }
  if (symbolsOf(left).size + symbolsOf(right).size === 0) {
    const message = `${path} (${text}): ${condition.trim()} never changes; t, a state or what follows from them is expected.`;
    throw validationError(path, message, 'CONDITION');
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

/** `x > 1` happens when it becomes true: it equals `x = 1 up`. */
function comparisonIn(
  node: Expression,
): { readonly left: Expression; readonly right: Expression; readonly direction: -1 | 0 | 1 } | undefined {
  if (node.kind !== 'binary') return undefined;
  const direction = COMPARISONS.get(node.operator);
  return direction === undefined ? undefined : { left: node.left, right: node.right, direction };
}

const BOOLEAN_OPERATORS: ReadonlySet<string> = new Set(['and', 'or', 'not', '<', '<=', '>', '>=', '==', '!=']);

/** Whether an expression is a condition: its values 0 and 1 cross no threshold. */
function isBoolean(node: Expression): boolean {
  return (
    node.kind === 'truth' || ((node.kind === 'binary' || node.kind === 'unary') && BOOLEAN_OPERATORS.has(node.operator))
  );
}

function actionOf(actions: string, path: string, text: string): Pick<EventLine, 'action' | 'assignments'> {
  if (actions === '' || actions === 'count') return { action: 'count', assignments: [] };
  if (actions === 'stop') return { action: 'stop', assignments: [] };
  const assignments = splitAtCommas(actions).map((part) => {
    const [, symbol, expression] = ASSIGNMENT.exec(part) ?? [];
    if (symbol === undefined || expression === undefined) {
      const expected = 'stop, or assignments like v = -0.8*v with commas between them';
      throw validationError(
        path,
        `${path} (${text}): ${part.trim()} is not an action; ${expected}, is expected.`,
        'ACTION',
      );
    }
    return { symbol, expression: withPath(path, text, () => parseExpression(expression, PRIMED)) };
  });
  return { action: 'assign', assignments };
}
