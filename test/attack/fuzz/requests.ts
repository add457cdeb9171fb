// Requests to every operation: valid ones, and ones that are changed in path, query, headers, method and body.

import fc from 'fast-check';
import { OPERATIONS } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { methodOf, pathOf, pathParameters } from '../../../src/operations/route.ts';
import { arbitraryOf, schemaOf } from '../../http/arbitrary-of.ts';
import { isLong, runsSolver } from '../../http/long-run.ts';
import { MACHINE_CALLS } from '../../http/machine-calls.ts';
import { ECHO } from '../../http/machine-fixture.ts';
import type { Json } from '../../http/service-fixture.ts';
import { type Change, CUTS, type Cut, changed, changes, cut, literalOf } from './hostile.ts';
import { ACTORS, type Actor, type Existing, type FuzzedNode, keyOf } from './node.ts';
import type { RawRequest } from './raw-client.ts';

/** A request as data: small, so that fast-check can shrink it. */
export interface FuzzRequest {
  readonly operation: number;
  readonly seed: number;
  readonly actor: Actor;
  readonly changes: readonly Change[];
  readonly cut?: Cut | undefined;
  readonly method?: string | undefined;
  readonly parameter?: string | undefined;
  readonly query?: string | undefined;
  readonly headers: readonly string[];
  readonly framing?: Framing | undefined;
}

/** How the body is sent, if not with its length. */
type Framing = 'chunked' | 'too long' | 'too short' | 'twice';

const SEEDS = 12;
/** Kernel time of one request. */
const MAX_KERNEL_MS = 5;

const METHODS = [
  ...[
    'GET',
    'HEAD',
    'OPTIONS',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'QUERY',
    'TRACE',
    'PROPFIND',
    'CONNECT',
    'get',
    'FOO',
  ],
];

/** In place of a path parameter, as written in the URL. */
const PARAMETERS = [
  ...[
    '%00',
    '%2e%2e',
    '..',
    '.',
    '%2F',
    '%5c',
    '%',
    '%zz',
    '%ED%A0%80',
    '%F0%9F%92%A9',
    '%C0%80',
    '%0d%0aX:%201',
    '%20',
  ],
  ...[
    '',
    '-1',
    '1e99',
    'NaN',
    '9007199254740993',
    '__proto__',
    'constructor',
    'a;b=c',
    'a//b',
    'A',
    '~',
    '*',
    '%1b[31m',
  ],
  ...[
    "'%20or%201=1",
    '{slug}',
    'a'.repeat(64),
    'a'.repeat(4_000),
    '%00'.repeat(500),
    '\u00ff',
    '00000000-0000-7000-8000-000000000000',
  ],
];

const QUERIES = [
  ...[
    'limit=-1',
    'limit=1e400',
    'limit=NaN',
    'limit=',
    'limit=0x10',
    'limit=1&limit=2',
    'limit[]=1',
    'limit[a]=1',
    'since=%00',
  ],
  ...[
    'cursor=%ED%A0%80',
    'cursor=..',
    '__proto__=1',
    '__proto__[polluted]=1',
    'constructor=1',
    'from=-1',
    'from=9007199254740993',
  ],
  ...[
    'seq=1.5',
    '%',
    '%zz=1',
    '=',
    '&&&',
    '?',
    'q=%00',
    `q=${'a'.repeat(4_000)}`,
    `${'a=1&'.repeat(1_200)}`,
    'query=%F0%9F%92%A9',
  ],
  ...[
    'tick=99999999999999999999',
    'svcond=-1',
    'svcond=1e3',
    'id=%00',
    'text=%1b[31m',
    'domain[]=x',
    'since=-1',
    'slug=..',
  ],
];

