// The Python client against a running service, and the wheel that it comes in.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { buildWheel, wheelEntries } from '../../scripts/build-python.ts';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { zip } from '../../scripts/zip.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { heat } from '../../src/solvers/heat/solver.ts';
import { startService } from '../http/service-fixture.ts';
import { PYTHON, python } from './python.ts';

const service = await startService();
const { url } = service.running;
const temporary = mkdtempSync(join(tmpdir(), 'svc-wheel-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Runs lines of Python after `client` was made, and returns the JSON that they pass to `say`. */
async function run(lines: string, key?: string): Promise<Record<string, unknown>> {
  const head = `
import json, sys
import svc
client = svc.Client(${JSON.stringify(url)}${key === undefined ? '' : `, key=${JSON.stringify(key)}`})
def say(**facts):
    print(json.dumps(facts))
def refused(call, *args, **named):
    try:
        call(*args, **named)
    except svc.SvcError as e:
        return dict(kind=type(e).__name__, code=e.code, field=e.field, got=e.got, allowed=e.allowed, status=e.status,
                    message=e.message, has_id=e.request_id is not None)
    return None
`;
  const { code, stdout, stderr } = await python(['-c', head + lines]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe.skipIf(PYTHON === undefined)('the Python client', () => {
  test('solves heat over HTTP with the value of the README, and the receipt verifies and replays', async () => {
    const here = await heat.solve({ dim: 1, nx: 64 });
    const said = await run(`
answer = client.solve("heat", dim=1, nx=64)
keys = client.call("jwks.read")
answer.save(${JSON.stringify(join(temporary, 'receipt.json'))})
verdict = svc.verify(answer, keys)
replay = client.replay(answer)
say(text=str(answer), value=answer.value, unit=answer.unit, uncertainty=answer.uncertainty, number=float(answer),
    valid=bool(verdict), title=verdict.title, exit=verdict.exit_code, unpinned=svc.verify(answer).verdict,
    equal=bool(replay), replayed=str(replay), html=answer._repr_html_(), shown=repr(answer), converged=answer.converged,
    solver=answer["solver"], quantities={k: str(v) for k, v in answer.quantities.items()},
    shape=[list(f.shape) for f in answer.fields.values()], count=[len(f.data) for f in answer.fields.values()])
`);
    expect(said).toMatchObject({
      text: '0.0500701428 ± 0.0000000048 T',
      value: here.value,
      number: here.value,
      uncertainty: here.uncertainty,
      unit: 'T',
      valid: true,
      title: 'valid',
      exit: 0,
      unpinned: 'unknown_key',
      equal: true,
      replayed: expect.stringContaining('bits equal'),
      html: expect.stringContaining('<strong>0.0500701428 ± 0.0000000048 T</strong>'),
      shown: '<solver:heat: 0.0500701428 ± 0.0000000048 T>',
      converged: true,
      solver: 'heat',
    });
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    expect(readme).toContain(`npx svc solve heat --dim 1 --nx 64                 # → ${said.text}`);
    const shapes = said.shape as number[][];
    expect(said.count).toEqual(shapes.map((shape) => shape.reduce((size, side) => size * side, 1)));
    expect(shapes.length).toBeGreaterThan(0);
    const saved = await python(['-m', 'svc', 'verify', join(temporary, 'receipt.json')]);
    expect(saved.code).toBe(5);
  });

  test('computes laws with units and uncertainties, and takes answers as inputs', async () => {
    const said = await run(`
k = client.compute("CM9", m="2 kg", v="90±1 km/h")
again = client.compute("CM9", {"m": svc.Quantity(2, "kg"), "v": svc.Quantity(90, "km/h", 2)})
inverse = client.compute("CM9", m=2, K=k, options={"solve_for": "v"})
chosen = client.compute("CM", m=2.0, v="25 m/s", options={"operators": ["CM9"]})
gate = client.compute("CM9", m=2, v=3, bogus=1)
say(text=str(k), pm=[k.uncertainty, again.uncertainty], chained=inverse["uncertainties"]["K"], results={n: str(q) for n, q in k.results.items()}, same=k.value == again.value, inverse=inverse.value,
    chosen=chosen.value, inputs=k["inputs"], gate=[gate.value, str(gate), sorted(gate.gate["accepted"])],
    nan=str(float(gate)))
`);
    expect(said).toMatchObject({ text: '625 ± 28 J', same: true, chosen: 625, inputs: { m: 2, v: 90 } });
    // ± of an answer counts standard uncertainties twice, and a text has one.
    const [uncertainty = 0, again] = said.pm as number[];
    expect(again).toBe(uncertainty);
    expect(said.chained).toBe(uncertainty / 2);
    expect(said.inverse).toBeCloseTo(25, 9);
    expect(said.results).toMatchObject({ CM9: '625 ± 28 J' });
    expect(said.gate).toEqual([null, expect.stringMatching(/^NaN: /), expect.arrayContaining(['m', 'v'])]);
    expect(said.nan).toBe('nan');
  });

  test('sweeps laws and solvers, and the table of a sweep is numbers', async () => {
    const said = await run(`
law = client.sweep("CM9", {"v": (10, 40, 4)}, m=2, units={"v": "km/h"})
grid = client.sweep("heat", {"nx": [16, 32]}, dim=1)
long = client.sweep("CM9", {"v": {"from": 1, "to": 9, "count": 2000}}, m=2)
keys = client.call("jwks.read")
say(columns=law.table.columns, v=law.table.column("v"), units=law.table.units, rows=len(grid.table),
    csv=law.table.to_csv().splitlines()[0], long=[len(long.table), long.table.column("value")[-1], "rows" in long["table"]],
    valid=[bool(svc.verify(a, keys)) for a in (law, grid, long)], html="<th>v [km/h]</th>" in law._repr_html_() and str(law).startswith(f"{len(law.table)} points"))
`);
    expect(said).toEqual({
      columns: ['v', 'value', 'uncertainty'],
      v: [10, 20, 30, 40],
      units: ['km/h', 'J', 'J'],
      rows: 2,
      csv: 'v,value,uncertainty',
      long: [2000, 81, false],
      valid: [true, true, true],
      html: true,
    });
  });

  test('calls every operation of the catalogue by its name: machines, events, rows, text', async () => {
    const said = await run(
      `
made = client.call("machine.spin-up", displayName="boiler 7", is_public=True, idempotency_key="one-two-three-four-5")
again = client.call("machine.spin-up", displayName="boiler 7", is_public=True, idempotency_key="one-two-three-four-5")
slug, key = made["machine"]["slug"], made.get("key")
owner = svc.Client(client.url, key=key or ${JSON.stringify(service.keys.write)})
event = owner.call("machine.event", slug=slug, name="request", payload={"t": 1.5})
rows = client.call("chain.explore", {"slug": slug, "type": "event", "limit": 5})["rows"]
say(slug=slug, same=again["machine"]["slug"] == slug, rows=[r["seq"] for r in rows], seq=event["seq"],
    checkpoint=slug in client.call("chain.checkpoint", slug=slug), names=sorted(client.operations()))
`,
      service.keys.write,
    );
    expect(said).toMatchObject({ slug: expect.stringContaining('boiler'), same: true, checkpoint: true });
    expect(said.rows).toEqual([said.seq]);
    expect(said.names).toEqual(OPERATIONS.map(({ name }) => name).sort());
  });

  test('raises errors with the code of the service, the field, what it got and what is allowed', async () => {
    const said = await run(`
say(range=refused(client.solve, "heat", dim=1, nx=4000),
    choice=refused(client.solve, "heat", method="backwards"),
    unknown=refused(client.solve, "heat", nxx=64),
    nested=refused(client.call, "compute.run", domain="CM9", inputs={"m": "two"}),
    unit=refused(client.compute, "CM9", m="2 kg", v="3 kg"),
    law=refused(client.compute, "CM9999", m=1),
    solver=refused(client.solve, "heatt"),
    operation=refused(client.call, "machine.nonsense"),
    missing=refused(client.call, "machine.get"),
    path=refused(client.call, "machine.get", slug="a/../../pulse"),
    none=refused(client.call, "machine.get", slug="none-such"),
    key=refused(svc.Client(client.url, key="svc_ak_wrong").solve, "heat"),
    text=refused(client.compute, "CM9", m="two kg"),
    nan=refused(client.solve, "heat", alpha=float("nan")),
    address=refused(svc.Client, "file:///etc/hosts"),
    closed=refused(svc.Client("http://127.0.0.1:9", timeout=5).solve, "heat"),
    receipt=refused(client.replay, {"value": 1}))
`);
    const input = { kind: 'InputError', status: 422, code: 'VALIDATION_FAILED' };
    expect(said).toMatchObject({
      range: { ...input, field: 'nx', got: 4000, allowed: expect.stringContaining('at most'), has_id: true },
      choice: { ...input, field: 'method', got: 'backwards', allowed: expect.stringContaining('implicit') },
      unknown: { ...input, field: 'nxx', got: 64, message: expect.stringContaining('nxx') },
      nested: { ...input, field: 'inputs.m', got: 'two', allowed: 'number is expected' },
      unit: { kind: 'InputError', code: 'UNIT_MISMATCH', status: 422 },
      law: { kind: 'NotFoundError', status: 404, has_id: true },
      solver: { kind: 'NotFoundError', field: 'solver', got: 'heatt', allowed: expect.stringContaining('heat, ') },
      operation: { kind: 'NotFoundError', code: 'NOT_FOUND', got: 'machine.nonsense' },
      missing: { kind: 'InputError', code: 'VALIDATION_FAILED', field: 'slug', status: null },
      // A path parameter stays one: it cannot lead to another route.
      path: { ...input, field: 'slug', got: 'a/../../pulse' },
      none: { kind: 'NotFoundError', code: 'NOT_FOUND', status: 404 },
      key: { kind: 'AccessError', status: 401, code: 'KEY_INVALID' },
      text: { ...input, status: null, field: 'm', got: 'two kg', allowed: expect.stringContaining('90 km/h') },
      nan: { kind: 'InputError', code: 'VALIDATION_FAILED', status: null },
      address: { kind: 'InputError', field: 'url', got: 'file:///etc/hosts' },
      closed: { kind: 'UnavailableError', code: 'NO_ANSWER', status: null },
      receipt: { ...input, field: 'solver' },
    });
  });

  test('shows texts of a receipt as text, in a notebook and in a terminal', async () => {
    const said = await run(`
evil = "<script>\\u001b[31m\\u202e"
answer = svc.Answer({"value": 1.0, "unit": evil, "uncertainty": 0.1, "operator_id": evil, "converged": True,
                     "quantities": [{"name": evil, "value": 2, "unit": evil}],
                     "table": {"columns": [evil], "units": [evil], "shape": [1, 1], "rows": [[1.0]]}})
say(html=answer._repr_html_() + answer.table._repr_html_(), text=str(answer) + repr(answer) + repr(answer.quantities))
`);
    expect(said.html).not.toContain('<script>');
    expect(said.html).toContain('&lt;script&gt;');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing of a receipt may steer the terminal
    expect(`${said.html}${said.text}`).not.toMatch(/[\u001b\u202e]/);
  });
});

describe('the wheel', () => {
  test('has the same bytes at every build, and the version of the package', () => {
    const { name, entries } = wheelEntries();
    const bytes = zip(entries);
    expect(zip(wheelEntries().entries).equals(bytes)).toBe(true);
    expect(readFileSync(buildWheel()).equals(bytes)).toBe(true);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(name).toBe(`svc-${version}-py3-none-any.whl`);
    expect(entries.map((entry) => entry.name)).toEqual(expect.arrayContaining(['svc/py.typed', 'svc/records.json']));
  });

  test.skipIf(PYTHON === undefined)('is a sound archive that lists the hash of every file', async () => {
    const { code, stdout } = await python([
      '-c',
      `
import base64, csv, hashlib, io, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
assert wheel.testzip() is None
record = next(name for name in wheel.namelist() if name.endswith("RECORD"))
rows = list(csv.reader(io.StringIO(wheel.read(record).decode())))
assert sorted(row[0] for row in rows) == sorted(wheel.namelist())
for name, digest, size in rows:
    if name != record:
        data = wheel.read(name)
        found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        assert (digest, int(size)) == (f"sha256={found}", len(data)), name
assert {one.date_time for one in wheel.infolist()} == {(1980, 1, 1, 0, 0, 0)}
print(len(rows))`,
      buildWheel(),
    ]);
    expect(code).toBe(0);
    expect(Number(stdout)).toBe(wheelEntries().entries.length);
  });

  const hasPip = PYTHON !== undefined && spawnSync(PYTHON, ['-m', 'pip', '--version']).status === 0;
  if (!hasPip) console.log('pip is not installed; its test of the wheel is skipped');

  test.skipIf(!hasPip)('installs with pip, offline, and runs from there', () => {
    const target = join(temporary, 'installed');
    const options = ['--quiet', '--no-index', '--no-deps', '--disable-pip-version-check', '--no-cache-dir'];
    const pip = spawnSync(PYTHON ?? '', ['-m', 'pip', 'install', ...options, '--target', target, buildWheel()]);
    expect({ status: pip.status, stderr: pip.status === 0 ? '' : String(pip.stderr) }).toEqual({
      status: 0,
      stderr: '',
    });
    const env = { ...process.env, PYTHONPATH: target, PYTHONDONTWRITEBYTECODE: '1' };
    const ran = spawnSync(PYTHON ?? '', ['-c', 'import svc; print(svc.__version__, svc.__file__)'], { env });
    expect(String(ran.stdout)).toContain(`0.1.0 ${target}`);
  });

  const hasMypy = PYTHON !== undefined && spawnSync(PYTHON, ['-m', 'mypy', '--version']).status === 0;
  if (!hasMypy) console.log('mypy is not installed; the type hints of the Python package are not checked');

  test.skipIf(!hasMypy)('has type hints without faults', () => {
    const cache = join(temporary, 'mypy');
    const { stdout } = spawnSync(PYTHON ?? '', ['-m', 'mypy', '--strict', '--cache-dir', cache, 'python/svc'], {
      cwd: ROOT,
    });
    expect(String(stdout)).toContain('Success: no issues found');
  });
});
