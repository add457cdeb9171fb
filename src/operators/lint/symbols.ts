// Symbols: every declared name is used, every used name is declared, and no name is declared twice.

import { CODATA } from '../../core/codata.ts';
import { nearestNames } from '../../core/nearest.ts';
import { CONSTANTS, FUNCTIONS, SUM } from '../../expressions/functions.ts';
import { childrenOf, type Expression, nodeCount, symbolsOf } from '../../expressions/tree.ts';
import { type Diagnostic, error } from './diagnostic.ts';
import { expand, type ParsedOperator } from './parsed-operator.ts';

/** Two quantities and one operation. */
const MIN_NODES = 3;

export function checkSymbols(parsed: ParsedOperator): Diagnostic[] {
  const { operator, equation, where, requirements } = parsed;
  const inputs = Object.keys(operator.inputs);
  const constants = Object.keys(operator.constants ?? {});
  const intermediates = where.map(({ name }) => name);
  const law = [equation.expression, ...where.map(({ expression }) => expression)];
  return [
    ...oneMeaning([operator.output.symbol, ...inputs, ...constants, ...intermediates], indicesOf(parsed)),
    ...undeclared(parsed, [...inputs, ...constants]),
    ...unused(law, { input: inputs, 'intermediate expression': intermediates }),
    // A limit may need a constant that the law does without: the speed of light, say.
    ...unused([...law, ...requirements.map(({ condition }) => condition)], { constant: constants }),
    ...unknownConstants(operator.constants ?? {}),
    ...tooSmall(parsed),
    ...aliasesInUse(parsed),
  ];
}

function oneMeaning(names: readonly string[], indices: readonly string[]): Diagnostic[] {
  const fix = 'Give each quantity a symbol of its own.';
  const twice = names.filter((name, i) => names.indexOf(name) < i);
  const reserved = [...new Set([...names, ...indices])].filter(
    (name) => FUNCTIONS.has(name) || CONSTANTS.has(name) || name === SUM,
  );
  const shadowing = indices.filter((index, i) => names.includes(index) || indices.indexOf(index) < i);
  return [
    ...twice.map((name) => error(`${name} is declared twice`, fix)),
    ...reserved.map((name) => error(`${name} is a reserved word of the expression language`, fix)),
    ...shadowing.map((name) => error(`the index ${name} of a sum shadows another ${name}`, fix)),
  ];
}

/** In order: an intermediate expression may use those before it. */
function undeclared({ equation, where, requirements }: ParsedOperator, declared: readonly string[]): Diagnostic[] {
  const known = new Set(declared);
  const diagnostics: Diagnostic[] = [];
  const check = (place: string, expression: Expression) => {
    for (const name of symbolsOf(expression)) {
      if (known.has(name)) continue;
      const nearest = nearestNames(name, known, 1)[0];
      const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
      diagnostics.push(
        error(`${place} uses ${name}, which is not declared${hint}`, 'Declare it or spell it as declared.'),
      );
    }
  };
  for (const { name, expression } of where) {
    check(`where.${name}`, expression);
    known.add(name);
  }
  check('the equation', equation.expression);
  for (const { text, condition } of requirements) check(text, condition);
  return diagnostics;
}

function unused(trees: readonly Expression[], declared: Readonly<Record<string, readonly string[]>>): Diagnostic[] {
  const used = new Set(trees.flatMap((tree) => [...symbolsOf(tree)]));
  return Object.entries(declared).flatMap(([kind, names]) =>
    names
      .filter((name) => !used.has(name))
      .map((name) => error(`the ${kind} ${name} is not used`, 'Use it in the law or remove it.')),
  );
}

/** An alias that is a symbol of its own law would never be accepted. */
function aliasesInUse({ operator: { inputs, constants = {}, output }, where }: ParsedOperator): Diagnostic[] {
  const symbols = [output.symbol, ...Object.keys(inputs), ...Object.keys(constants), ...where.map(({ name }) => name)];
  const aliases = Object.values(inputs).flatMap((input) => input.aliases ?? []);
  return aliases
    .filter((alias, i) => symbols.includes(alias) || aliases.indexOf(alias) < i)
    .map((alias) => error(`the alias ${alias} is a name of something else in this law`, 'Leave the alias out.'));
}

function unknownConstants(constants: NonNullable<ParsedOperator['operator']['constants']>): Diagnostic[] {
  return Object.entries(constants).flatMap(([symbol, constant]) => {
    if (typeof constant !== 'string' || CODATA.has(constant)) return [];
    const nearest = nearestNames(constant, CODATA.keys(), 1)[0];
    const fix =
      nearest === undefined
        ? 'Use a name of src/core/codata.ts, or give value, unit and note.'
        : `Did you mean "${nearest}"? Otherwise give value, unit and note.`;
    return [error(`the constant ${symbol} names "${constant}", which src/core/codata.ts does not have`, fix)];
  });
}

function tooSmall(parsed: ParsedOperator): Diagnostic[] {
  const nodes = nodeCount(parsed.where.length === 0 ? parsed.equation.expression : expand(parsed));
  if (nodes >= MIN_NODES) return [];
  return [
    error(
      `the law has ${nodes} nodes, at least ${MIN_NODES} are expected`,
      'An equation this small is not a law; take the next one.',
    ),
  ];
}

function indicesOf({ equation, where }: ParsedOperator): string[] {
  const find = (node: Expression): string[] => [
    ...(node.kind === 'sum' ? [node.index] : []),
    ...childrenOf(node).flatMap(find),
  ];
  return [equation.expression, ...where.map(({ expression }) => expression)].flatMap(find);
}
