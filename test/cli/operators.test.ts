// svc operators, run as a process without a service.

import { expect, test } from 'vitest';
import { operatorList, operatorRecord, searchResults } from '../../src/operations/compute/operators.ts';
import { svc } from './run-svc.ts';

/** No service listens here, so a command that calls one fails. */
const UNREACHABLE = { SVC_URL: 'http://127.0.0.1:9' };
const operators = (...args: string[]) => svc(['operators', ...args], UNREACHABLE);

test('find prints id, name, domain, equation and inputs', async () => {
  const { code, stdout, stderr } = await operators('find', 'black', 'scholes', '--limit', '1');
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'BLACK_SCHOLES  Black-Scholes European option price  Quantitative Finance',
    '    V = phi*(S*normcdf(phi*d1) - K*exp(-r*T)*normcdf(phi*d2))  [USD]',
    '    inputs: S [USD], K [USD], r [1/yr], sig [yr^-1/2], T [yr], phi=1 [1]',
    '',
  ]);
  expect(stderr).toMatch(/^1 of \d+; show more with --limit\n$/);
});

test('find reports corrected terms and missing results on stderr', async () => {
  const misspelt = await operators('find', 'oscilator');
  expect(misspelt.stdout).toMatch(/oscillator/i);
  expect(misspelt.stderr).toMatch(/searching for oscillator.* instead of oscilator/);
  expect(await operators('find', 'qqqqqq')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^no operators found/),
  });
});

test('show prints ranges, defaults, constants with their source, and examples that run', async () => {
  const { code, stdout } = await operators('show', 'qm5');
  expect(code).toBe(0);
  for (const line of [
    'QM5  Particle-in-a-box eigenenergy  Quantum Mechanics, tier 1',
    '  L  width of the box: a finite number from 1e-18 up to 1 [m]',
    '  hbar = 1.0545718176461565e-34 [J*s]  CODATA 2022, reduced Planck constant',
  ])
    expect(stdout.split('\n')).toContain(line);
  expect((await operators('show', 'BLACK_SCHOLES')).stdout).toContain('[1], default 1');

  const [, command = '', expected = ''] = /svc (compute QM .*?) {3}→ (\S+) J/.exec(stdout) ?? [];
  const computed = await svc([...command.split(' '), '--json']);
  expect(JSON.parse(computed.stdout).value).toBeCloseTo(Number(expected), 30);
});

test('list prints all domains, or the operators of one domain', async () => {
  const all = await operators('list');
  expect(all.stdout.trimEnd().split('\n')).toHaveLength(67);
  expect(all.stdout).toMatch(/^QM +28 {2}Quantum Mechanics$/m);
  expect(all.stderr).toMatch(/^\d+ of 1654 operators in 67 domains\n$/);
  const domain = await operators('list', 'quantum', 'mechanics');
  expect(domain.stdout.trimEnd().split('\n')).toHaveLength(1 + 28);
  expect(domain.stdout).toContain('  QM5  Particle-in-a-box eigenenergy: E = n^2*pi^2*hbar^2/(2*m*L^2)\n');
});

test('--json prints exactly the response of the route', async () => {
  const json = async (...args: string[]) => JSON.parse((await operators(...args, '--json')).stdout) as unknown;
  const ok = true;
  expect(await json('find', 'energy', '--limit', '3')).toEqual({ ok, ...searchResults({ term: 'energy', limit: 3 }) });
  expect(await json('find', 'energy', '--domain', 'QM')).toEqual({
    ok,
    ...searchResults({ term: 'energy', limit: 12, domain: 'QM' }),
  });
  expect(await json('show', 'QM5')).toEqual({ ok, operator: operatorRecord('QM5') });
  expect(await json('list')).toEqual({ ok, ...operatorList({}) });
  expect(await json('list', 'QM')).toEqual({ ok, ...operatorList({ domain: 'QM' }) });
});

test.each([
  [['show', 'QM55'], 'OPERATOR_UNKNOWN', 'Did you mean EM55?'],
  [['show', 'NOPE'], 'OPERATOR_UNKNOWN', 'The nearest are '],
  [['list', 'Alchemy'], 'DOMAIN_UNKNOWN', 'the nearest are'],
  [['find', 'wave', '--domain', 'Alchemy'], 'VALIDATION_FAILED', 'domain is "Alchemy"; no domain has this name'],
  [['find', 'wave', '--limit', '41'], 'VALIDATION_FAILED', 'at most 40'],
  [['find', 'wave', '--limit', 'all'], 'VALIDATION_FAILED', 'limit'],
  [['find'], 'error', 'term'],
])('operators %j fails with %s', async (args, code, message) => {
  const result = await operators(...args);
  expect([result.code, result.stdout]).toEqual([2, '']);
  expect(result.stderr).toContain(code);
  expect(result.stderr).toContain(message);
});
