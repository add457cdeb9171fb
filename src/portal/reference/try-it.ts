// Form that sends a request to a route and shows the response.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { CopyButton } from '../kit/copy-button.ts';
import { formatMilliseconds } from '../kit/format.ts';
import { currentKey, mintDemoKey, updateRateLimit } from '../session.ts';
import type { Endpoint } from './openapi-document.ts';

/** Longer responses are truncated. */
const MAX_RESPONSE_LENGTH = 20_000;
const STREAM_READ_MS = 3_000;

interface TryResult {
  readonly status: number;
  readonly statusText: string;
  readonly elapsedMs: number;
  readonly text: string;
}

export function TryIt({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, parameters, body } = endpoint;
  const fields = parameters.filter((parameter) => parameter.in !== 'header');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [text, setText] = useState(() => JSON.stringify(endpoint.example ?? {}, null, 2));
  const [result, setResult] = useState<TryResult | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: Event) => {
    event.preventDefault();
    setFault(undefined);
    setBusy(true);
    try {
      setResult(await send(endpoint, values, body === undefined ? undefined : text));
    } catch (error) {
      setFault(error instanceof SyntaxError ? `The body is not JSON: ${error.message}` : String(error));
    }
    setBusy(false);
  };
  return h(
    'form',
    { class: 'try', onSubmit: (event: Event) => void submit(event), 'aria-label': `Try ${id}` },
    fields.map(({ name, in: where, required }) =>
      h(
        'div',
        { key: name, class: 'try-field' },
        h('label', { for: `${id}-${name}` }, `${name} (${where})`),
        h('input', {
          id: `${id}-${name}`,
          type: 'text',
          required: required === true,
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
          h('label', { for: `${id}-body` }, 'Body'),
          h('textarea', {
            id: `${id}-body`,
            rows: Math.min(14, text.split('\n').length + 1),
            spellcheck: false,
            value: text,
            onInput: (event: Event) => setText((event.target as HTMLTextAreaElement).value),
          }),
        ),
    h(
      'div',
      { class: 'button-row' },
      h('button', { type: 'submit', class: 'primary', disabled: isBusy }, isBusy ? 'Sending …' : 'Send'),
      h(CopyButton, {
        label: 'Copy as curl',
        text: () => toCurl(endpoint, values, body === undefined ? undefined : text),
      }),
      endpoint.needsKey || currentKey.value
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
      result === undefined ? null : h(TryResultView, { result, id }),
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

async function send(
  endpoint: Endpoint,
  values: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<TryResult> {
  if (body !== undefined) JSON.parse(body);
  // Public routes accept a key too; create one only where it is required.
  const apiKey = currentKey.value ?? (endpoint.needsKey ? await mintDemoKey() : undefined);
  const begin = performance.now();
  const response = await fetch(urlOf(endpoint, values), {
    method: endpoint.method,
    headers: {
      ...(apiKey ? { authorization: `Bearer ${apiKey.key}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  updateRateLimit(response.headers);
  const type = response.headers.get('content-type') ?? '';
  const bytes = type.startsWith('text/event-stream') ? await readStream(response) : await response.arrayBuffer();
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

function urlOf({ path, parameters }: Endpoint, values: Readonly<Record<string, string>>): string {
  let filled = path;
  const query = new URLSearchParams();
  for (const { name, in: where } of parameters) {
    const value = values[name] ?? '';
    if (where === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (where === 'query' && value !== '') query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

function toCurl(endpoint: Endpoint, values: Readonly<Record<string, string>>, body: string | undefined): string {
  const lines = [`curl -s -X ${endpoint.method} '${location.origin}${urlOf(endpoint, values)}'`];
  if (endpoint.needsKey || currentKey.value) lines.push('  -H "Authorization: Bearer $SVC_KEY"');
  if (body !== undefined)
    lines.push("  -H 'Content-Type: application/json'", `  -d '${body.replaceAll("'", `'\\''`)}'`);
  return lines.join(' \\\n');
}
