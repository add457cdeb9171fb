// Settings from the environment: defaults, empty values and values that are rejected by name.

import { expect, test } from 'vitest';
import { verifierKey } from '../src/chain/note.ts';
import { readConfiguration } from '../src/configuration.ts';
import { LIMITS } from '../src/core/limits.ts';
import { testSigner } from './chain/signer.ts';

test('an empty value means the default; an empty HOST is not all addresses', () => {
  const empty = {
    HOST: '',
    PORT: '',
    SVC_RATE_FACTOR: '',
    SVC_LOG: '',
    SVC_PUBLIC_URL: '',
    SVC_TRUSTED_PROXIES: '',
    SVC_DATABASE_MB: '',
  };
  expect(readConfiguration(empty)).toEqual(readConfiguration({}));
  expect(readConfiguration({})).toMatchObject({ host: '127.0.0.1', port: 8787, rateFactor: 1 });
  expect(readConfiguration({ SVC_RUNTIME_MB: '' }).runtimeBytes).toBe(LIMITS.contracts.runtimes.bytes);
});

test('witnesses are pairs of URL and verifier key', () => {
  const key = verifierKey('w.example', testSigner(7).publicKey, 'cosignature');
  const read = (text: string) => readConfiguration({ SVC_WITNESSES: text }).witnesses;
  expect(read(`https://a.example/w ${key}\nhttp://b.example ${key}`)).toEqual([
    { url: 'https://a.example/w', verifier_key: key },
    { url: 'http://b.example', verifier_key: key },
  ]);
  expect(read(' ')).toEqual([]);
  const logKey = verifierKey('w.example', testSigner(7).publicKey);
  for (const text of [key, 'https://a.example', `https://a.example ${logKey}`, `a.example ${key}`, `http://u@a ${key}`])
    expect(() => read(text), text).toThrow(/^SVC_WITNESSES must /);
  expect(() => read(`http://a ${key} http://a ${key}`)).toThrow('SVC_WITNESSES has http://a twice.');
  const nine = Array.from({ length: 9 }, (_, i) => `http://w${i} ${key}`).join(' ');
  expect(() => read(nine)).toThrow('SVC_WITNESSES must list at most 8 witnesses; got 9.');
});

test('numbers are decimal digits', () => {
  const given = { PORT: '65535', SVC_WORKERS: '3', SVC_RUNTIME_MB: '64', SVC_DATABASE_MB: '2000' };
  expect(readConfiguration(given)).toMatchObject({ port: 65_535, workers: 3, runtimeBytes: 64_000_000 });
  expect(readConfiguration(given).databaseBytes).toBe(2e9);
  for (const text of ['1e5', 'http', '0', '-1'])
    expect(() => readConfiguration({ SVC_DATABASE_MB: text })).toThrow(
      'SVC_DATABASE_MB must be a whole number from 1 to 1000000000',
    );
  for (const text of ['0x10', '0b1', '1e3', ' 12 ', '12.0', '+1', '-1', 'Infinity', '65537', 'http'])
    for (const name of ['PORT', 'SVC_WORKERS', 'SVC_RUNTIME_MB'])
      expect(() => readConfiguration({ [name]: text }), `${name}=${text}`).toThrow(
        new RegExp(`^${name} must be a whole number from `),
      );
});
