// The registry as it stands, the list that it is held to, and the gate.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../scripts/compile-kernel.ts';
import { operators } from '../../../scripts/gates/operators.ts';
import { appendDefinitions, printRegistered, REGISTERED } from '../../../scripts/gates/registered.ts';
import { normalName } from '../../../src/operators/lint/names.ts';
import { loadOperators } from '../../../src/operators/load.ts';
import OWN_LAWS from '../../../src/operators/own-laws.json' with { type: 'json' };
import type { RegisteredHashes } from '../../../src/operators/registration.ts';
import WORKLIST from '../../../src/operators/worklist.json' with { type: 'json' };
import { budgetOf, type OwnLaws, type Worklist, withOwnLaws } from '../../../src/operators/worklist.ts';
import { makeProject } from '../../house/project-fixture.ts';

test('the worklist has 67 domains, 1634 places, 2659 laws and no name twice', () => {
  const laws = WORKLIST.domains.flatMap((domain) => Object.entries(domain.laws));
  expect(WORKLIST.domains).toHaveLength(67);
  expect(budgetOf(WORKLIST as unknown as Parameters<typeof budgetOf>[0])).toBe(1634);
  expect(laws).toHaveLength(2659);
  expect(new Set(laws.map(([id]) => id)).size).toBe(2659);
  expect(new Set(laws.map(([, name]) => normalName(name))).size).toBe(2659);
  for (const { prefix, budget, laws: own } of WORKLIST.domains) {
    expect(Object.keys(own).length, prefix).toBeGreaterThanOrEqual(budget);
  }
  const prefixes = new Set(WORKLIST.domains.map(({ prefix }) => prefix));
  for (const prefix of WORKLIST.complete) expect(prefixes.has(prefix), prefix).toBe(true);
});

test('own laws raise budgets, and take no id or name of the list, except from its reserve', () => {
  const list = WORKLIST as unknown as Worklist;
  const whole = withOwnLaws(list, OWN_LAWS as OwnLaws);
  const own = Object.entries(OWN_LAWS as OwnLaws).flatMap(([prefix, laws]) =>
    Object.entries(laws).map(([id, name]) => ({ prefix, id, name })),
  );
  expect(own.length).toBeGreaterThan(0);
  expect(budgetOf(whole)).toBe(1634 + own.length);
  const names = whole.domains.flatMap(({ laws }) => Object.values(laws).map(normalName));
  expect(new Set(names).size).toBe(names.length);
  for (const { prefix, id, name } of own) {
    const domain = list.domains.find((one) => one.prefix === prefix);
    expect(domain?.laws[id] ?? name, id).toBe(name);
    expect(list.domains.filter((one) => one.prefix !== prefix && Object.hasOwn(one.laws, id))).toEqual([]);
  }
});

test('the gate finds no fault in the registry, and counts it', async () => {
  const { counted, unit: of, faults } = await operators.run(ROOT);
  expect(faults).toEqual([]);
  expect(counted).toBeGreaterThan(0);
  expect(of).toMatch(/^operators with [1-9]\d* examples and [1-9]\d* mutants$/);
});

test('the gate sees a planted fault, and says so when it saw nothing', async () => {
  expect(await operators.run(makeProject({ 'src/core/one.ts': '' }))).toMatchObject({ counted: 0 });
  expect((await operators.run(plantedRoot())).faults).toEqual([]);
  const root = plantedRoot((text) => text.replace('/(2*m*L^2)', '/(m*L^2)'));
  const { faults } = await operators.run(root);
  expect(faults.join('\n')).toMatch(
    /QM\.json QM5 \[stated law\][\s\S]*QM\.json QM5 \[examples\] example 1 is off by a relative 1e\+0/,
  );
});

test('the gate sees a definition that the kept list lacks, and an entry that it lost', async () => {
  const changed = plantedRoot((text) => text.replace('"min": 1e-15', '"min": 2e-15'));
  const { faults } = await operators.run(changed);
  expect(faults).toEqual([expect.stringContaining("registered.json lacks today's QM")]);

  const root = plantedRoot();
  const git = (...words: readonly string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: root });
  git('init');
  git('add', REGISTERED);
  expect(git('commit', '-m', 'list').status).toBe(0);
  expect((await operators.run(root)).faults).toEqual([]);
  const kept = JSON.parse(readFileSync(join(root, REGISTERED), 'utf8')) as RegisteredHashes;
  const write = (list: RegisteredHashes) => writeFileSync(join(root, REGISTERED), printRegistered(list));
  const { QM5 = [], ...others } = kept;
  write({ ...kept, QM5: ['0'.repeat(64), ...QM5] });
  expect((await operators.run(root)).faults).toEqual([expect.stringContaining('lost or moved an entry of QM5')]);
  write(others);
  expect((await operators.run(root)).faults).toEqual([
    expect.stringContaining("lacks today's QM5"),
    expect.stringContaining('lost or moved an entry of QM5'),
  ]);
  write({ ...others, QM5 });
  expect((await operators.run(root)).faults).toEqual([expect.stringContaining('not in registry order')]);
});

function command(...words: readonly string[]) {
  const path = join(ROOT, 'scripts/check-operators.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...words], { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('the command says what it saw of one domain, and refuses a prefix that is none', () => {
  const { status, stdout } = command('--domain', 'qm');
  expect(stdout).toMatch(/^QM {10}\d+ of 28 operators, \d+ examples, \d+ mutants \(\d+\.\d % killed\); \d+ published/m);
  expect(stdout).toMatch(/published values kill \d+\.\d % of the \d+ of their laws$/m);
  expect(stdout).toMatch(/\d+ operators, .*: 0 errors, \d+ warnings, \d+ open; \d+\.\d s\n$/);
  expect(status).toBe(0);
  const wrong = command('--domain', 'QN');
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain('No domain has the prefix QN. Did you mean');
});

test('the command fails on a fault, and where a domain must be complete and is not', () => {
  const root = plantedRoot((text) => text.replace('/(2*m*L^2)', '/(m*L^2)'));
  const faulty = command('--root', root, '--domain', 'QM');
  expect(faulty.status).toBe(1);
  expect(faulty.stdout).toContain('error   QM5 [stated law]');
  const short = command('--root', plantedRoot(), '--domain', 'CM', '--complete', 'CM');
  expect(short.status).toBe(1);
  expect(short.stdout).toContain('error   [closed list] CM has 0 of 32 operators');
  expect(command('--root', plantedRoot(), '--domain', 'CM').status).toBe(0);
});

/** A copy of the registry with one domain, QM, whose text is changed; none has to be complete. */
function plantedRoot(change = (text: string) => text): string {
  const root = makeProject({ 'src/operators/domains/none.txt': '' });
  const changes = {
    'schema.json': (text: string) => text,
    'worklist.json': (text: string) => text.replace(/"complete": \[[^\]]*\]/, '"complete": []'),
    'own-laws.json': (text: string) => text,
    'domains/QM.json': change,
  };
  for (const [name, changed] of Object.entries(changes)) {
    const text = readFileSync(join(ROOT, 'src/operators', name), 'utf8');
    writeFileSync(join(root, 'src/operators', name), changed(text));
  }
  const laws = loadOperators(join(ROOT, 'src/operators/domains'));
  const own = [...laws.values()].filter(({ prefix }) => prefix === 'QM');
  writeFileSync(join(root, REGISTERED), printRegistered(appendDefinitions({}, own)));
  return root;
}
