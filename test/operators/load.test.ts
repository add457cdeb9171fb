import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { loadOperators, OPERATORS } from '../../src/operators/load.ts';
import type { OperatorFile } from '../../src/operators/operator.ts';
import { copyFolder } from '../suites/folder-copy.ts';

const DOMAINS = 'src/operators/domains';
const QM = JSON.parse(readFileSync(join(ROOT, DOMAINS, 'QM.json'), 'utf8')) as OperatorFile;
const [first] = QM.operators;

/** A domain of one operator. */
const domainOf = (prefix: string, id: string) => ({ prefix, operators: [{ ...first, id }] });

test('every file of the folder is read, in code-unit order of the prefixes', () => {
  const prefixes = readdirSync(join(ROOT, DOMAINS)).map((name) => name.replace(/\.json$/, ''));
  expect([...new Set([...OPERATORS.values()].map(({ prefix }) => prefix))]).toEqual(prefixes.sort());
});

test('a file that is added is a domain that is added, and nothing else changes', () => {
  const folder = copyFolder(DOMAINS, { 'AAA.json': domainOf('AAA', 'AAA1'), 'ZZ.json': domainOf('ZZ', 'ZZ1') });
  const added = loadOperators(folder);
  expect([...added.keys()]).toEqual(['AAA1', ...OPERATORS.keys(), 'ZZ1']);
  expect(added.get('ZZ1')).toEqual({ ...first, id: 'ZZ1', prefix: 'ZZ' });
  expect([...loadOperators(copyFolder(DOMAINS, {}))]).toEqual([...OPERATORS]);
});

test('the order is that of code units, not of a language: upper case, digits and hyphens', () => {
  const names = ['ZZ', 'ZZ-A', 'ZZ0', 'ZZA', 'ZZa'];
  const files = Object.fromEntries(names.map((name) => [`${name}.json`, domainOf(name, `${name}1`)]));
  expect([...loadOperators(copyFolder(DOMAINS, files)).keys()].slice(-names.length)).toEqual(
    names.map((name) => `${name}1`),
  );
});

test.each([
  ['a file that is not JSON', 'QN.json', '{"prefix": "QN",', /\/QN\.json is not JSON: .+\.$/],
  ['JSON that is not an object', 'QN.json', 'null', /\/QN\.json has the prefix nothing; "QN" is expected/],
  [
    'a prefix that is not the name of the file',
    'QN.json',
    domainOf('QM', 'QN1'),
    /\/QN\.json has the prefix "QM"; "QN" is expected, the name of the file\.$/,
  ],
  [
    'a file in a folder within the folder',
    'old/QN.json',
    domainOf('QN', 'QN1'),
    /\/old\/QN\.json has the prefix "QN"; "old\/QN" is expected/,
  ],
  ['no list of operators', 'QN.json', { prefix: 'QN' }, /\/QN\.json has operators nothing; a list is expected\.$/],
  [
    'an id of another file',
    'QN.json',
    domainOf('QN', 'QM5'),
    /\/QN\.json has the operator id QM5, which \S+\/QM\.json has; an id must occur once\.$/,
  ],
  [
    'an id twice in one file',
    'QN.json',
    { prefix: 'QN', operators: [first, first].map((one) => ({ ...one, id: 'QN1' })) },
    /\/QN\.json has the operator id QN1, which \S+\/QN\.json has/,
  ],
])('%s is refused by the name of its file', (_, name, content, message) => {
  const folder = copyFolder(DOMAINS, { [name]: content });
  expect(() => loadOperators(folder)).toThrow(message);
});

test('a folder without a file, as of a broken package, is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-empty-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(() => loadOperators(folder)).toThrow(`${folder} has no *.json file; at least one is expected.`);
});
