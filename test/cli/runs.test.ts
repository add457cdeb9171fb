// svc runs and --csv against a running service: filed runs found, shown, run again, and refused to others.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { listen, type RunningService } from '../../src/server.ts';
import { inMemory } from '../storage/migrated-database.ts';
import { svc } from './run-svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-runs-'));
let service: RunningService;
let env: Record<string, string>;
let rod: string;
let law: string;

beforeAll(async () => {
  service = await listen({
    configuration: readConfiguration({ PORT: '0' }),
    log: pino({ level: 'silent' }),
    ...(await inMemory()),
  });
  const { key } = await createClient({ url: service.url }).call('demo-key.mint', {});
  env = { SVC_URL: service.url, SVC_KEY: key };
  const client = createClient({ url: service.url, key });
  const heat = await client.call('heat.solve', { dim: 1, nx: 16, folder: 'walls' });
  const energy = await client.call('compute.run', {
    domain: 'CM',
    operators: ['CM9'],
    inputs: { m: 2, v: 90 },
    units: { v: 'km/h' },
    folder: 'cars',
  });
  if ('gate' in energy || 'gate' in heat) throw new Error('The service refused a run of this test.');
  [rod, law] = [heat.run_id ?? '', energy.run_id ?? ''];
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const idsIn = (stdout: string) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.slice(0, 36));

test('svc runs lists the newest first, and finds by words of the solver, the law and the folder', async () => {
  const all = await svc(['runs'], env);
  expect([all.code, all.stderr, idsIn(all.stdout)]).toEqual([0, '', [law, rod]]);
  expect(all.stdout).toContain('CM9 Translational kinetic energy  625 J  in cars');
  expect(idsIn((await svc(['runs', 'rod', 'walls'], env)).stdout)).toEqual([rod]);
  expect(idsIn((await svc(['runs', 'list', '--solver', 'compute'], env)).stdout)).toEqual([law]);
  expect(await svc(['runs', 'rod', 'cars'], env)).toEqual({ code: 0, stdout: '', stderr: 'no run has rod cars\n' });
  const one = await svc(['runs', '--limit', '1'], env);
  expect([idsIn(one.stdout), one.stderr]).toEqual([[law], 'there are older runs; add words, or raise --limit\n']);
});

test('a filed run is shown with inputs and quantities, as a receipt and as comma-separated values', async () => {
  const shown = await svc(['runs', 'show', law], env);
  expect(shown.stdout).toMatch(/^625 ± \S+ J\n/);
  expect(shown.stdout).toMatch(/\n {2}v {2,}90\n/);
  const { stdout } = await svc(['runs', 'show', rod, '--json'], env);
  expect(JSON.parse(stdout)).toMatchObject({ id: rod, folder: 'walls', envelope: { solver: 'heat' } });
  const { envelope } = JSON.parse(stdout);
  const rows = (await svc(['runs', 'show', rod, '--csv'], env)).stdout.trimEnd().split('\n');
  expect(rows[0]).toBe('name,value,uncertainty,unit');
  expect(rows[1]?.split(',')).toEqual(['value', String(envelope.value), String(envelope.uncertainty), 'T']);
  expect(rows.length).toBe(2 + envelope.quantities.length);
});

test('a filed run is run again on this computer: bits equal, and the key of the node may be pinned', async () => {
  const unpinned = await svc(['runs', 'again', rod], env);
  expect(unpinned.code).toBe(5);
  expect(unpinned.stdout).toContain('bits equal');
  expect(unpinned.stderr.split('\n')).toEqual([
    'proven: the receipt is as it was signed, and this computer finds every bit of it again',
    'not proven: who signed it, for no key is pinned; therefore the exit code is 5, not 0',
    `to pin the key, if you trust ${service.url} to name its own: curl -fsS ${service.url}/api/.well-known/jwks.json -o keys.json && svc runs again ${rod} --jwks keys.json`,
    '',
  ]);
  const jwks = join(folder, 'jwks.json');
  writeFileSync(jwks, await (await fetch(`${service.url}/api/.well-known/jwks.json`)).text());
  const { code, stdout } = await svc(['runs', 'again', rod, '--jwks', jwks], env);
  expect([code, stdout]).toEqual([0, expect.stringContaining('bits equal')]);
});

test('another key, no key and what is no id are refused with the next step', async () => {
  const other = await createClient({ url: service.url }).call('demo-key.mint', {});
  const stranger = await svc(['runs', 'show', rod], { ...env, SVC_KEY: other.key });
  expect([stranger.code === 0, stranger.stderr]).toEqual([false, expect.stringContaining('RUN_NOT_FOUND')]);
  const keyless = await svc(['runs'], { SVC_URL: service.url });
  expect([keyless.code, keyless.stderr]).toEqual([3, expect.stringContaining('set SVC_KEY or use --key')]);
  expect((await svc(['runs', 'again', 'nine'], env)).stderr).toContain('id is "nine"; a UUID is expected.');
});

test('--csv of a single result has value and quantities with ± and unit; --arrays has its arrays as columns', async () => {
  const command = ['solve', 'heat', '--dim', '1', '--nx', '16', '--json'];
  const pure = JSON.parse((await svc(command)).stdout);
  const here = await svc([...command.slice(0, -1), '--csv']);
  const rows = here.stdout.trimEnd().split('\n');
  expect([here.code, here.stderr, rows[0]]).toEqual([0, '', 'name,value,uncertainty,unit']);
  const numbers = [{ name: 'value', ...pure }, ...pure.quantities];
  expect(rows.slice(1)).toEqual(
    numbers.map(({ name, value, uncertainty = '', unit }) => [name, value, uncertainty, unit].join(',')),
  );
  expect((await svc([...command.slice(0, -1), '--csv'], env)).stdout).toBe(here.stdout);

  const [header = '', ...lines] = (await svc([...command.slice(0, -1), '--csv', '--arrays', 'series'])).stdout
    .trimEnd()
    .split('\n');
  const names = pure.series.map(({ name, unit }: { name: string; unit: string }) => `${name} [${unit}]`);
  expect(header.split(',')).toEqual(names);
  expect(lines.map((line) => Number(line.split(',')[1]))).toEqual(pure.series[1].data);
  const served = await svc([...command.slice(0, -1), '--csv', '--arrays', 'series'], env);
  expect(served.stdout).toBe([header, ...lines, ''].join('\n'));
  const wrong = await svc([...command.slice(0, -1), '--csv', '--arrays', 'serie']);
  expect([wrong.code, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toContain('--arrays serie: use series');
});

test('--vtk writes the mesh of a body, the same file here and from the service; other solvers have no mesh', async () => {
  const command = ['solve', 'fea', '--problem', 'cook', '--nx', '8', '--ny', '8', '--no-plot', '--vtk'];
  const [here, there] = [join(folder, 'here.vtk'), join(folder, 'there.vtk')];
  expect((await svc([...command, here])).code).toBe(0);
  expect((await svc([...command, there], env)).code).toBe(0);
  const text = readFileSync(here, 'utf8');
  expect(text).toMatch(/^# vtk DataFile Version 3.0\n.*\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 81 double\n/);
  expect(readFileSync(there, 'utf8')).toBe(text);
  expect((await svc(['solve', 'heat', '--vtk', here])).stderr).toContain("unknown option '--vtk'");
});

test('--csv of several laws has a line for each of them', async () => {
  const { stdout } = await svc([...['compute', 'CM', '--operators', 'CM9,CM10', 'm=2', 'v=3', 'y=1', 'y0=0', '--csv']]);
  const [header, ...rows] = stdout.trimEnd().split('\n');
  expect(header).toBe('name,value,uncertainty,unit');
  const numbers = rows.map((row) => row.split(',')).map(([name, value, , unit]) => [name, value, unit]);
  expect(numbers).toEqual([
    ['value', '19.6133', 'J'],
    ['CM9', '9', 'J'],
    ['CM10', '19.6133', 'J'],
  ]);
});
