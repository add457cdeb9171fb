// CLI commands, run as processes against a running service.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readConfiguration } from '../../src/configuration.ts';
import { listen, type RunningService } from '../../src/server.ts';
import { findSolver } from '../../src/solvers/index.ts';
import { inMemory } from '../storage/migrated-database.ts';
import { svc, svcWithClosedStream } from './run-svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));
let service: RunningService;

beforeAll(async () => {
  service = await listen({
    configuration: readConfiguration({ PORT: '0' }),
    log: pino({ level: 'silent' }),
    ...(await inMemory()),
  });
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['--version', '-V'])('%s prints the version of the package', async (option) => {
  expect(await svc([option])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
});

test('a local solve prints value, uncertainty and plot, and states that it is not sealed', async () => {
  const { code, stdout, stderr } = await svc(['solve', 'heat', '--dim', '1', '--nx', '32']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^0\.0\d+ ± 0\.0\d+ T\n {2}± 100 % discretisation: /);
  expect(stdout).toContain('│');
  expect(stderr).toContain('not sealed');
});

test('what a service would not call converged is not, also here, with the reason', async () => {
  const { stdout } = await svc(['solve', 'gauge', '--sweeps', '200', '--dim', '3']);
  const [first] = stdout.split('\n');
  expect(first).toMatch(/not converged: The relative bound is 0\.\d+; at most 0\.001 is allowed\.$/);
  const bounded = await svc(['solve', 'gauge', '--sweeps', '200', '--dim', '3', '--json']);
  expect(JSON.parse(bounded.stdout)).toMatchObject({ converged: false });
});

test('--json prints only JSON on stdout', async () => {
  const { stdout } = await svc(['solve', 'heat', '--dim', '1', '--nx', '32', '--json']);
  const pure = JSON.parse(stdout);
  expect(pure).toMatchObject({
    solver: 'heat',
    revision: findSolver('heat')?.revision,
    runs: [expect.anything()],
    outcomes: [expect.anything()],
  });
  expect(pure.value).toBeCloseTo(pure.verification.reference, 5);
});

test('a receipt from a service verifies and replays offline, and a changed one does not', async () => {
  const receipt = join(folder, 'receipt.json');
  const sealed = await svc(['solve', 'heat', '--dim', '1', '--nx', '16', '--url', service.url, '--output', receipt]);
  expect(sealed.code).toBe(0);

  const jwks = join(folder, 'jwks.json');
  writeFileSync(jwks, JSON.stringify(service.services.keyRing.jwks()));
  expect(await svc(['verify', receipt, '--jwks', jwks])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^valid\n/),
  });
  const replayed = await svc(['replay', receipt, '--jwks', jwks]);
  expect(replayed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^valid, bits equal\n/) });

  const envelope = JSON.parse(readFileSync(receipt, 'utf8'));
  const series = envelope.series[1];
  series.data[3] += 1e-16;
  const changed = join(folder, 'changed.json');
  writeFileSync(changed, JSON.stringify(envelope));
  const refused = await svc(['replay', changed]);
  expect(refused).toMatchObject({ code: 4, stdout: expect.stringMatching(/^NOT VALID\n/) });
  expect(refused.stdout).toContain(
    `✗ statement — The signed statement matches this receipt (The numbers of ${series.name} `,
  );
  // The sealed hash of the numbers is unchanged, and the kernel still gives it.
  expect(refused.stdout).toContain('✓ answer');
});

test('numbers of solvers take units of their dimension; other locales are asked about, not guessed', async () => {
  const solve = (...args: string[]) => svc(['solve', 'heat', '--dim', '1', '--nx', '16', '--json', ...args]);
  const [plain, withUnit] = [await solve('--lx', '0.36'), await solve('--lx', '36cm')];
  expect([withUnit.code, withUnit.stdout]).toEqual([0, plain.stdout]);
  const refused = async (args: string[]) => {
    const { code, stderr } = await svc(args);
    return [code, stderr.trimEnd()];
  };
  const mass = 'lx is "5 kg"; a number in m is expected, and kg cannot be converted to that.';
  expect(await refused(['solve', 'heat', '--lx', '5 kg'])).toEqual([2, `VALIDATION_FAILED ${mass}`]);
  for (const text of ['m=1,5kg', 'm=1 000kg', "m=1'000kg", 'm=1.234,5 kg'])
    expect(await refused(['compute', 'CM', text, 'v=3'])).toEqual([
      2,
      expect.stringContaining('a decimal comma or grouped digits. Write m=1234.5,'),
    ]);
  const preset = ['heat/hot-spot-on-a-plate', '--no-plot'];
  const [named, listed] = [await svc(['run', `presets/${preset[0]}`, '--no-plot']), await svc(['run', ...preset])];
  expect([named.code, named.stdout]).toEqual([0, listed.stdout]);
});

