// Cron times of definitions that name a release of zones: by its rules, whatever the host's database says.

import { afterEach, expect, test, vi } from 'vitest';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { compiled, firesAfter, timed } from './time-fixture.ts';

const cron = (fields: object) => timed({ kind: 'cron', cron: '30 2 * * *', ...fields });
const faultsOf = (definition: object) =>
  definitionFaults(Definition.parse(definition)).map(({ path, code }) => `${path} ${code}`);

afterEach(() => vi.restoreAllMocks());

test('nights of summer time are as ever: a skipped time is the end of the gap, a repeated one the first', () => {
  const nights = (from: string) => firesAfter(cron({ tz: 'Europe/Berlin' }), from, {}, 3);
  expect(nights('2026-03-27T12:00:00Z')).toEqual(['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30']);
  expect(nights('2026-10-23T12:00:00Z')).toEqual(['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']);
});

test("the host's database is not asked", () => {
  vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function refuse() {
    throw new Error('The host was asked.');
  });
  const chatham = cron({ tz: 'Pacific/Chatham' });
  // 02:30 at 13:45 hours east of Greenwich.
  expect(firesAfter({ ...chatham, zones: '2026f' }, '2026-03-27T14:00:00Z')).toEqual(['2026-03-28T12:45']);
  expect(() => compiled(chatham)).toThrow('Pacific/Chatham');
});

test('a zone that the release does not have is a fault', () => {
  expect(faultsOf({ ...cron({ tz: 'Europe/Berln' }), zones: '2026f' })).toContain(
    'transitions.timing.trigger.tz UNKNOWN_ZONE',
  );
});
