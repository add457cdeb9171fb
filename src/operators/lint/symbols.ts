// Symbols: everything declared is used, everything used is declared, and every name has one meaning.

import { CODATA } from '../../core/codata.ts';
import { nearestNames } from '../../core/nearest.ts';
import { CONSTANTS, FUNCTIONS, SUM } from '../../expressions/functions.ts';
import { childrenOf, type Expression, nodeCount, symbolsOf } from '../../expressions/tree.ts';
import { type Complaint, error } from './finding.ts';
import { expand, type Subject } from './subject.ts';

/** A law has at least two quantities and something that joins them. */
const LEAST_NODES = 3;

export function checkSymbols(subject: Subject): Complaint[] {
  const { operator, equation, where } = subject;
  const inputs = Object.keys(operator.inputs);
  const constants = Object.keys(operator.constants ?? {});
  const intermediates = where.map(({ name }) => name);
  return [
    ...oneMeaning([operator.output.symbol, ...inputs, ...constants, ...intermediates], indicesOf(subject)),
    ...undeclared(subject, [...inputs, ...constants]),
    ...unused([equation.expression, ...where.map(({ expression }) => expression)], {
      input: inputs,
      constant: constants,
      'intermediate expression': intermediates,
    }),
    ...unknownConstants(operator.constants ?? {}),
    ...tooSmall(subject),
  ];
}

function oneMeaning(names: readonly string[], indices: readonly string[]): Complaint[] {
  const mend = 'Give each quantity a symbol of its own.';
  const twice = names.filter((name, i) => names.indexOf(name) < i);
  const taken = [...new Set([...names, ...indices])].filter(
    (name) => FUNCTIONS.has(name) || CONSTANTS.has(name) || name === SUM,
  );
  const hiding = indices.filter((index, i) => names.includes(index) || indices.indexOf(index) < i);
  return [
    ...twice.map((name) => error(`${name} is declared twice`, mend)),
    ...taken.map((name) => error(`${name} is a word of the expression language`, mend)),
    ...hiding.map((name) => error(`the index ${name} of a sum hides another ${name}`, mend)),
  ];
}

/** In order: an intermediate expression may use those before it. */
function undeclared({ equation, where }: Subject, declared: readonly string[]): Complaint[] {
  const known = new Set(declared);
  const complaints: Complaint[] = [];
  const look = (place: string, expression: Expression) => {
    for (const name of symbolsOf(expression)) {
      if (known.has(name)) continue;
      const nearest = nearestNames(name, known, 1)[0];
      const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
      complaints.push(
        error(`${place} uses ${name}, which is not declared${hint}`, 'Declare it or spell it as declared.'),
      );
    }
  };
  for (const { name, expression } of where) {
    look(`where.${name}`, expression);
    known.add(name);
  }
  look('the equation', equation.expression);
  return complaints;
}

function unused(trees: readonly Expression[], declared: Readonly<Record<string, readonly string[]>>): Complaint[] {
  const used = new Set(trees.flatMap((tree) => [...symbolsOf(tree)]));
  return Object.entries(declared).flatMap(([kind, names]) =>
    names
      .filter((name) => !used.has(name))
      .map((name) => error(`the ${kind} ${name} is not used`, 'Use it in the law or remove it.')),
  );
}

function unknownConstants(constants: NonNullable<Subject['operator']['constants']>): Complaint[] {
  return Object.entries(constants).flatMap(([symbol, constant]) => {
    if (typeof constant !== 'string' || CODATA.has(constant)) return [];
    const nearest = nearestNames(constant, CODATA.keys(), 1)[0];
    const mend =
      nearest === undefined
        ? 'Use a name of src/core/codata.ts, or give value, unit and note.'
        : `Did you mean "${nearest}"? Otherwise give value, unit and note.`;
    return [error(`the constant ${symbol} names "${constant}", which src/core/codata.ts does not have`, mend)];
  });
}

function tooSmall(subject: Subject): Complaint[] {
  const nodes = nodeCount(subject.where.length === 0 ? subject.equation.expression : expand(subject));
  if (nodes >= LEAST_NODES) return [];
  return [
    error(`the law has ${nodes} nodes, at least ${LEAST_NODES} are wanted`, 'This is no law; take the next one.'),
  ];
}

function indicesOf({ equation, where }: Subject): string[] {
  const find = (node: Expression): string[] => [
    ...(node.kind === 'sum' ? [node.index] : []),
    ...childrenOf(node).flatMap(find),
  ];
  return [equation.expression, ...where.map(({ expression }) => expression)].flatMap(find);
}