test('compute accepts units and uncertainties and runs locally', async () => {
  const { code, stdout, stderr } = await svc(['compute', 'qm', 'n=3', 'm=9.1093837139e-31', 'L=2.5±0.05 nm']);
  expect(code).toBe(0);
  // The energy goes with L^-2: 2 · 0.05 / 2.5 of 8.68e-20.
  expect(stdout).toMatch(
    /^8\.68e-20 ± 0\.69e-20 J\n {2}± 100 % inputs: given for L, first order\n {2}± < 1 % rounding: .*\nchecked by /,
  );
  expect(stdout).toContain('E = 3^2*pi^2*');
  expect(stdout).toContain('uses n, m, L');
  expect(stderr).toContain('not sealed');
});

test('compute refuses a tie, takes the unit or the question, and prints what else fits', async () => {
  const car = ['compute', 'CM', 'm=1200kg', 'v=90km/h'];
  const tie = await svc(car);
  expect([tie.code, tie.stdout]).toEqual([2, '']);
  expect(tie.stderr).toContain('OPERATOR_AMBIGUOUS The given keys fit 2 laws of Classical Mechanics: CM9');
  const inUnit = await svc([...car, '--as', 'MJ']);
  expect(inUnit.stdout).toMatch(/^0\.375 ± \S+ MJ\n/);
  const asked = await svc([...car, '--query', 'kinetic energy of a car']);
  expect(asked.stdout).toMatch(/^375000 ± \S+ J\n/);
  expect(asked.stdout).toContain('CM9, Translational kinetic energy: uses m, v; the question means it');
  expect(asked.stdout).toContain('the inputs also fit CM11');
});

test('compute with a service gives a receipt that replays offline from its own definitions', async () => {
  const receipt = join(folder, 'computed.json');
  const box = ['compute', 'QM', 'n=3', 'm=9.1093837139e-31', 'L=2.5e-9', '--operators', 'QM5'];
  const sealed = await svc([...box, '--url', service.url, '--output', receipt]);
  expect([sealed.code, sealed.stderr]).toEqual([0, expect.stringContaining('sealed at tick')]);
  const jwks = join(folder, 'computed-jwks.json');
  writeFileSync(jwks, JSON.stringify(service.services.keyRing.jwks()));
  expect((await svc(['replay', receipt, '--jwks', jwks])).stdout).toMatch(/^valid, bits equal\n/);
  const envelope = JSON.parse(readFileSync(receipt, 'utf8'));
  envelope.definitions[1].constants.hbar.value *= 2;
  writeFileSync(receipt, JSON.stringify(envelope));
  const changed = await svc(['replay', receipt, '--jwks', jwks]);
  expect(changed).toMatchObject({ code: 4, stdout: expect.stringMatching(/^NOT VALID\n {2}first difference: runs/) });
  expect(changed.stdout).toContain('This version registers another QM5: Particle-in-a-box eigenenergy');
  expect(changed.stdout).toContain('No registry of this project has held this definition of QM5.');
});

test('compute reports gate rejections, malformed or duplicate quantities and unknown domains', async () => {
  const gate = await svc(['compute', 'QM', '--operators', 'QM5', 'n=1', 'm=1e-30', 'L=1e-9', 'colour=3']);
  expect([gate.code, gate.stdout]).toEqual([
    4,
    expect.stringMatching(/^NaN {2}QM5 takes no colour\naccepted inputs:\n/),
  ]);
  const text = await svc(['compute', 'QM', 'n=three']);
  expect([text.code, text.stderr]).toEqual([2, expect.stringContaining('n=three is not a quantity')]);
  const twice = await svc(['compute', 'QM', 'n=1', 'n=2']);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('n is given twice')]);
  const domain = await svc(['compute', 'Alchemy', 'n=1']);
  expect([domain.code, domain.stderr]).toEqual([2, expect.stringContaining('DOMAIN_UNKNOWN')]);
});

test('an unknown kernel is reported as unavailable, not as differing bits', async () => {
  const receipt = join(folder, 'unknown-kernel.json');
  await svc(['solve', 'heat', '--dim', '1', '--nx', '16', '--url', service.url, '--output', receipt]);
  const envelope = JSON.parse(readFileSync(receipt, 'utf8'));
  writeFileSync(receipt, JSON.stringify({ ...envelope, kernel_sha256: '0'.repeat(64) }));
  const { code, stderr } = await svc(['replay', receipt]);
  expect(code).toBe(4);
  expect(stderr).toContain('KERNEL_UNAVAILABLE');
});

