// The snippets of the API reference, run against a service.

import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { referenceOf } from '../../scripts/portal/reference/operation-pages.ts';
import { createClient } from '../../src/client/client.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import type { OperationPage } from '../../src/portal/reference/operation-page.ts';
import { type Language, snippetsOf } from '../../src/portal/reference/snippets.ts';
import { PYTHON, python } from '../python/python.ts';
import { startService } from './service-fixture.ts';

const service = await startService();
const { url } = service.running;
const pages = referenceOf(OPERATIONS).pages;

const snippet = ({ call, input }: OperationPage, language: Language) => snippetsOf(call, input, url)[language];

/** Operations with a key that end at once. */
const WITH_KEY = [
  'compute.run',
  'proof.verify',
  'contract.check',
  'contract.generate',
  'auto.run',
  'run.list',
  'heat.solve',
];

const publicReads = [...pages.values()].filter(
  ({ link, call }) => link.access === 'public' && link.method === 'GET' && call.answers !== 'events',
);
/** Their examples name what exists. */
const answered = publicReads.filter(({ madeUp }) => madeUp.length === 0);
const unanswered = publicReads.filter(({ madeUp }) => madeUp.length > 0);
const named = (name: string): OperationPage => {
  const page = pages.get(name);
  if (page === undefined) throw new Error(`There is no page of ${name}.`);
  return page;
};

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.log('curl is not installed; the tests of its examples in the API reference are skipped');

describe.skipIf(!hasCurl)('curl', () => {
  test('public reads whose examples exist are answered', async () => {
    expect(answered.length).toBeGreaterThan(20);
    for (const page of answered) {
      const { status, body } = await shell(snippet(page, 'curl'));
      expect([page.link.name, status, body.slice(0, 60)]).toEqual([
        page.link.name,
        200,
        expect.not.stringContaining('"ok":false'),
      ]);
    }
  });

  test('public reads whose examples are made up find their route, and nothing there', async () => {
    expect(unanswered.length).toBeGreaterThan(10);
    for (const page of unanswered) {
      const { status, body } = await shell(snippet(page, 'curl').replace(/ \\\n {2}--output \S+$/, ''));
      expect([page.link.name, status]).toEqual([page.link.name, expect.toBeOneOf([200, 404, 409])]);
      if (status !== 200)
        expect([page.link.name, JSON.parse(body).error]).toEqual([
          page.link.name,
          expect.not.stringContaining('No route'),
        ]);
    }
  });

  test.each(WITH_KEY)('%s is answered with the key of SVC_KEY, and refused without', async (name) => {
    const command = snippet(named(name), 'curl');
    const { status, body } = await shell(command, service.keys.write);
    expect([status, JSON.parse(body).ok]).toEqual([200, true]);
    expect((await shell(command, '')).status).toBe(401);
  });
});

/** Runs a command and returns the status and the body of its answer. */
async function shell(command: string, key = '') {
  const script = `curl() { command curl --noproxy '*' -w '\\n%{http_code}' "$@"; }\n${command}`;
  const child = spawn('/bin/sh', ['-c', script], { env: { ...process.env, SVC_KEY: key } });
  const [shown, faults] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(faults).toBe('');
  const at = shown.lastIndexOf('\n');
  return { status: Number(shown.slice(at + 1)), body: shown.slice(0, at) };
}

test.each([...WITH_KEY, 'pulse.read', 'operator.get', 'kernel.markdown', 'auto.read'])(
  '%s: the snippet for TypeScript shows an answer',
  async (name) => {
    const shown: unknown[] = [];
    const body = snippet(named(name), 'typescript').replace(/^import .*\n/, '');
    const run = new AsyncFunction('createClient', 'process', 'console', body);
    await run(createClient, { env: { SVC_KEY: service.keys.write } }, { log: (one: unknown) => shown.push(one) });
    expect(shown).toEqual([
      typeof shown[0] === 'string' ? expect.stringContaining('svc') : expect.objectContaining({ ok: true }),
    ]);
  },
);

const AsyncFunction = (async () => {}).constructor as new (
  ...words: string[]
) => (...given: unknown[]) => Promise<unknown>;

describe.skipIf(PYTHON === undefined)('Python', () => {
  test('snippets with the client show answers', async () => {
    const names = ['pulse.read', 'operator.get', 'kernel.markdown', 'compute.run', 'heat.solve', 'contract.check'];
    const lines = names.map((name) => snippet(named(name), 'python'));
    const start = `import os\nos.environ["SVC_KEY"] = ${JSON.stringify(service.keys.write)}\n`;
    const { code, stdout, stderr } = await python(['-c', start + lines.join('\n')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').length).toBeGreaterThan(names.length);
  });

  test('a snippet with the library of Python reads a stream to its end', async () => {
    const start = `import os\nos.environ["SVC_KEY"] = ${JSON.stringify(service.keys.write)}\n`;
    const { code, stdout, stderr } = await python(['-c', start + snippet(named('solve.stream'), 'python')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/^event: \w+$/gm)).toEqual(expect.arrayContaining(['event: begin', 'event: result']));
  });
});

test.each([...WITH_KEY, 'pulse.read', 'operator.get', 'machine.list'])(
  '%s: the message for MCP is answered without an error',
  async (name) => {
    const answer = await service.call('POST /api/mcp', {
      as: 'write',
      body: snippet(named(name), 'mcp'),
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect(answer.status).toBe(200);
    const data = answer.text.startsWith('{') ? answer.text : (/^data: (\{.*)$/m.exec(answer.text)?.[1] ?? '');
    const { result } = JSON.parse(data) as { result?: { isError?: boolean; structuredContent?: unknown } };
    expect([name, result?.isError ?? false]).toEqual([name, false]);
    expect(result?.structuredContent).toMatchObject({ ok: true });
  },
);
