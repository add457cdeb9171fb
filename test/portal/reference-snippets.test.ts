// Snippets of the API reference: four for every operation, and what each sends is what was meant, whatever the values.

import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { referenceOf } from '../../scripts/portal/reference/operation-pages.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { type CallInput, type OperationCall, requestOf } from '../../src/portal/reference/operation-call.ts';
import { LANGUAGES, snippetsOf } from '../../src/portal/reference/snippets.ts';
import { PYTHON } from '../python/python.ts';

const ORIGIN = 'http://127.0.0.1:8787';
const KEY = 'svc_ak_$(echo)';

const pages = [...referenceOf(OPERATIONS).pages.values()];

const HOSTILE = [
  `it's "quoted" and \`ticked\``,
  'two\nlines\r\n\ttabbed',
  '$HOME $(exit 1) $' + '{PATH} `id` !! %s %d',
  "';--\\' \\\" \\\\",
  '\\',
  '-X DELETE',
  '@/etc/passwd',
  '& | ; < > * ? [a] {b,c} ~ #',
  'ünïcödé \u2028 \u2029 \u{1f600} \ud800 \u0000 \u007f',
  '{slug} $& $1 %7B ../..',
  '</script><!--',
  '',
] as const;

/** Values of every kind, as keys and as values. */
const hostileBody = Object.fromEntries([
  ...HOSTILE.map((text, at) => [`field${at}`, text]),
  ...HOSTILE.map((text) => [text, { [text]: [text, null, true, false, -0.5, 1e21, 5e-324, [], {}] }]),
  ['constructor', 1],
]) as CallInput;

const post: OperationCall = { name: 'a.post', route: 'POST /api/{slug}/a', needsKey: true, answers: 'json' };
const get: OperationCall = { name: 'a.get', route: 'GET /api/{slug}/a', needsKey: false, answers: 'json' };

interface Case {
  readonly call: OperationCall;
  readonly input: CallInput;
}

const cases: readonly Case[] = [
  ...pages,
  { call: post, input: { slug: 'boiler', ...hostileBody } },
  { call: { ...post, answers: 'events' }, input: { slug: 'boiler', solver: HOSTILE[0], input: hostileBody } },
  ...HOSTILE.filter((text) => text !== '').map((text) => ({
    call: get,
    input: { slug: 'boiler', q: text, [text]: 'a' },
  })),
  // Of the path: what no URL can hold is left out, and so are names of folders.
  { call: get, input: { slug: HOSTILE[2].replaceAll('/', '') } },
  {
    call: { ...post, textBody: 'text' },
    input: { slug: 'boiler', text: HOSTILE.join('\n').replace('\u0000', '').replace('\ud800', '') },
  },
  { call: { ...get, answers: 'bytes' }, input: { slug: 'boiler' } },
  { call: { ...get, answers: 'text' }, input: { slug: 'boiler' } },
];

test('every operation has a snippet in four languages', () => {
  expect(pages.length).toBe(OPERATIONS.length);
  for (const { call, input } of pages) {
    const snippets = snippetsOf(call, input, ORIGIN);
    expect(Object.keys(snippets)).toEqual([...LANGUAGES]);
    for (const language of LANGUAGES)
      expect([call.name, language, snippets[language].length > 20]).toEqual([call.name, language, true]);
  }
});

