// The route table: one matcher for HTTP, svc_http and the refusal log.

import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.ts';
import { methodOf, pathOf } from '../../src/operations/route.ts';
import { RouteTable } from '../../src/operations/route-table.ts';

const table = new RouteTable(OPERATIONS);

test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s is found', (_, operation) => {
  const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, 'x-$1');
  const match = table.find(methodOf(operation), path);
  expect(match?.operation.name).toBe(operation.name);
  const parameters = [...pathOf(operation).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, `x-${name}`]);
  expect(match?.parameters).toEqual(Object.fromEntries(parameters));
  expect(table.methodsAt(path)).toContain(methodOf(operation));
});

test('a literal segment takes precedence over a parameter', () => {
  expect(table.find('GET', '/api/chain/newest')?.operation.name).toBe('machine.newest');
  expect(table.find('GET', '/api/chain/state-machines/boiler')?.operation.name).toBe('machine.get');
});

test('parameters are decoded once', () => {
  expect(table.find('GET', '/api/chain/a%2Fb/stats')?.parameters).toEqual({ slug: 'a/b' });
  expect(table.find('GET', '/api/chain/a%252Fb/stats')?.parameters).toEqual({ slug: 'a%2Fb' });
});

test.each([
  '/api/chain//stats',
  '/api/chain/boiler/stats/',
  '/API/chain/boiler/stats',
  '/api/chain/boiler/../boiler/stats',
  '/api/chain/boiler/stats%2F',
  '/',
  '',
])('%j is no route', (path) => {
  expect(table.find('GET', path)).toBeUndefined();
  expect(table.methodsAt(path)).toEqual([]);
});

test('routes of GET also answer HEAD and QUERY, others only their method', () => {
  expect(table.methodsAt('/api/svc/pulse')).toEqual(['GET', 'HEAD', 'QUERY']);
  expect(table.methodsAt('/api/svc/heat')).toEqual(['POST']);
  expect(table.methodsAt('/api/chain/boiler/admins').toSorted()).toEqual(['GET', 'HEAD', 'POST', 'QUERY']);
  expect(table.find('DELETE', '/api/svc/pulse')).toBeUndefined();
});
