// CLI commands for machines, contracts, bundles and fsck, run as processes against a service with a data folder.

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
import { listen, type RunningService } from '../../src/server.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { ECHO } from '../http/machine-fixture.ts';
import { migratedDump } from '../storage/migrated-database.ts';
import { SVC, svc } from './run-svc.ts';

// Each command starts a process, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const folder = mkdtempSync(join(tmpdir(), 'svc-chain-'));
const data = join(folder, 'data');
const localEnv = { SVC_DATA: data, DATABASE_URL: '' };
let service: RunningService | undefined;
let key = '';

const start = async () =>
  listen({
    configuration: readConfiguration({ PORT: '0', SVC_DATA: data }),
    log: pino({ level: 'silent' }),
    template: await migratedDump(),
  });
const run = (...args: string[]) => svc([...args, '--url', service?.url ?? ''], key === '' ? {} : { SVC_KEY: key });
/** Runs a command that must succeed and parses its JSON output. */
const runJson = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect([args, code, stderr]).toEqual([args, 0, '']);
  return JSON.parse(stdout);
};

beforeAll(async () => {
  service = await start();
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('machines are created, shown and listed', async () => {
  const created = await run('machine', 'spin-up', 'boiler', '--public');
  expect(created).toMatchObject({ code: 0, stderr: expect.stringContaining('not shown again') });
  expect(created.stdout).toMatch(/^boiler\nkey svc_ak_\S+\nzid [0-9a-f]{32}\n/);
  key = /^key (\S+)$/m.exec(created.stdout)?.[1] ?? '';
  const shown = await run('machine', 'show', 'boiler');
  expect(shown.stdout).toMatch(/^boiler {2}boiler {2}active, public\n {2}id {7}[0-9a-f]{64}\n/);
  const listed = await runJson('machine', 'list');
  expect(listed.rows).toEqual([expect.objectContaining({ slug: 'boiler', role: 'owner' })]);
  expect(await run('machine', 'show', 'missing')).toMatchObject({ code: 2, stdout: '' });
});

test('contracts are deployed from a template or a file, fired, paused and resumed', async () => {
  const templates = await run('contract', 'templates');
  expect(templates.stdout).toContain('rate-limiter');
  const limiter = await runJson(
    'contract',
    'deploy',
    'boiler',
    'rate-limiter',
    '--parameter',
    'threshold=2',
    'within=5',
  );
  expect(limiter.contract).toMatchObject({ parameters: { threshold: 2, within: 5 } });
  const file = join(folder, 'echo.json');
  writeFileSync(file, JSON.stringify(ECHO));
  const { contract } = await runJson('contract', 'deploy', 'boiler', file, '--name', 'the echo');
  expect(contract).toMatchObject({ name: 'the echo', currentState: 'idle' });
  const fired = await run('contract', 'fire', 'boiler', contract.id, 'answer', '--payload', '{"n": 3}');
  expect(fired).toMatchObject({ code: 0, stdout: expect.stringMatching(/^idle → idle by answer, row \d+\n$/) });
  expect((await run('contract', 'fire', 'boiler', contract.id, 'nothing')).code).toBe(4);
  expect((await run('contract', 'pause', 'boiler', contract.id)).stdout).toContain('paused');
  expect((await run('contract', 'resume', 'boiler', contract.id)).stdout).toContain('active');
  expect((await run('contract', 'show', 'boiler', contract.id)).stdout).toMatch(
    /row \d+, tick \d+: idle → idle by answer/,
  );
  const renamed = join(folder, 'renamed.json');
  const map = join(folder, 'map.json');
  const states = { waiting: { role: 'initial' }, done: ECHO.states.done };
  const transitions = ECHO.transitions.map((one) => ({
    ...one,
    from: 'waiting',
    to: one.to === 'idle' ? 'waiting' : one.to,
  }));
  writeFileSync(renamed, JSON.stringify({ ...ECHO, version: '2.0', initial: 'waiting', states, transitions }));
  writeFileSync(map, JSON.stringify({ states: { idle: 'waiting' } }));
  const patch = ['contract', 'patch', 'boiler', contract.id, renamed];
  expect((await svc(['contract', 'diff', file, renamed])).stdout).toContain('needs a map: idle\n');
  expect(await run(...patch)).toMatchObject({ stderr: expect.stringContaining('map it with migrate.states') });
  expect((await run(...patch, '--migrate', map, '--preview')).stdout).toBe('state idle → waiting\n');
  expect((await run(...patch, '--migrate', map, '--if-version', '1')).stdout).toBe('version 2, waiting\n');
  expect((await runJson('contract', 'list', 'boiler')).rows).toHaveLength(2);
  expect((await runJson('machine', 'events', 'boiler')).rows).toEqual([expect.objectContaining({ name: 'pong' })]);
  expect(await run('contract', 'deploy', 'boiler', 'rate-limiter', '--parameter', 'x')).toMatchObject({ code: 2 });
  expect(await run('contract', 'deploy', 'boiler', 'nosuch')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/There is no template nosuch\. The nearest are [a-z-]+, [a-z-]+, [a-z-]+\.\n$/),
  });
});