const HEADERS = [
  ...[
    'content-type: text/plain',
    'content-type: application/x-www-form-urlencoded',
    'content-type: multipart/form-data',
  ],
  ...['content-type: application/json; charset=utf-16', 'content-type:', 'content-type: application/json, text/html'],
  ...[
    'content-encoding: gzip',
    'content-encoding: br',
    'accept: text/event-stream',
    'accept: text/html',
    'accept: */*;q=0',
    'accept: \u00ff',
  ],
  ...[
    'authorization: Bearer',
    'authorization: Basic YTpi',
    'authorization: Bearer svc_ak_\u00ff',
    `authorization: Bearer ${'a'.repeat(9_000)}`,
  ],
  ...[
    'idempotency-key: same',
    'idempotency-key:',
    'idempotency-key: \u00ff\u00fe',
    `idempotency-key: ${'k'.repeat(5_000)}`,
  ],
  ...[
    'if-match: "1"',
    'if-match: *',
    'if-match: W/"99999999999999999999"',
    'if-match: "a',
    'if-none-match: *',
    'if-none-match: "',
  ],
  ...[
    'last-event-id: -1',
    'last-event-id: 1e400',
    'last-event-id: abc',
    'range: bytes=5-1',
    'range: bytes=0-',
    'range: lines=1',
  ],
  ...[
    'request-id: \u00ff',
    `request-id: ${'r'.repeat(3_000)}`,
    'traceparent: 00-0-0-0',
    'cookie: svc_read.a=b; ;;=',
    'cookie: __proto__=1',
  ],
  ...[
    'x-forwarded-for: 1.2.3.4, ::1',
    'x-forwarded-host: evil',
    'forwarded: for=\u00ff',
    'x-http-method-override: DELETE',
  ],
  ...[
    'expect: 100-continue',
    'expect: something',
    'connection: upgrade',
    'upgrade: h2c',
    'upgrade: websocket',
    'te: trailers',
  ],
  ...[
    'host: evil.example',
    'host:',
    'host: a:b:c',
    'origin: null',
    'origin: https://evil.example',
    'prefer: respond-async',
  ],
  ...[
    'a\u0000b: c',
    'x: a\u0001b',
    ' folded: x',
    'no colon',
    `x-large: ${'x'.repeat(20_000)}`,
    'transfer-encoding: gzip',
    'content-length: -1',
  ],
];

const maybe = <T>(weight: number, some: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 100 - weight, arbitrary: fc.constant(undefined) }, { weight, arbitrary: some });

export function fuzzRequests(): fc.Arbitrary<FuzzRequest> {
  return fc.record({
    operation: fc.nat(OPERATIONS.length - 1),
    seed: fc.nat(SEEDS - 1),
    actor: fc.constantFrom<Actor>(...ACTORS),
    changes: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.array(changes(), { minLength: 1, maxLength: 3 }) },
    ),
    cut: maybe(6, fc.constantFrom(...CUTS)),
    method: maybe(6, fc.constantFrom(...METHODS)),
    parameter: maybe(10, fc.constantFrom(...PARAMETERS)),
    query: maybe(15, fc.constantFrom(...QUERIES)),
    headers: fc.oneof(
      { weight: 8, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 2 }) },
    ),
    framing: maybe(2, fc.constantFrom<Framing>('chunked', 'too long', 'too short', 'twice')),
  });
}

/** Valid inputs of every operation: its example, and values of its schema. */
const INPUTS: readonly (readonly Json[])[] = OPERATIONS.map((operation: Operation, index) => {
  const samples = fc.sample(arbitraryOf(schemaOf(operation.input)), { numRuns: SEEDS, seed: 7_000 + index }) as Json[];
  const short = samples.filter((input) => !isLong(operation.name, input, MAX_KERNEL_MS));
  return operation.example === undefined ? short : [operation.example as Json, ...short];
});

/** What the seed stands for: a call known to succeed, the documented example, or values of the schema. */
function inputOf(operation: Operation, index: number, seed: number, existing: Existing): Json {
  const known = knownInput(operation, seed, existing);
  const address = addressOf(operation, existing);
  const isKnown = known !== undefined || operation.example !== undefined;
  if (seed % 3 === 0 && isKnown) return { ...operation.example, ...address, ...known };
  const inputs = INPUTS[index] ?? [];
  return { ...(inputs[seed % inputs.length] ?? {}), ...address };
}

function knownInput({ name }: Operation, seed: number, existing: Existing): Json | undefined {
  const calls = [MACHINE_CALLS[name] ?? []].flat();
  const call = calls[seed % Math.max(1, calls.length)];
  if (call !== undefined) return typeof call.input === 'function' ? call.input(existing) : (call.input ?? {});
  return {
    'own-contract.deploy': { definition: ECHO },
    'run.get': { id: existing.run },
    'kernel.get': { sha256: existing.kernel },
    'machine.unlock': { share: existing.token },
    'react.solve': { N: 16, t_end: 5 },
  }[name];
}

/** Ids of what exists. */
function addressOf(operation: Operation, existing: Existing): Json {
  const { name, route, input } = operation;
  if (name === 'machine.create' || name === 'operator.get') return {};
  const { child, contract, ownContract, developerKey } = existing;
  // A token has one genesis.
  const slug = name === 'tally.genesis' ? child : existing.slug;
  const id = name.startsWith('own-contract') ? ownContract : route.includes('api-keys') ? developerKey : contract;
  const known = { slug, motherSlug: slug, child_slug: child, contract_id: contract };
  const fields = Object.entries(known).filter(([field]) => Object.hasOwn(input.shape, field));
  return { ...Object.fromEntries(fields), ...(pathParameters(operation).includes('id') ? { id } : {}) };
}

