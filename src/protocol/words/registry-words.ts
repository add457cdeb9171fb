// Words about a law, from its record in the registry.

import { definitionOf } from '../../operators/definition.ts';
import { definitionSha256 } from '../../operators/definition-hash.ts';
import type { Operator } from '../../operators/operator.ts';
import type { LawWords } from './law-words.ts';

export function lawWordsOf(operator: Operator): LawWords {
  const { name, equation, output, inputs } = operator;
  return {
    name,
    equation,
    definition_sha256: definitionSha256(definitionOf(operator)) ?? '',
    output: { symbol: output.symbol, unit: output.unit, name: output.description ?? '' },
    inputs: Object.fromEntries(
      Object.entries(inputs).map(([symbol, { unit, description }]) => [symbol, { unit, name: description }]),
    ),
  };
}