test('the service validates the whole chain', async () => {
  const { code, stdout } = await run('machine', 'validate', 'boiler');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^valid\n {2}\d+ rows checked\n/)]);
});

test('tail prints each row once, from --since on', async () => {
  const all = await run('tail', 'boiler', '--since', '0', '--count', '4', '--json');
  expect(
    all.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).seq),
  ).toEqual([1, 2, 3, 4]);
  expect((await run('tail', 'missing')).code).toBe(2);
  expect(await run('tail', 'boiler', '--type', 'evnt')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/type is "evnt"; one of genesis, event, .* is expected, perhaps event\./),
  });
});

test('tail reports that it is connected and then prints new rows', async () => {
  const { seq } = (await runJson('machine', 'show', 'boiler')).machine.head;
  const output: string[] = [];
  const child = spawn(process.execPath, [SVC, 'tail', 'boiler', '--count', '1', '--url', service?.url ?? '']);
  child.stdout.on('data', (chunk) => output.push(`out ${chunk}`));
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk) => {
      output.push(`err ${chunk}`);
      resolve();
    });
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const sent = await fetch(`${service?.url}/api/chain/boiler/event`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'heated', payload: { to: 90 } }),
  });
  expect([sent.status, await ended]).toEqual([201, 0]);
  expect(output[0]).toBe(`err following boiler after row ${seq}; press Ctrl-C to stop\n`);
  expect(output.slice(1).join('')).toMatch(new RegExp(`^out ${seq + 1}  \\d+  event  \\{.*"heated".*\\}\n$`));
});

test('tail resumes after the service restarts', async () => {
  const url = new URL(service?.url ?? '');
  const child = spawn(process.execPath, [SVC, 'tail', 'boiler', '--since', '0', '--json', '--url', url.href], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const received: number[] = [];
  let rest = '';
  const until = (done: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => done() && resolve();
      child.stdout.on('data', check);
      check();
    });
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    received.push(...lines.map((line) => JSON.parse(line).seq));
  });
  try {
    await until(() => received.length >= 5);
    await service?.close();
    service = await listen({
      configuration: readConfiguration({ PORT: url.port, SVC_DATA: data }),
      log: pino({ level: 'silent' }),
    });
    const head = (await runJson('machine', 'show', 'boiler')).machine.head.seq;
    const more = await fetch(`${url.href}api/chain/boiler/event`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"name":"after"}',
    });
    expect(more.status).toBe(201);
    await until(() => received.includes(head + 1));
    expect(received).toEqual(Array.from(received, (_, i) => i + 1));
  } finally {
    child.kill();
  }
});

test('a bundle verifies offline, and a changed one does not', async () => {
  const file = join(folder, 'boiler.json');
  expect(await run('bundle', 'boiler', '-o', file)).toMatchObject({ code: 0, stdout: '' });
  const jwks = join(folder, 'jwks.json');
  writeFileSync(jwks, JSON.stringify(service?.services.keyRing.jwks()));
  const checked = await svc(['verify', file, '--jwks', jwks]);
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^valid/) });
  expect(checked.stdout).toContain('✓ key pinned');
  const unknown = await svc(['verify', file]);
  expect(unknown).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/^signed by an unknown key 127\.0\.0\.1:\d+\/m\/boiler\+\S+/),
  });
  expect(JSON.parse((await svc(['verify', file, '--json'])).stdout)).toMatchObject({ valid: false });
  const changed = join(folder, 'changed.json');
  writeFileSync(changed, readFileSync(file, 'utf8').replace('\\"n\\":3', '\\"n\\":4'));
  const refused = await svc(['verify', changed, '--jwks', jwks]);
  expect(refused).toMatchObject({
    code: 4,
    stdout: expect.stringContaining('has a payload that does not match its commitment'),
  });
  expect((await svc(['verify', changed, '--json'])).stdout).toContain('"valid": false');
});

