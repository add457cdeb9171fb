// Settings from the environment: defaults, empty values and values that are rejected by name.

import { expect, test } from 'vitest';
import { readConfiguration } from '../src/configuration.ts';

test('an empty value means the default; an empty HOST is not all addresses', () => {
  const empty = { HOST: '', PORT: '', SVC_RATE_FACTOR: '', SVC_LOG: '', SVC_PUBLIC_URL: '', SVC_TRUSTED_PROXIES: '' };
  expect(readConfiguration(empty)).toEqual(readConfiguration({}));
  expect(readConfiguration({})).toMatchObject({ host: '127.0.0.1', port: 8787, rateFactor: 1 });
});

test('numbers are decimal digits', () => {
  expect(readConfiguration({ PORT: '65535', SVC_WORKERS: '3' })).toMatchObject({ port: 65_535, workers: 3 });
  for (const text of ['0x10', '0b1', '1e3', ' 12 ', '12.0', '+1', '-1', 'Infinity', '65536', 'http'])
    for (const name of ['PORT', 'SVC_WORKERS'])
      expect(() => readConfiguration({ [name]: text }), `${name}=${text}`).toThrow(
        new RegExp(`^${name} must be a whole number from `),
      );
});
