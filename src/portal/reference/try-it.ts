// Form that sends a request to a route and shows the response.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { CopyButton } from '../kit/copy-button.ts';
import { formatMilliseconds } from '../kit/format.ts';
import { currentKey, mintDemoKey, updateRateLimit } from '../session.ts';
import { toJson } from './literal.ts';
import { type CallRequest, requestOf } from './operation-call.ts';
import type { FieldRow, OperationPage } from './operation-page.ts';
import { EVENT_STREAM, mediaTypeOf, toCurl } from './snippets.ts';

/** Longer responses are truncated. */
const MAX_RESPONSE_LENGTH = 20_000;
const STREAM_READ_MS = 3_000;

interface TryResult {
  readonly status: number;
  readonly statusText: string;
  readonly elapsedMs: number;
  readonly text: string;
}

export function TryIt({ page }: { readonly page: OperationPage }) {
  const { call, sections } = page;
  const fields = sections.flatMap(({ place, rows }) => (place === 'path' || place === 'query' ? rows : []));
  const [values, setValues] = useState(() => valuesOf(page, fields));
  const [body, setBody] = useState(() => bodyTextOf(page, fields));
  const [result, setResult] = useState<TryResult | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);

  const request = () => requestOf(call, inputOf(page, values, body), location.origin);
  const submit = async (event: Event) => {
    event.preventDefault();
    setFault(undefined);
    setBusy(true);
    try {
      setResult(await send(page, request()));
    } catch (error) {
      setFault(error instanceof SyntaxError ? `The body is not JSON: ${error.message}` : String(error));
    }
    setBusy(false);
  };
  const hasKey = call.needsKey || currentKey.value !== undefined;
  return h(
    'form',
    { class: 'try', onSubmit: (event: Event) => void submit(event), 'aria-label': `Try ${call.name}` },
    fields.map(({ name, isRequired }) =>
      h(
        'div',
        { key: name, class: 'try-field' },
        h('label', { for: `try-${name}` }, name),
        h('input', {
          id: `try-${name}`,
          type: 'text',
          required: isRequired === true,
          spellcheck: false,
          value: values[name] ?? '',
          onInput: (event: Event) => setValues({ ...values, [name]: (event.target as HTMLInputElement).value }),
        }),
      ),
    ),
    body === undefined
      ? null
      : h(
          'div',
          { class: 'try-field' },
          h('label', { for: 'try-body' }, 'Body'),
          h('textarea', {
            id: 'try-body',
            rows: Math.min(14, body.split('\n').length + 1),
            spellcheck: false,
            value: body,
            onInput: (event: Event) => setBody((event.target as HTMLTextAreaElement).value),
          }),
        ),
    h(
      'div',
      { class: 'button-row' },
      h('button', { type: 'submit', class: 'primary', disabled: isBusy }, isBusy ? 'Sending …' : 'Send'),
      h(CopyButton, {
        label: 'Copy as curl',
        text: () => toCurl({ ...call, needsKey: hasKey }, inputOf(page, values, body), location.origin),
      }),
      hasKey
        ? h(
            'span',
            { class: 'endpoint-more' },
            currentKey.value ? `with ${currentKey.value.keyPrefix}…` : 'a demo key is created on sending',
          )
        : null,
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      fault === undefined ? null : h('p', { class: 'field-fault' }, fault),
      result === undefined ? null : h(TryResultView, { result, id: call.name }),
    ),
  );
}

function TryResultView({ result, id }: { readonly result: TryResult; readonly id: string }) {
  const { status, statusText, elapsedMs, text } = result;
  return h(
    'div',
    { class: 'answer' },
    h('p', { class: 'answer-status' }, `${status} ${statusText}`.trim(), ` in ${formatMilliseconds(elapsedMs)}`),
    h('pre', { tabIndex: 0, role: 'region', 'aria-label': `Response of ${id}` }, text),
  );
}

/** The values of the example; a value that was made up would find nothing. */
function valuesOf({ input, madeUp }: OperationPage, fields: readonly FieldRow[]): Readonly<Record<string, string>> {
  const known = fields.filter(({ name }) => input[name] !== undefined && !madeUp.includes(name));
  return Object.fromEntries(known.map(({ name }) => [name, String(input[name])]));
}

/** Undefined for an operation without a body. */
function bodyTextOf({ call, sections, input }: OperationPage, fields: readonly FieldRow[]): string | undefined {
  if (!sections.some(({ place }) => place === 'body')) return undefined;
  if (call.textBody !== undefined) return String(input[call.textBody] ?? '');
  const outside = new Set(fields.map(({ name }) => name));
  return toJson(Object.fromEntries(Object.entries(input).filter(([name]) => !outside.has(name))));
}

/** @throws SyntaxError for a body that is not JSON */
function inputOf(
  { call }: OperationPage,
  values: Readonly<Record<string, string>>,
  body: string | undefined,
): Readonly<Record<string, unknown>> {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  if (body === undefined) return given;
  return { ...(call.textBody === undefined ? JSON.parse(body) : { [call.textBody]: body }), ...given };
}

async function send({ call }: OperationPage, { method, url, body }: CallRequest): Promise<TryResult> {
  // Public routes accept a key too; create one only where it is required.
  const apiKey = currentKey.value ?? (call.needsKey ? await mintDemoKey() : undefined);
  const begin = performance.now();
  const response = await fetch(url, {
    method,
    headers: {
      ...(apiKey ? { authorization: `Bearer ${apiKey.key}` } : {}),
      ...(call.answers === 'events' ? { accept: EVENT_STREAM } : {}),
      ...(body === undefined ? {} : { 'content-type': mediaTypeOf(body) }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  updateRateLimit(response.headers);
  const type = response.headers.get('content-type') ?? '';
  const bytes = type.startsWith(EVENT_STREAM) ? await readStream(response) : await response.arrayBuffer();
  const { status, statusText } = response;
  return { status, statusText, elapsedMs: performance.now() - begin, text: formatBody(type, bytes) };
}

/** Reads the first seconds of an endless stream. */
async function readStream({ body }: Response): Promise<ArrayBuffer> {
  const reader = body?.getReader();
  const parts: BlobPart[] = [];
  const timer = setTimeout(() => void reader?.cancel(), STREAM_READ_MS);
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) parts.push(next.value);
  clearTimeout(timer);
  return new Blob(parts).arrayBuffer();
}

function formatBody(type: string, bytes: ArrayBuffer): string {
  if (!/^(text\/|application\/json)/.test(type)) return `${bytes.byteLength} bytes of ${type}`;
  const text = new TextDecoder().decode(bytes);
  const pretty = type.startsWith('application/json') ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return pretty.length > MAX_RESPONSE_LENGTH
    ? `${pretty.slice(0, MAX_RESPONSE_LENGTH)}\n… ${pretty.length - MAX_RESPONSE_LENGTH} more characters`
    : pretty;
}
