// Reads the endpoints of an OpenAPI 3.1 document.

import { formatBound } from '../kit/format.ts';

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

interface MediaType {
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
  readonly requestBody?: { readonly content?: Readonly<Record<string, MediaType>> };
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>;
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

/** One operation, with everything needed to call it. */
export interface Endpoint {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  /** True if a key is required; public routes accept a key, which may change the response. */
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
        tag: operation.tags?.[0] ?? 'other',
        needsKey: requiresKey(operation),
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

/** A key is required if every security alternative requires one. */
const requiresKey = ({ security = [] }: OperationObject) =>
  security.length > 0 && security.every((alternative) => 'bearer' in alternative);

/** `integer 8 – 128`, `one of implicit, explicit`, `Envelope`. */
export function describeType(schema: Schema | undefined): string {
  if (schema === undefined) return '';
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.items) return `list of ${describeType(schema.items)}`;
  const name = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any');
  const { minimum, maximum } = schema;
  return minimum === undefined || maximum === undefined
    ? name
    : `${name} ${formatBound(minimum)} – ${formatBound(maximum)}`;
}
