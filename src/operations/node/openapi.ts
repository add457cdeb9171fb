// Generates the OpenAPI 3.1 document from the operations.

import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { ERROR_FORMS, type ErrorCode } from '../../core/errors.ts';
import { EVENT_STREAM } from '../channel.ts';
import { isMedia, type Operation } from '../operation.ts';
import { methodOf, pathOf, pathParameters } from '../route.ts';
import { documentDefault, ErrorBody } from '../schemas.ts';

/** Version of the published interface, which the specification fixes; software-version.ts has that of the software. */
export const INTERFACE_VERSION = '1.287.0';

const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe(
    'Makes retries safe for 24 hours: the same key and request return the first response again. Without an API key, at least 16 characters.',
  );

const IfMatch = z
  .string()
  .optional()
  .describe('ETag of the version you expect; a mismatch is rejected with 409 CONFLICT.');

const REASONS: Readonly<Record<number, string>> = {
  400: 'Malformed request.',
  401: 'The key is missing, malformed, unknown, revoked or expired.',
  403: 'The key lacks permission.',
  404: 'Not found.',
  409: 'Conflicts with the current state.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'A field is invalid, or the result was rejected; `details` names the fields.',
  429: 'Too many requests; see Retry-After.',
  499: 'The client closed the request.',
  500: 'Internal error; quote `request_id`.',
  503: 'Overloaded or stopping; retry.',
  504: 'Timeout.',
  507: 'The database has almost no free space.',
};

/** All error codes of an operation by HTTP status. */
export function documentedErrors(operation: Operation): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>(operation.errors);
  codes
    .add('RATE_LIMITED')
    .add('KEY_INVALID')
    .add('KEY_REVOKED')
    .add('KEY_EXPIRED')
    .add('VALIDATION_FAILED')
    .add('INTERNAL')
    .add('STORAGE_UNAVAILABLE');
  if (operation.machine !== undefined) codes.add('ARCHIVE_UNAVAILABLE').add('ARCHIVE_TAMPERED');
  if (operation.tier !== 'public') codes.add('AUTH_REQUIRED');
  if (operation.tier === 'admin') codes.add('ADMIN_REQUIRED');
  if (operation.tier !== 'public' && operation.effect !== 'read') codes.add('FORBIDDEN');
  if (methodOf(operation) !== 'GET') {
    codes.add('BAD_REQUEST').add('BODY_TOO_DEEP').add('BODY_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
    codes
      .add('IDEMPOTENCY_ANSWER_LOST')
      .add('IDEMPOTENCY_IN_FLIGHT')
      .add('IDEMPOTENCY_KEY_REUSED')
      .add('SHUTTING_DOWN');
    if (operation.effect === 'write') codes.add('OWNER_UNREACHABLE');
  }
  if (operation.effect !== 'read') codes.add('STORAGE_FULL');
  if (operation.effect === 'write') codes.add('CLOCK_AHEAD').add('CLOCK_SKEWED');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERROR_FORMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

function responsesOf(operation: Operation): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  const content = isMedia(operation.output)
    ? {
        ...Object.fromEntries(
          [operation.output.mediaType, ...(operation.output.others ?? [])].map((mediaType) => [
            mediaType.split(';')[0] ?? '',
            { schema: mediaSchema(mediaType) },
          ]),
        ),
        ...(operation.once && !isMedia(operation.once.output)
          ? { 'application/json': { schema: operation.once.output } }
          : {}),
      }
    : {
        'application/json': { schema: operation.output },
        ...(operation.hasProgress ? { [EVENT_STREAM]: { schema: PROGRESS } } : {}),
      };
  responses[`${operation.status ?? 200}`] = { description: operation.summary, content };
  if (operation.caching !== undefined && operation.caching !== 'none') responses['304'] = { description: 'Unchanged.' };
  for (const [status, codes] of documentedErrors(operation)) {
    responses[`${status}` as '400'] = {
      description: `${REASONS[status] ?? 'Refused.'} Codes: ${codes.join(', ')}.`,
      content: { 'application/json': { schema: ErrorBody }, ...textErrorContent(operation, status) },
    };
  }
  return responses;
}

/** Text errors of a third-party protocol; errors before routing stay JSON. */
function textErrorContent({ text }: Operation, status: number): Record<string, { schema: z.ZodType }> {
  if (text === undefined) return {};
  return { [text.errorMediaTypes[status] ?? 'text/plain']: { schema: z.string() } };
}

/** Response to `Accept: text/event-stream`. */
const PROGRESS = z
  .string()
  .describe(
    'Frames `progress` {seq, type, svcond, fraction}, then `result` with the JSON answer, or `refused` with an error.',
  );

function mediaSchema(mediaType: string): z.ZodType {
  if (mediaType.startsWith('text/')) return z.string();
  if (mediaType.startsWith('application/json')) return z.looseObject({});
  return z.string().meta({ type: 'string', format: 'binary' });
}

