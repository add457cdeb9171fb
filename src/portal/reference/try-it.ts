// Sends what the visitor wrote and shows what came back, whatever it is.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { CopyButton } from '../kit/copy-button.ts';
import { inMilliseconds } from '../kit/format.ts';
import { key, mintDemoKey, noteUsage } from '../session.ts';
import type { Endpoint } from './document.ts';

/** More of an answer than this is not shown. */
const LONGEST = 20_000;
const LISTEN_MS = 3_000;

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly elapsedMs: number;
  readonly text: string;
}

export function TryIt({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, parameters, body } = endpoint;
  const fields = parameters.filter((one) => one.in !== 'header');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [text, setText] = useState(() => JSON.stringify(endpoint.example ?? {}, null, 2));
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: Event) => {
    event.preventDefault();
    setFault(undefined);
    setBusy(true);
    try {
      setAnswer(await send(endpoint, values, body === undefined ? undefined : text));
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
        text: () => curlOf(endpoint, values, body === undefined ? undefined : text),
      }),
      endpoint.needsKey || key.value
        ? h(
            'span',
            { class: 'endpoint-more' },
            key.value ? `with ${key.value.keyPrefix}…` : 'a demo key is minted for it',
          )
        : null,
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      fault === undefined ? null : h('p', { class: 'field-fault' }, fault),
      answer === undefined ? null : h(Shown, { answer, id }),
    ),
  );
}

function Shown({ answer, id }: { readonly answer: Answer; readonly id: string }) {
  const { status, statusText, elapsedMs, text } = answer;
  return h(
    'div',
    { class: 'answer' },
    h('p', { class: 'answer-status' }, `${status} ${statusText}`.trim(), ` in ${inMilliseconds(elapsedMs)}`),
    h('pre', { tabIndex: 0, role: 'region', 'aria-label': `Answer of ${id}` }, text),
  );
}

async function send(
  endpoint: Endpoint,
  values: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<Answer> {
  if (body !== undefined) JSON.parse(body);
  // A key counts on public routes too; one is minted only where nothing goes without.
  const mine = key.value ?? (endpoint.needsKey ? await mintDemoKey() : undefined);
  const begin = performance.now();
  const response = await fetch(addressOf(endpoint, values), {
    method: endpoint.method,
    headers: {
      ...(mine ? { authorization: `Bearer ${mine.key}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  noteUsage(response.headers);
  const type = response.headers.get('content-type') ?? '';
  const bytes = type.startsWith('text/event-stream') ? await listen(response) : await response.arrayBuffer();
  const { status, statusText } = response;
  return { status, statusText, elapsedMs: performance.now() - begin, text: textOf(type, bytes) };
}

/** What a stream without an end says in the first seconds. */
async function listen({ body }: Response): Promise<ArrayBuffer> {
  const reader = body?.getReader();
  const parts: BlobPart[] = [];
  const timer = setTimeout(() => void reader?.cancel(), LISTEN_MS);
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) parts.push(next.value);
  clearTimeout(timer);
  return new Blob(parts).arrayBuffer();
}

function textOf(type: string, bytes: ArrayBuffer): string {
  if (!/^(text\/|application\/json)/.test(type)) return `${bytes.byteLength} bytes of ${type}`;
  const text = new TextDecoder().decode(bytes);
  const pretty = type.startsWith('application/json') ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return pretty.length > LONGEST ? `${pretty.slice(0, LONGEST)}\n… ${pretty.length - LONGEST} more characters` : pretty;
}

function addressOf({ path, parameters }: Endpoint, values: Readonly<Record<string, string>>): string {
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

function curlOf(endpoint: Endpoint, values: Readonly<Record<string, string>>, body: string | undefined): string {
  const lines = [`curl -s -X ${endpoint.method} '${location.origin}${addressOf(endpoint, values)}'`];
  if (endpoint.needsKey || key.value) lines.push('  -H "Authorization: Bearer $SVC_KEY"');
  if (body !== undefined)
    lines.push("  -H 'Content-Type: application/json'", `  -d '${body.replaceAll("'", `'\\''`)}'`);
  return lines.join(' \\\n');
}
