// The option --parameter of contracts: `name=value`.

import { DomainError } from '../core/errors.ts';
import { parseStrictJson } from '../core/strict-json.ts';

/** Parses `name=value`; the value is a JSON number or boolean, otherwise a string. */
export function parseParameters(given: readonly string[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    given.map((text) => {
      const separator = text.indexOf('=');
      if (separator < 1) throw new DomainError('VALIDATION_FAILED', `${text} is not a parameter. Use name=value.`);
      const value = text.slice(separator + 1);
      const isLiteral = /^(true|false|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(value);
      return [text.slice(0, separator), isLiteral ? (parseStrictJson(value) as number | boolean) : value];
    }),
  );
}
