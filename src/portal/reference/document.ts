// What the reference reads of an OpenAPI 3.1 document.

import { asBound } from '../kit/format.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly unit?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface OperationObject {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>;
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

/** One operation with all that a person needs to call it. */
export interface Endpoint {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly noun: string;
  /** Without one it refuses; the others answer everybody, and a key may change what they answer. */
  readonly needsKey: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly example: unknown;
  readonly responses: readonly { readonly status: string; readonly description: string }[];
}

export function endpointsOf({ paths }: OpenApi): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const media = operation.requestBody?.content?.['application/json'];
      return {
        id: operation.operationId ?? `${method} ${path}`,
        method: method.toUpperCase(),
        path,
        summary: operation.summary ?? '',
        description: operation.description ?? '',
        noun: operation.tags?.[0] ?? 'other',
        needsKey: needsKeyOf(operation),
        parameters: operation.parameters ?? [],
        body: media?.schema,
        example: media?.example,
        responses: Object.entries(operation.responses ?? {}).map(([status, { description = '' }]) => ({
          status,
          description,
        })),
      };
    }),
  );
}

/** No way in goes without one. */
const needsKeyOf = ({ security = [] }: OperationObject) =>
  security.length > 0 && security.every((one) => 'bearer' in one);

/** `integer 8 – 128`, `one of implicit, explicit`, `Envelope`. */
export function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return '';
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  const name = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any');
  const { minimum, maximum } = schema;
  return minimum === undefined || maximum === undefined ? name : `${name} ${asBound(minimum)} – ${asBound(maximum)}`;
}
