// Schema: the file follows src/operators/schema.json, and each operator has its keys in the order of the schema.

import { type Diagnostic, error, warning } from './diagnostic.ts';

/** A JSON Schema validator as compiled by ajv. */
export interface Validate {
  (data: unknown): boolean;
  errors?: readonly SchemaFault[] | null | undefined;
}

interface SchemaFault {
  readonly instancePath: string;
  readonly message?: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface SchemaDiagnostic {
  readonly diagnostic: Diagnostic;
  /** Index of the operator; undefined for a fault outside the operators. */
  readonly operator: number | undefined;
}

const FIX = 'The schema is src/operators/schema.json; a complete example is src/operators/domains/QM.json.';

/** @param validate  compiled from schema.json, for a whole file */
export function checkSchema(file: unknown, validate: Validate): SchemaDiagnostic[] {
  if (validate(file)) return [];
  const diagnostics = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const [, list, index, ...rest] = instancePath.split('/');
    const isOperator = list === 'operators' && index !== undefined;
    const place = isOperator ? rest.join('.') : instancePath.slice(1);
    const facts = Object.values(params).filter((value) => ['string', 'number'].includes(typeof value));
    const text = `${place} ${message ?? 'is not allowed'} ${facts.length > 0 ? `(${facts.join(', ')})` : ''}`.trim();
    return { diagnostic: error(text, FIX), operator: isOperator ? Number(index) : undefined };
  });
  // The branches of a oneOf report the same error; one of them is enough.
  return diagnostics.filter(({ diagnostic, operator }, i) => {
    return (
      diagnostics.findIndex((other) => other.operator === operator && other.diagnostic.text === diagnostic.text) === i
    );
  });
}

/** Checks that the keys of an operator are in the order of the schema, for readable diffs. */
export function checkKeyOrder(record: object, order: readonly string[]): Diagnostic[] {
  const keys = Object.keys(record);
  const expected = keys.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  const at = keys.findIndex((key, i) => key !== expected[i]);
  if (at < 0) return [];
  return [warning(`${keys[at]} is where ${expected[at]} is expected`, `Keep the order ${expected.join(', ')}.`)];
}