/** Path parameters, then the rest as query (GET) or body. */
function splitInput(operation: Operation): { path: z.ZodObject; rest: z.ZodObject } {
  const names = new Set(pathParameters(operation));
  const fields = Object.entries(operation.input.shape);
  const isStrict =
    methodOf(operation) !== 'GET' && (operation.input.def.catchall as z.ZodType | undefined)?.type === 'never';
  const rest = z.object(Object.fromEntries(fields.filter(([name]) => !names.has(name))));
  return {
    path: z.object(Object.fromEntries(fields.filter(([name]) => names.has(name)))),
    rest: isStrict ? rest.strict() : rest,
  };
}

/** The example without its path parameters. */
function exampleOf(operation: Operation): { example?: object } {
  if (operation.example === undefined) return {};
  const inPath = new Set(pathParameters(operation));
  return { example: Object.fromEntries(Object.entries(operation.example).filter(([name]) => !inPath.has(name))) };
}

/** A key is optional on public routes: the response may depend on it, and an invalid one is rejected. */
const securityOf = ({ tier }: Operation): Record<string, string[]>[] =>
  tier === 'public' ? [{}, { bearer: [] }] : [{ bearer: [] }];

function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const { path, rest } = splitInput(operation);
  const isGet = methodOf(operation) === 'GET';
  const hasBody = !isGet && methodOf(operation) !== 'DELETE';
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: operation.description ?? operation.summary,
    tags: [operation.name.split('.')[0] ?? ''],
    security: securityOf(operation),
    requestParams: {
      ...(Object.keys(path.shape).length > 0 ? { path } : {}),
      ...(isGet && Object.keys(rest.shape).length > 0 ? { query: rest } : {}),
      ...(hasBody && operation.text === undefined
        ? {
            header: z.object({
              'Idempotency-Key': IdempotencyKey,
              ...(operation.ifMatch === undefined ? {} : { 'If-Match': IfMatch }),
            }),
          }
        : {}),
    },
    ...(hasBody
      ? {
          requestBody: {
            required: rest.safeParse({}).success === false,
            content:
              operation.text === undefined
                ? { 'application/json': { schema: rest, ...exampleOf(operation) } }
                : { 'text/plain': { schema: z.string() } },
          },
        }
      : {}),
    responses: responsesOf(operation),
  };
}

/**
 * The text of the same document, made one operation at a time with a turn of the event loop between them: all at
 * once take a quarter of a second.
 */
export async function openApiText(operations: readonly Operation[]): Promise<string> {
  let document: Document = { ...openApiDocument([]), tags: tagsOf(operations) };
  for (const operation of operations) {
    const { paths = {}, components = {} } = openApiDocument([operation]);
    const path = pathOf(operation);
    const schemas = { ...document.components?.schemas, ...components.schemas };
    document = {
      ...document,
      components: { ...components, schemas },
      paths: { ...document.paths, [path]: { ...document.paths?.[path], ...paths[path] } },
    };
    await new Promise((resolve) => setTimeout(resolve));
  }
  return JSON.stringify(document);
}

type Document = ReturnType<typeof createDocument>;

function tagsOf(operations: readonly Operation[]): { readonly name: string; readonly description: string }[] {
  const names = [...new Set(operations.map((operation) => operation.name.split('.')[0] ?? ''))].sort();
  return names.map((name) => ({ name, description: `Operations on ${name}.` }));
}

/** The complete document; a pure function. */
export function openApiDocument(operations: readonly Operation[]): Document {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const path = pathOf(operation);
    paths[path] = { ...paths[path], [methodOf(operation).toLowerCase()]: operationObject(operation) };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'svc',
        version: INTERFACE_VERSION,
        description:
          'Verifiable computation and timed state contracts: a number you can re-run, in a history you cannot rewrite.',
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'svc', url: 'https://svc.invalid' },
      },
      servers: [{ url: '/', description: 'This node.' }],
      tags: tagsOf(operations),
      security: [{ bearer: [] }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A key: svc_ak_… or svc_ak_demo_….' },
        },
      },
      paths,
    },
    {
      override: (documented) => {
        documentDefault(documented);
        renameToExtensions(documented.jsonSchema);
      },
    },
  );
  for (const operation of operations) markRequired(document, operation);
  return document;
}

/** zod-openapi takes a parameter that converts its input, as `queryInt` does, for an optional one. */
function markRequired({ paths = {} }: Document, operation: Operation): void {
  const method = methodOf(operation).toLowerCase() as 'get';
  for (const parameter of paths[pathOf(operation)]?.[method]?.parameters ?? []) {
    if (!('name' in parameter)) continue;
    const field = operation.input.shape[parameter.name] as z.ZodType | undefined;
    if (field?.safeParse(undefined).success === false) parameter.required = true;
  }
}

/** Renames our annotations to OpenAPI extension names. */
function renameToExtensions(schema: Record<string, unknown>): void {
  for (const name of ['unit', 'symbol', 'rows']) {
    if (typeof schema[name] !== 'string' && typeof schema[name] !== 'number') continue;
    schema[`x-${name}`] = schema[name];
    delete schema[name];
  }
  // What lists of arguments leave out.
  delete schema.unlisted;
}