test('a receipt is bundled with its kernel and replayed from that file', async () => {
  const receipt = join(folder, 'receipt.json');
  const bundle = join(folder, 'receipt-bundle.json');
  await svc(['solve', 'heat', '--dim', '1', '--nx', '16', '--url', service?.url ?? '', '--output', receipt]);
  expect((await svc(['bundle', receipt, '-o', bundle])).code).toBe(0);
  const jwks = join(folder, 'jwks.json');
  writeFileSync(jwks, JSON.stringify(service?.services.keyRing.jwks()));
  const checked = await svc(['verify', bundle, '--jwks', jwks]);
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^valid, bits equal\n/) });
  for (const claim of ['kernel', 'plan', 'answer', 'stamps', 'laws']) expect(checked.stdout).toContain(`✓ ${claim} — `);
  expect(await svc(['verify', bundle])).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/^signed by an unknown key [\w-]{43}, bits equal\n/),
  });
  const other = JSON.parse(readFileSync(bundle, 'utf8'));
  other.kernel.wasm = `${other.kernel.wasm.slice(0, -8)}${other.kernel.wasm.at(-8) === 'A' ? 'B' : 'A'}${other.kernel.wasm.slice(-7)}`;
  writeFileSync(bundle, JSON.stringify(other));
  expect(await svc(['verify', bundle])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('kernel.wasm has the hash'),
  });
});

test('fsck reports a planted fault; it rejects a database that is in use or missing', async () => {
  expect(await svc(['fsck'], localEnv)).toMatchObject({ code: 1, stderr: expect.stringContaining('STORAGE_LOCKED') });
  const seal = join(folder, 'seal.json');
  writeFileSync(seal, await (await fetch(`${service?.url}/api/chain/seal`)).text());
  await service?.close();
  service = undefined;
  const clean = await svc(['fsck', '--seal', seal], localEnv);
  expect(clean).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^no faults in \d+ rows of \d+ machines\n$/),
    stderr: '',
  });

  writeFileSync(join(folder, 'no-seal.json'), '{}');
  const refused = await svc(['fsck', '--seal', join(folder, 'no-seal.json')], localEnv);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('neither a seal') });

  const record = join(folder, 'clean.json');
  const whole = await svc(['fsck', '--since', record], localEnv);
  expect(whole.stdout).toMatch(/^no faults in \d+ rows of \d+ machines; 0 have not changed since the run in /);
  const again = JSON.parse((await svc(['fsck', '--since', record, '--json'], localEnv)).stdout);
  expect(again).toMatchObject({ intact: true, recorded: true });
  expect(again.unchanged).toBeGreaterThan(0);
  // The machine of the node is always checked.
  expect(again.machines - again.unchanged).toBeLessThan(2);
  const recorded = readFileSync(record, 'utf8');
  writeFileSync(join(folder, 'forged.json'), recorded.replace(/"[0-9a-f]{64}"/, `"${'0'.repeat(64)}"`));
  const forged = await svc(['fsck', '--since', join(folder, 'forged.json')], localEnv);
  expect(forged).toMatchObject({ code: 2, stderr: expect.stringContaining('has not the MAC of this master key') });
  expect((await svc(['fsck', '--since', record, '--machine', 'boiler'], localEnv)).code).toBe(2);

  service = await start();
  await rows(service.storage.database.knex, 'delete from node_seal');
  await rows(service.storage.database.knex, `update contract set fire_count = fire_count + 1 where name = 'the echo'`);
  await service.close();
  service = undefined;
  const found = await svc(['fsck', '--seal', seal, '--json'], localEnv);
  expect(found.code).toBe(4);
  expect(JSON.parse(found.stdout)).toMatchObject({
    intact: false,
    signatures: true,
    faults: expect.arrayContaining([
      expect.objectContaining({ machine: 'boiler', table: 'contract', column: 'fire_count', code: 'STATE' }),
      expect.objectContaining({ table: 'node_seal', code: 'GAP', message: expect.stringContaining('The given seal') }),
    ]),
  });
  const since = await svc(['fsck', '--since', record], localEnv);
  expect(since).toMatchObject({ code: 4, stderr: expect.stringContaining('was not written') });
  expect(readFileSync(record, 'utf8')).toBe(recorded);
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  expect((await svc(['fsck'], { ...localEnv, SVC_DATA: join(folder, 'nothing') })).code).toBe(2);
});