test('a misspelt option is a usage error with a suggestion', async () => {
  const { code, stderr } = await svc(['solve', 'heat', '--nxx', '3']);
  expect(code).toBe(2);
  expect(stderr).toContain('--nx');
});

test('a value out of range fails with field and range', async () => {
  const { code, stderr } = await svc(['solve', 'heat', '--nx', '4']);
  expect(code).toBe(2);
  expect(stderr).toContain('nx is 4; at least 8 is allowed.');
});

test('numbers are decimal, with an exponent only where real numbers are allowed', async () => {
  for (const nx of ['0x40', '0b11', ' 64 ', ''])
    expect(await svc(['solve', 'heat', '--dim', '1', '--nx', nx])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`nx is ${JSON.stringify(nx)}; number is expected.`),
    });
  expect((await svc(['solve', 'heat', '--dim', '1', '--nx', '16', '--dt', '1e-4'])).code).toBe(0);
  for (const args of [
    ['tail', 'x', '--since', '0x1'],
    ['machine', 'validate', 'x', '--from', '1e3'],
    ['machine', 'validate', 'x', '--to', ''],
  ])
    expect(await svc(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('Use a whole number.') });
});

test('an unstable scheme fails with UNSTABLE_SCHEME', async () => {
  const { code, stderr } = await svc([
    'solve',
    'heat',
    '--method',
    'explicit',
    '--dim',
    '1',
    '--nx',
    '64',
    '--dt',
    '1',
  ]);
  expect(code).toBe(4);
  expect(stderr).toContain('UNSTABLE_SCHEME');
});

test('a bad key is an authentication failure', async () => {
  const { code, stderr } = await svc(['solve', 'heat', '--url', service.url], { SVC_KEY: 'svc_ak_nonsense' });
  expect(code).toBe(3);
  expect(stderr).toContain('KEY_INVALID');
});

test('an unreachable service is reported', async () => {
  const { code, stderr } = await svc(['pulse', '--url', 'http://127.0.0.1:9']);
  expect(code).toBe(1);
  expect(stderr).toContain('Cannot connect to http://127.0.0.1:9');
});

test('an invalid URL is a usage error with an example', async () => {
  for (const url of ['notaurl', 'localhost:8787', 'ftp://127.0.0.1']) {
    const { code, stderr } = await svc(['pulse', '--url', url]);
    expect(code).toBe(2);
    expect(stderr).toContain(`'${url}' is invalid. Use a URL such as http://127.0.0.1:8787.`);
  }
});

test('the exit code is correct even when the reader closed the stream', async () => {
  const validFile = join(folder, 'closed.json');
  const invalidFile = join(folder, 'closed-invalid.json');
  await svc(['solve', 'heat', '--dim', '1', '--nx', '16', '--url', service.url, '--output', validFile]);
  const keys = join(folder, 'closed-jwks.json');
  writeFileSync(keys, JSON.stringify(service.services.keyRing.jwks()));
  const pinned = ['--jwks', keys];
  const receipt = JSON.parse(readFileSync(validFile, 'utf8'));
  writeFileSync(invalidFile, JSON.stringify({ ...receipt, value: receipt.value + 1 }));
  expect(await svcWithClosedStream(['verify', validFile, ...pinned], 'stdout')).toBe(0);
  expect(await svcWithClosedStream(['verify', invalidFile, ...pinned], 'stdout')).toBe(4);
  expect(await svcWithClosedStream(['verify', validFile], 'stdout')).toBe(5);
  expect(await svcWithClosedStream(['verify', validFile, ...pinned], 'stderr')).toBe(0);
});

test('malformed and missing files are reported', async () => {
  const garbage = join(folder, 'garbage.json');
  writeFileSync(garbage, 'not json');
  expect((await svc(['verify', garbage])).stderr).toContain('is not JSON');
  expect((await svc(['replay', join(folder, 'missing.json')])).code).toBe(2);
  writeFileSync(garbage, '{}');
  expect((await svc(['replay', garbage])).stderr).toContain('An envelope names its solver.');
  writeFileSync(garbage, (await svc(['solve', 'heat', '--dim', '1', '--nx', '16', '--json'])).stdout);
  expect((await svc(['replay', garbage])).stderr).toContain('This is a result without a seal');
});

test('keys are minted, created, listed and revoked', async () => {
  const { key: admin } = await service.services.keys.openAccount({
    name: 'test',
    scope: 'admin',
    rate_limit_tier: 'free',
  });
  const env = { SVC_KEY: admin, SVC_URL: service.url };
  expect((await svc(['keys', 'mint', '--url', service.url])).stdout).toMatch(/^svc_ak_demo_\w+\n$/);
  const created = await svc(['keys', 'create', 'lab', '--scope', 'read'], env);
  expect(created.stdout).toMatch(/^svc_ak_\w+\n$/);
  const rows = JSON.parse((await svc(['keys', 'list', '--json'], env)).stdout) as { id: string; name: string }[];
  const lab = rows.find((row) => row.name === 'lab');
  expect((await svc(['keys', 'revoke', lab?.id ?? ''], env)).code).toBe(0);
  expect((await svc(['keys', 'list'], { ...env, SVC_KEY: created.stdout.trim() })).code).toBe(3);
});