describe('curl', () => {
  test('a shell passes the request that was meant, and nothing else', () => {
    const fake = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; printf '\\1'; }`;
    const script = cases.map(({ call, input }) => snippetsOf(call, input, ORIGIN).curl).join('\n');
    const { stdout, stderr, status } = spawnSync('/bin/sh', ['-s'], {
      input: `${fake}\n${script}`,
      encoding: 'utf8',
      env: { SVC_KEY: KEY, PATH: '/nowhere', HOME: '/nowhere' },
    });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const commands = stdout.split('\u0001').slice(0, -1);
    expect(commands.length).toBe(cases.length);
    for (const [at, { call, input }] of cases.entries()) {
      const sent = readCurl(commands[at]?.split('\0').slice(0, -1) ?? []);
      const meant = requestOf(call, input, ORIGIN);
      expect({ ...sent, body: sent.body && isJsonBody(meant.body) ? JSON.parse(sent.body) : sent.body }).toEqual({
        method: meant.method,
        url: meant.url,
        body: meant.body,
        key: call.needsKey ? `Bearer ${KEY}` : undefined,
      });
      expect(new URL(sent.url ?? '').origin).toBe(ORIGIN);
    }
  });
});

const isJsonBody = (body: unknown) => typeof body === 'object';

function readCurl(words: readonly string[]) {
  const rest = [...words];
  const headers = new Map<string, string>();
  let [method, url, body]: (string | undefined)[] = [];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-X') method = rest.shift();
    else if (word === '--data-raw') body = rest.shift();
    else if (word === '--output') expect(rest.shift()).toMatch(/^\w[\w.-]*$/);
    else if (word === '-H') {
      const [name = '', value = ''] = rest.shift()?.split(/: (.*)/s) ?? [];
      headers.set(name.toLowerCase(), value);
    } else if (!/^-sN?$/.test(word)) {
      expect(url).toBeUndefined();
      url = word;
    }
  }
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), url, body, key: headers.get('authorization') };
}

describe.skipIf(PYTHON === undefined)('Python', () => {
  test('the client gets the call that was meant, and the library of Python the request', () => {
    const driver = `
import json, os, sys, types, urllib.request
said = []
class Client:
    def __init__(self, url, key=None):
        said.append({"url": url, "key": key})
    def call(self, name, inputs=None):
        said[-1].update(name=name, inputs=inputs)
        return b""
    def solve(self, solver, inputs=None):
        return self.call(solver + ".solve", inputs)
class Opened:
    def __enter__(self): return iter([b"line"])
    def __exit__(self, *_): return None
def urlopen(request):
    body = None if request.data is None else request.data.decode()
    said.append({"url": request.full_url, "method": request.method, "body": body, "key": request.get_header("Authorization")})
    return Opened()
urllib.request.urlopen = urlopen
sys.modules["svc"] = types.SimpleNamespace(Client=Client)
snippets = json.load(sys.stdin)
shown, sys.stdout = sys.stdout, open(os.devnull, "w")
for snippet in snippets:
    exec(compile(snippet, "snippet", "exec"), {})
json.dump(said, shown)
`;
    const snippets = cases.map(({ call, input }) => snippetsOf(call, input, ORIGIN).python);
    const { stdout, stderr } = spawnSync(PYTHON ?? '', ['-c', driver], {
      input: JSON.stringify(snippets),
      encoding: 'utf8',
      env: { ...process.env, SVC_KEY: KEY, PYTHONIOENCODING: 'utf-8' },
    });
    expect(stderr).toBe('');
    const said = JSON.parse(stdout) as Record<string, unknown>[];
    expect(said.length).toBe(cases.length);
    for (const [at, { call, input }] of cases.entries()) {
      const { method, url, body } = requestOf(call, input, ORIGIN);
      if (call.answers !== 'events' && call.textBody === undefined) {
        const inputs = Object.keys(input).length === 0 ? null : input;
        const key = call.needsKey ? KEY : null;
        expect(said[at]).toEqual({ url: ORIGIN, key, name: call.name, inputs });
      } else {
        const sent = said[at]?.body;
        expect({ ...said[at], body: typeof sent === 'string' && isJsonBody(body) ? JSON.parse(sent) : sent }).toEqual({
          method,
          url,
          body: body ?? null,
          key: call.needsKey ? `Bearer ${KEY}` : null,
        });
      }
    }
  });
});

test('TypeScript: the client gets the call that was meant', async () => {
  const fetched: string[] = [];
  for (const { call, input } of cases) {
    const { typescript } = snippetsOf(call, input, ORIGIN);
    const calls: unknown[] = [];
    const client = {
      call: async (...said: unknown[]) => calls.push(said),
      open: async (...said: unknown[]) => {
        calls.push(said);
        return new Response('text');
      },
      stream: (...said: unknown[]) => {
        calls.push(said);
        return [];
      },
    };
    const createClient = (options: unknown) => {
      calls.push(options);
      return client;
    };
    const fetchText = async (url: string, options: { body: string }) => {
      fetched.push(url);
      calls.push(url, options.body);
      return new Response('text');
    };
    const body = typescript.replace(/^import \{ createClient \} from 'svc';\n/, '');
    const run = new AsyncFunction('createClient', 'fetch', 'process', 'console', body);
    await run(createClient, fetchText, { env: { SVC_KEY: KEY } }, { log: () => {} });
    const options = { url: ORIGIN, ...(call.needsKey ? { key: KEY } : {}) };
    if (call.textBody !== undefined) expect(calls).toEqual([requestOf(call, input, ORIGIN).url, input[call.textBody]]);
    else if (call.answers === 'events' && call.route.startsWith('POST'))
      expect(calls).toEqual([options, [input.solver, input.input ?? {}]]);
    else expect(calls).toEqual([options, [call.name, input]]);
  }
  expect(fetched.length).toBe(cases.filter(({ call }) => call.textBody !== undefined).length);
});

const AsyncFunction = (async () => {}).constructor as new (
  ...words: string[]
) => (...given: unknown[]) => Promise<unknown>;

test('a key __proto__ is a field in every language', () => {
  const input = JSON.parse('{"slug": "boiler", "inputs": {"__proto__": {"a": 1}}}') as CallInput;
  const { typescript } = snippetsOf(post, input, ORIGIN);
  const literal = /call\('a\.post', (.*)\);\nconsole/s.exec(typescript)?.[1] ?? '';
  const read = new AsyncFunction(`return JSON.stringify(${literal})`);
  return expect(read()).resolves.toBe(JSON.stringify(input));
});

test('MCP: the tool of the operation, or svc_http with its route, or why neither', () => {
  const counts = { own: 0, http: 0, none: 0 };
  for (const { call, input } of cases) {
    const { mcp } = snippetsOf(call, input, ORIGIN);
    if (call.tool === undefined && call.closedToTools !== undefined) {
      expect(mcp).toBe(`// ${call.closedToTools}`);
      counts.none++;
      continue;
    }
    const message = JSON.parse(mcp) as { method: string; params: { name: string; arguments: Record<string, unknown> } };
    expect(message.method).toBe('tools/call');
    const { name, arguments: given } = message.params;
    if (call.tool) {
      expect([call.name, name, given]).toEqual([call.name, call.tool.name, input]);
      counts.own++;
    } else {
      const { method, url, body } = requestOf(call, input, ORIGIN);
      const { pathname: path, searchParams } = new URL(url);
      const { query = {}, ...others } = given;
      expect(name).toBe('svc_http');
      expect(query).toEqual(Object.fromEntries(searchParams));
      const fields = typeof body === 'string' ? { text: body } : body;
      expect(others).toEqual({ method, path, ...(fields === undefined ? {} : { body: fields }) });
      counts.http++;
    }
  }
  expect(counts.own).toBe(pages.filter(({ call }) => call.tool).length);
  expect(counts.own).toBeGreaterThan(40);
  expect(counts.http).toBeGreaterThan(60);
  expect(counts.none).toBeGreaterThan(3);
});
