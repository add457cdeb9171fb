// Schema: the file has the form of src/operators/schema.json, and its objects keep the order of keys that stands there.

import { type Complaint, error, warning } from './finding.ts';

/** What a compiled JSON Schema validator answers (ajv's form). */
export interface Validate {
  (data: unknown): boolean;
  errors?: readonly SchemaFault[] | null | undefined;
}

interface SchemaFault {
  readonly instancePath: string;
  readonly message?: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface SchemaComplaint {
  readonly complaint: Complaint;
  /** Index of the operator; undefined for a fault of the file. */
  readonly operator: number | undefined;
}

const MEND = 'The form is src/operators/schema.json; a complete example is src/operators/domains/QM.json.';

/** @param validate  compiled from schema.json, for a whole file */
export function checkSchema(file: unknown, validate: Validate): SchemaComplaint[] {
  if (validate(file)) return [];
  const complaints = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const [, list, index, ...rest] = instancePath.split('/');
    const isOperator = list === 'operators' && index !== undefined;
    const place = isOperator ? rest.join('.') : instancePath.slice(1);
    const facts = Object.values(params).filter((value) => ['string', 'number'].includes(typeof value));
    const what = `${place} ${message ?? 'is not allowed'} ${facts.length > 0 ? `(${facts.join(', ')})` : ''}`.trim();
    return { complaint: error(what, MEND), operator: isOperator ? Number(index) : undefined };
  });
  // The branches of a oneOf repeat each other.
  return complaints.filter(({ complaint, operator }, i) => {
    return (
      complaints.findIndex((other) => other.operator === operator && other.complaint.text === complaint.text) === i
    );
  });
}

/** Keys of an operator in the order of the schema, so that differences read well. */
export function checkKeyOrder(record: object, order: readonly string[]): Complaint[] {
  const keys = Object.keys(record);
  const wanted = keys.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  const at = keys.findIndex((key, i) => key !== wanted[i]);
  if (at < 0) return [];
  return [warning(`${keys[at]} stands where ${wanted[at]} is expected`, `Keep the order ${wanted.join(', ')}.`)];
}