test('pulse prints an increasing tick', async () => {
  const read = async () => JSON.parse((await svc(['pulse', '--url', service.url, '--json'])).stdout).svcond as number;
  const first = await read();
  await expect.poll(read).toBeGreaterThan(first);
});

test('unified with operators gives the same value locally and on a service', async () => {
  const vars = 'n = 3; m = 9.1093837139e-31; L = 2.5e-9; h = 6.62607015e-34';
  const command = [
    'solve',
    'unified',
    '--operators',
    'QM5',
    '--equations',
    'nu = E/h',
    '--units',
    'h = J*s',
    '--vars',
    vars,
  ];
  const valueIn = async (...more: string[]) => {
    const { code, stdout, stderr } = await svc([...command, ...more, '--json']);
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { value: number }).value;
  };
  const local = await valueIn();
  // E/h with E from mpmath: 8.675521047412691e-20 J.
  expect(Math.abs(local / (8.675521047412691e-20 / 6.62607015e-34) - 1)).toBeLessThan(1e-14);
  expect(await valueIn('--url', service.url)).toBe(local);
  expect(await svc(['solve', 'unified', '--operators', 'QM999'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean QM9?'),
  });
});

/** URLs of the modules that a call loads, those of Node left out. */
async function modulesOf(...args: readonly string[]): Promise<string[]> {
  const log =
    "require('node:module').registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) })";
  const hook = join(folder, 'log-modules.cjs');
  writeFileSync(hook, log);
  const { stderr } = await svc(args, { NODE_OPTIONS: `--require=${hook}` });
  return stderr.split('\n').filter((line) => line.startsWith('file:'));
}

test('a command that starts no service loads no module of one', async () => {
  const loaded = await modulesOf('operators', 'list');
  expect(loaded).toContainEqual(expect.stringMatching(/\/src\/cli\/main\.ts$/));
  expect(loaded.filter((url) => /\/(knex|pg|pglite|koa|ws)\/|\/src\/(storage|http)\//.test(url))).toEqual([]);
});

test('presets are listed, run by name, and changed by options', async () => {
  const { stdout } = await svc(['run']);
  const names = stdout.split('\n').flatMap((line) => line.split('  ', 1).filter((name) => name.includes('/')));
  expect(names.length).toBeGreaterThan(200);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]+\/[a-z0-9-]{3,}$/.test(name))).toEqual([]);
  expect((await svc(['run', 'heat'])).stdout).toContain('heat/step-that-melts-away  Step that melts away');
  const run = await svc(['run', 'heat/step-that-melts-away', '--nx', '32', '--json']);
  const solve = await svc(['solve', 'heat', '--dim', '1', '--mode', 'step', '--nx', '32', '--json']);
  expect(JSON.parse(run.stdout)).toEqual(JSON.parse(solve.stdout));
  const misspelt = await svc(['run', 'heat/step-that-melt-away']);
  expect(misspelt.stderr).toContain('Did you mean heat/step-that-melts-away?');
  expect((await svc(['run', 'heat/step-that-melts-away', '--nxx', '3'])).stderr).toContain('--nxx');
});

test('a command loads its own modules only: clients neither solvers nor laws, and no schema of an operation', async () => {
  const loaded = await modulesOf('machine', 'list', '--url', service.url);
  expect(loaded).toContainEqual(expect.stringMatching(/\/src\/cli\/machines\.ts$/));
  expect(loaded.filter((one) => /\/src\/(solvers|operators|contracts|protocol)\//.test(one))).toEqual([]);
  expect(loaded.filter((one) => one.includes('/node_modules/zod/'))).toEqual([]);
  expect((await modulesOf('--version')).filter((one) => one.includes('/src/')).length).toBeLessThan(30);
});

test('help of one command, and a suggestion for a misspelt one', async () => {
  expect((await svc(['help', 'keys'])).stdout).toMatch(/^Usage: svc keys /);
  const misspelt = await svc(['sovle']);
  expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean solve?') });
});

test('help lists every command', async () => {
  const { code, stdout } = await svc(['--help']);
  expect(code).toBe(0);
  for (const command of ['serve', 'pulse', 'solve', 'verify', 'replay', 'keys']) expect(stdout).toContain(command);
});
