// The parts of JSON Schema that the OpenAPI document of the service uses.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly 'x-unit'?: string;
}

/** Named schemas of the document. */
export type Schemas = Readonly<Record<string, Schema>>;

export interface Resolved {
  readonly schema: Schema;
  /** Of a named schema. */
  readonly name: string | undefined;
}

/** @throws Error for a reference that leads nowhere */
export function resolve(schema: Schema, schemas: Schemas): Resolved {
  if (schema.$ref === undefined) return { schema, name: undefined };
  const name = schema.$ref.split('/').at(-1) ?? '';
  const target = schemas[name];
  if (target === undefined) throw new Error(`${schema.$ref} is not in the OpenAPI document.`);
  // A description beside the reference is about this use of it.
  return { schema: schema.description === undefined ? target : { ...target, description: schema.description }, name };
}

/** The alternatives of a schema; itself if it has none. */
export const alternativesOf = (schema: Schema): readonly Schema[] => schema.anyOf ?? schema.oneOf ?? [schema];

/** The schema of the values of an object whose names are free. */
export const valueSchemaOf = ({ additionalProperties }: Schema): Schema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;

/** Its types; `null` beside another says that there may be no value. */
export const typesOf = ({ type = [] }: Schema): readonly string[] => (typeof type === 'string' ? [type] : type);
