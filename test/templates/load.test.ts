import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { loadTemplates, TEMPLATES } from '../../src/templates/load.ts';
import { copyFolder } from '../suites/folder-copy.ts';

const FOLDER = 'src/templates';
const LIMITER = JSON.parse(
  readFileSync(join(ROOT, FOLDER, 'api-and-traffic-control/rate-limiter.json'), 'utf8'),
) as Record<string, unknown>;

test('every file of every category is read, in code-unit order', () => {
  const names = readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' });
  const paths = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  expect([...TEMPLATES.values()].map(({ id }) => id)).toEqual(paths.sort().map((path) => path.replace(/^.*\//, '')));
});

test('a file that is added is a template that is added, and nothing else changes', () => {
  const template = { ...LIMITER, id: 'tiered-throttle', category: 'Security operations' };
  const folder = copyFolder(FOLDER, { 'security-operations/tiered-throttle.json': template });
  const added = loadTemplates(folder);
  expect(added.get('tiered-throttle')).toEqual(template);
  expect([...added.keys()].filter((id) => id !== 'tiered-throttle')).toEqual([...TEMPLATES.keys()]);
  const categories = [...TEMPLATES.values()].map(({ category }) => category);
  expect([...added.keys()].indexOf('tiered-throttle')).toBe(categories.indexOf('Supply chain and trade'));
});

const place = 'api-and-traffic-control/rate-limiter-2.json';
const { title: _, ...untitled } = LIMITER;

test.each([
  ['a file that is not JSON', place, '{', /\/rate-limiter-2\.json is not JSON: .+\.$/],
  ['a list', place, '[]', /\/rate-limiter-2\.json is not a template: [\s\S]*expected object, received array/],
  ['a template without a title', place, untitled, /is not a template: [\s\S]*expected string[\s\S]*at title/],
  ['a field that is misspelt', place, { ...LIMITER, scenario: [] }, /is not a template: [\s\S]*"scenario"/],
  [
    'an id that is not the name of the file',
    place,
    LIMITER,
    /\/rate-limiter-2\.json has the category "API and traffic control" and the id rate-limiter; api-and-traffic-control\/rate-limiter\.json is expected\.$/,
  ],
  [
    'a category that is not the folder',
    'security-operations/rate-limiter-2.json',
    { ...LIMITER, id: 'rate-limiter-2' },
    /security-operations\/rate-limiter-2\.json has the category "API and traffic control" [^;]+; api-and-traffic-control\/rate-limiter-2\.json is expected\.$/,
  ],
  ['a file outside the folders', 'rate-limiter.json', LIMITER, /; api-and-traffic-control\/rate-limiter\.json is/],
  [
    'an id of another file',
    'security-operations/rate-limiter.json',
    { ...LIMITER, category: 'Security operations' },
    /\/security-operations\/rate-limiter\.json has the template id rate-limiter, which \S+\/api-and-traffic-control\/rate-limiter\.json has; an id must occur once\.$/,
  ],
])('%s is refused by the name of its file', (_, name, content, message) => {
  const folder = copyFolder(FOLDER, { [name]: content });
  expect(() => loadTemplates(folder)).toThrow(message);
});
