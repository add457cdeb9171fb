// Calls the operation of a matched route and writes its response.

import type Koa from 'koa';
import { openChannel } from '../operations/channel.ts';
import { assertTier, type InvokeOptions, invoke } from '../operations/invoke.ts';
import type { Operation, TextProtocol } from '../operations/operation.ts';
import { machineSlugIn } from '../operations/refusal-log.ts';
import type { Services } from '../operations/services.ts';
import type { ForwardedHeaders } from '../services/access/forwarded-headers.ts';
import type { EventResponder } from '../streams/event-responder.ts';
import type { Admission } from './admission.ts';
import type { AnswerBytes, Reader } from './answer-bytes.ts';
import type { JsonBody } from './body.ts';
import { setCookie } from './cookies.ts';
import { type OperationResponse, withIdempotency } from './idempotency.ts';
import { mergeInput, readBody } from './input.ts';
import { clientAddressOf, RequestContext } from './request-context.ts';
import { sendJson, sendMedia } from './send.ts';
import { serveChannel, wantsEvents, wantsJson } from './streams.ts';
import { serveText } from './text.ts';

export interface HandlerParts {
  readonly services: Services;
  readonly admission: Admission;
  readonly events: EventResponder;
  readonly answers: AnswerBytes;
  readonly options: InvokeOptions;
  readonly forwarded: ForwardedHeaders;
}

type Parameters = Readonly<Record<string, string>>;

/** A request whose caller passed the tier check of the operation. */
interface Call {
  readonly context: Koa.Context;
  readonly operation: Operation;
  readonly parameters: Parameters;
  readonly request: RequestContext;
}

/** @throws DomainError  as the operation does; 401 before the body is read */
export async function handleOperation(
  parts: HandlerParts,
  context: Koa.Context,
  operation: Operation,
  parameters: Parameters,
): Promise<void> {
  const { services, admission, forwarded } = parts;
  const principal =
    admission.principalOf(context) ??
    (await admission.readPassPrincipal(context, operation, machineSlugIn(parameters)));
  assertTier(operation, { principal });
  if (operation.text) {
    const request = new RequestContext(context, services, principal, forwarded);
    await respondText(parts, { context, operation, parameters, request }, operation.text);
    return;
  }
  const body = await readBody(context, operation);
  const input = mergeInput(context, operation, parameters, body);
  const request = new RequestContext(context, services, principal, forwarded);
  const call: Call = { context, operation, parameters, request };
  if (operation.once && wantsJson(context))
    await respondOnce(parts, { ...call, operation: operation.once }, input, body);
  else if (operation.events) await respondChannel(parts, call, input);
  else if (operation.hasProgress && wantsEvents(context)) await respondWithProgress(parts, call, input, body);
  else await respondOnce(parts, call, input, body);
}

async function respondText(
  { options }: HandlerParts,
  { context, operation, parameters, request }: Call,
  protocol: TextProtocol,
): Promise<void> {
  await serveText(context, protocol, (text) => invoke(operation, { ...text, ...parameters }, request, options));
}

async function respondChannel(
  { services, admission, events, options }: HandlerParts,
  { context, operation, parameters, request }: Call,
  input: Record<string, unknown>,
): Promise<void> {
  // Browsers send this when they reconnect to a URL that may hold an older `since`.
  const { 'last-event-id': last } = context.headers;
  // An empty value means none, as for an EventSource.
  if (typeof last === 'string' && last !== '') input.since = last;
  const open = () => openChannel(operation, input, request, options);
  await serveChannel(context, events, open, {
    ...admission.reauthenticationOf(context, operation, parameters.slug),
    requestId: request.requestId,
    holder: services.rateLimit.holderOf(request.principal, clientAddressOf(context)),
    controller: request.controller,
  });
}

/** Sends the progress of a call and its result as server-sent events. */
async function respondWithProgress(
  { events, options }: HandlerParts,
  call: Call,
  input: Record<string, unknown>,
  body: JsonBody | undefined,
): Promise<void> {
  const { context, request } = call;
  await events.sendWithProgress(context.res, request.requestId, async (onProgress) => {
    request.onProgress = onProgress;
    const { text, isReplayed } = await runOnce(call, input, body, options);
    if (isReplayed && !context.headerSent) context.set('Idempotency-Replayed', 'true');
    return text ?? '';
  });
  context.respond = false;
}

async function respondOnce(
  { options, answers }: HandlerParts,
  call: Call,
  input: Record<string, unknown>,
  body: JsonBody | undefined,
): Promise<void> {
  const { context, operation, request } = call;
  const { principal, tenant } = request;
  const reader: Reader = { tenant, principal, address: clientAddressOf(context) };
  answers.assertRoom(reader);
  const { status, text, result, isReplayed } = await runOnce(call, input, body, options);
  if (isReplayed) context.set('Idempotency-Replayed', 'true');
  context.status = status;
  if (text === undefined) {
    sendMedia(context, operation, result, (chunks) => answers.meter(context.res, chunks, reader));
    answers.track(context.res, bytesOf(context.body), reader);
    return;
  }
  if (operation.cookie) setCookie(context, operation.cookie(JSON.parse(text) as never), request.baseUrl);
  if (operation.versionOf) context.set('ETag', `"${operation.versionOf(JSON.parse(text) as never)}"`);
  sendJson(context, operation, text);
  answers.track(context.res, bytesOf(context.body), reader);
}

/** Bytes of a body that is sent at once; a text has at least as many as characters. */
const bytesOf = (body: unknown): number => (typeof body === 'string' || Buffer.isBuffer(body) ? body.length : 0);

/** Runs the operation, or returns the stored response of its first run under the same Idempotency-Key. */
function runOnce(
  { context, operation, parameters, request }: Call,
  input: Record<string, unknown>,
  body: JsonBody | undefined,
  options: InvokeOptions,
): Promise<OperationResponse> {
  const target = [parameters, context.querystring, context.headers['if-match'] ?? null];
  return withIdempotency(operation, request, target, body, () => invoke(operation, input, request, options));
}
