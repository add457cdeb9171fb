// Snippets that call an operation: curl, Python, TypeScript, and a tool of the Model Context Protocol.

import { mcpCall } from '../kit/mcp-call.ts';
import { shellQuote } from '../kit/shell-quote.ts';
import { toJson, toPython, toScript } from './literal.ts';
import { type CallInput, type OperationCall, requestOf } from './operation-call.ts';

export const LANGUAGES = ['curl', 'python', 'typescript', 'mcp'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  curl: 'curl',
  python: 'Python',
  typescript: 'TypeScript',
  mcp: 'MCP',
};

export const EVENT_STREAM = 'text/event-stream';

/** @param origin  address of the service. The key, if one is needed, is read from SVC_KEY */
export function snippetsOf(call: OperationCall, input: CallInput, origin: string): Readonly<Record<Language, string>> {
  return {
    curl: toCurl(call, input, origin),
    python: toPythonCall(call, input, origin),
    typescript: toTypeScript(call, input, origin),
    mcp: toTool(call, input),
  };
}

/** For a POSIX shell. */
export function toCurl(call: OperationCall, input: CallInput, origin: string): string {
  const { method, url, body } = requestOf(call, input, origin);
  // What --data-raw sends needs no method where that is POST.
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`];
  const words = ['curl', call.answers === 'events' ? '-sN' : '-s', ...verb, shellQuote(url)];
  const options = [
    ...(call.needsKey ? ['-H "Authorization: Bearer $SVC_KEY"'] : []),
    ...(call.answers === 'events' ? [`-H 'Accept: ${EVENT_STREAM}'`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${mediaTypeOf(body)}'`, `--data-raw ${quotedBody(body)}`]),
    ...(call.answers === 'bytes' ? [`--output ${shellQuote(fileNameOf(url))}`] : []),
  ];
  return [words.join(' '), ...options].join(' \\\n  ');
}

export const mediaTypeOf = (body: CallInput | string) => (typeof body === 'string' ? 'text/plain' : 'application/json');

const quotedBody = (body: CallInput | string) => shellQuote(typeof body === 'string' ? body : toJson(body, '  '));

/** Characters that are no part of a plain name would need quotes, and could begin an option. */
const fileNameOf = (url: string) =>
  (new URL(url).pathname.split('/').at(-1) ?? '').replace(/[^\w.-]|^-+/g, '') || 'answer';

/** The client of the package; for streams and bodies of text, what Python has. */
function toPythonCall(call: OperationCall, input: CallInput, origin: string): string {
  if (call.answers === 'events' || call.textBody !== undefined) return toUrllib(call, input, origin);
  const key = call.needsKey ? ', key=os.environ["SVC_KEY"]' : '';
  const fields = Object.keys(input).length === 0 ? '' : `, ${toPython(input)}`;
  const invoked =
    call.solver === undefined
      ? `client.call(${toPython(call.name)}${fields})`
      : `client.solve(${toPython(call.solver)}${fields})`;
  return [
    ...(call.needsKey ? ['import os', ''] : []),
    'import svc',
    '',
    `client = svc.Client(${toPython(origin)}${key})`,
    `answer = ${invoked}`,
    call.answers === 'bytes' ? 'print(len(answer), "bytes")' : 'print(answer)',
  ].join('\n');
}

function toUrllib(call: OperationCall, input: CallInput, origin: string): string {
  const { method, url, body } = requestOf(call, input, origin);
  const headers = [
    ...(call.needsKey ? [`"Authorization": f"Bearer {os.environ['SVC_KEY']}"`] : []),
    ...(call.answers === 'events' ? [`"Accept": "${EVENT_STREAM}"`] : []),
    ...(body === undefined ? [] : [`"Content-Type": "${mediaTypeOf(body)}"`]),
  ];
  const isJson = body !== undefined && typeof body !== 'string';
  const sent = isJson ? `json.dumps(${toPython(body, '  ')}).encode()` : `${toPython(body)}.encode()`;
  return [
    ...(isJson ? ['import json'] : []),
    ...(call.needsKey ? ['import os'] : []),
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `  ${toPython(url)},`,
    ...(body === undefined ? [] : [`  data=${sent},`]),
    `  method=${toPython(method)},`,
    ...(headers.length === 0 ? [] : [`  headers={${headers.join(', ')}},`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '  for line in response:',
    '    print(line.decode().rstrip())',
  ].join('\n');
}

/** The client of the package; for bodies of text, what every runtime has. */
function toTypeScript(call: OperationCall, input: CallInput, origin: string): string {
  if (call.textBody !== undefined) return toFetch(call, input, origin);
  const key = call.needsKey ? ', key: process.env.SVC_KEY' : '';
  const fields = toScript(input);
  const start = [
    "import { createClient } from 'svc';",
    '',
    `const client = createClient({ url: ${toScript(origin)}${key} });`,
  ];
  const isPost = call.route.startsWith('POST ');
  if (call.answers === 'events' && isPost) {
    const { solver, input: inputs = {} } = input;
    const events = `client.stream(${toScript(solver)}, ${toScript(inputs)})`;
    return [...start, `for await (const event of ${events}) console.log(event);`].join('\n');
  }
  if (call.answers === 'json')
    return [
      ...start,
      `const answer = await client.call(${toScript(call.name)}, ${fields});`,
      'console.log(answer);',
    ].join('\n');
  const opened = `const response = await client.open(${toScript(call.name)}, ${fields});`;
  const read = {
    text: 'console.log(await response.text());',
    bytes: 'console.log((await response.arrayBuffer()).byteLength);',
    events:
      'const frames = response.body?.pipeThrough(new TextDecoderStream());\nfor await (const text of frames ?? []) console.log(text);',
  }[call.answers];
  return [...start, opened, read].join('\n');
}

function toFetch(call: OperationCall, input: CallInput, origin: string): string {
  const { method, url, body } = requestOf(call, input, origin);
  return [
    `const response = await fetch(${toScript(url)}, {`,
    `  method: ${toScript(method)},`,
    ...(body === undefined
      ? []
      : [`  headers: { 'content-type': '${mediaTypeOf(body)}' },`, `  body: ${toScript(body)},`]),
    '});',
    'console.log(await response.text());',
  ].join('\n');
}

/** The operation's own tool, else svc_http, which reaches most other routes. */
function toTool(call: OperationCall, input: CallInput): string {
  const { tool, closedToTools } = call;
  if (tool) {
    const known = Object.entries(input).filter(([name]) => tool.fields.includes(name));
    return toJson(mcpCall(tool.name, Object.fromEntries(known)));
  }
  if (closedToTools !== undefined) return `// ${closedToTools}`;
  const { method, url, body } = requestOf(call, input, 'http://localhost');
  const { pathname, searchParams } = new URL(url);
  const query = Object.fromEntries(searchParams);
  return toJson(
    mcpCall('svc_http', {
      method,
      path: pathname,
      ...(Object.keys(query).length === 0 ? {} : { query }),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? { [call.textBody ?? '']: body } : body }),
    }),
  );
}
