// Schema: the file follows src/operators/schema.json, and the keys of its objects are in the order given there.

import { type Diagnostic, error, warning } from './diagnostic.ts';

/** A compiled JSON Schema validator, in the form of ajv. */
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

const FIX = 'The form is src/operators/schema.json; a complete example is src/operators/domains/QM.json.';

/** @param validate  compiled from schema.json, for a whole file */
export function checkSchema(file: unknown, validate: Validate): SchemaDiagnostic[] {
  if (validate(file)) return [];
  const diagnostics = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const [, list, index, ...rest] = instancePath.split('/');
    const isOperator = list === 'operators' && index !== undefined;
    const place = isOperator ? rest.join('.') : instancePath.slice(1);
    const facts = Object.values(params).filter((value) => ['string', 'number'].includes(typeof value));
    const what = `${place} ${message ?? 'is not allowed'} ${facts.length > 0 ? `(${facts.join(', ')})` : ''}`.trim();
    return { diagnostic: error(what, FIX), operator: isOperator ? Number(index) : undefined };
  });
  // The branches of a oneOf repeat each other.
  return diagnostics.filter(({ diagnostic, operator }, i) => {
    return (
      diagnostics.findIndex((other) => other.operator === operator && other.diagnostic.text === diagnostic.text) === i
    );
  });
}

/** Keys of an operator in the order of the schema, for readable diffs. */
export function checkKeyOrder(record: object, order: readonly string[]): Diagnostic[] {
  const keys = Object.keys(record);
  const wanted = keys.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  const at = keys.findIndex((key, i) => key !== wanted[i]);
  if (at < 0) return [];
  return [warning(`${keys[at]} is in the place of ${wanted[at]}`, `Keep the order ${wanted.join(', ')}.`)];
}