export interface Written extends RawRequest {
  readonly operation: Operation;
  readonly head: string;
  readonly body: Buffer;
}

/** The bytes of a request; undefined if its computation would take too long. */
export function write(node: FuzzedNode, request: FuzzRequest): Written | undefined {
  const operation: Operation | undefined = OPERATIONS[request.operation];
  if (operation === undefined) return undefined;
  const input = inputOf(operation, request.operation, request.seed, node.existing());
  const names = new Set(pathParameters(operation));
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !names.has(name)));
  const isGet = methodOf(operation) === 'GET';
  const method = request.method ?? methodOf(operation);

  let path = pathOf(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  if (request.parameter !== undefined) path = withParameter(operation, input, request.parameter);
  const query = [
    ...(isGet && method !== 'QUERY' ? [new URLSearchParams(entriesOf(rest, request.changes)).toString()] : []),
    ...(request.query === undefined ? [] : [request.query]),
  ].filter((part) => part !== '');
  const target = query.length === 0 ? path : `${path}?${query.join('&')}`;

  const document = operation.text ? String(rest[operation.text.field] ?? '') : rest;
  const text = operation.text ? String(document) : changed(document, request.changes);
  const hasBody = !isGet || method === 'QUERY' || method === 'POST';
  const body = hasBody ? cut(text, request.cut ?? 'whole') : Buffer.alloc(0);
  // Without a body, a solver takes its defaults.
  const asked = body.length === 0 ? {} : parsedOr(text);
  if (runsSolver(operation.name) && isLong(operation.name, asked, MAX_KERNEL_MS)) return undefined;
  const head = headOf(node, request, method, target, hasBody, body.length);
  const isChunked = hasBody && request.framing === 'chunked';
  const sent = isChunked ? chunked(body) : request.framing === 'twice' ? Buffer.concat([body, body]) : body;
  return {
    operation,
    head,
    body,
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), sent]),
    isHead: method === 'HEAD',
    // Bytes are missing or left over: what follows would be read as a part of this request, or as another one.
    isLast: request.framing !== undefined && request.framing !== 'chunked',
  };
}

function headOf(
  node: FuzzedNode,
  { actor, headers, framing }: FuzzRequest,
  method: string,
  target: string,
  hasBody: boolean,
  length: number,
): string {
  const key = keyOf(node, actor);
  const declared = framing === 'too long' ? length + 10 : framing === 'too short' ? Math.max(0, length - 1) : length;
  const all = [
    ...(headers.some((line) => line.startsWith('host:')) ? [] : [`host: ${new URL(node.url).host}`]),
    ...(key === '' || headers.some((line) => line.startsWith('authorization:'))
      ? []
      : [`authorization: Bearer ${key}`]),
    ...(headers.some((line) => line.startsWith('content-type:')) || !hasBody ? [] : ['content-type: application/json']),
    ...(hasBody ? [framing === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${declared}`] : []),
    ...headers,
  ];
  return `${method} ${target} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`;
}

function withParameter(operation: Operation, input: Json, value: string): string {
  const names = pathParameters(operation);
  const path = pathOf(operation);
  const last = names.at(-1);
  if (last === undefined) return `${path}/${value}`;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === last ? value : encodeURIComponent(String(input[name])),
  );
}

/** The query of a GET, whose changed values are the literals of a body. */
function entriesOf(rest: Json, all: readonly Change[]): string[][] {
  const entries = Object.entries(rest).map(([name, value]) => [name, String(value)]);
  for (const change of all) {
    const at = entries.length === 0 ? undefined : entries[change.place % entries.length];
    if (at !== undefined && 'literal' in change) at[1] = literalOf(change.literal).slice(0, 2_000).toWellFormed();
    else if (at !== undefined && change.does === 'twice') entries.push([...at]);
  }
  return entries;
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function chunked(body: Buffer): Buffer {
  const middle = Math.floor(body.length / 2);
  const parts = [body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0);
  const framed = parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]);
}

/** The request as a command; keys stand as variables. */
export function curlOf(node: FuzzedNode, { actor }: FuzzRequest, { head, body }: Written): string {
  const [first = '', ...lines] = head.trimEnd().split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const key = keyOf(node, actor);
  const quote = (text: string) =>
    `$'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  const shown = (text: string) => quote(key === '' ? text : text.replaceAll(key, `KEY_${actor}`));
  const headers = lines.map((line) => `-H ${shown(line)}`);
  const data = body.length === 0 ? [] : [`--data-binary ${shown(body.toString().slice(0, 4_000))}`];
  return ['curl --path-as-is -X', method, shown(node.url + target), ...headers, ...data].join(' ');
}
