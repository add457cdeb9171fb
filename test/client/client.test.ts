// The client: typed by the operations, in Node and browsers.

import { expect, expectTypeOf, test } from 'vitest';
import { type ApiInput, type ApiName, type ApiOutput, createClient } from '../../src/client/client.ts';
import { loadRoutes as loadBrowserRoutes } from '../../src/client/routes-browser.ts';
import { currentRoutes, loadRoutes } from '../../src/client/routes-node.ts';
import { DomainError } from '../../src/core/errors.ts';
import { startService } from '../http/service-fixture.ts';

const service = await startService();
const { url } = service.running;

test('routes of the build are those of the operations', async () => {
  expect(await loadRoutes()).toEqual(await currentRoutes());
});

test('a call is typed by its operation, in and out', async () => {
  const client = createClient({ url });
  const { machine, key } = await client.call('machine.spin-up', { displayName: 'boiler 3', is_public: true });
  expectTypeOf(machine.head.seq).toEqualTypeOf<number>();
  expectTypeOf(machine.status).toEqualTypeOf<'active' | 'archived' | 'paused'>();
  expectTypeOf<ApiInput<'chain.stats'>>().toEqualTypeOf<{ readonly slug: string }>();
  expectTypeOf<ApiOutput<'contract.fire'>['fired']>().toEqualTypeOf<boolean>();
  expectTypeOf<'nonsense'>().not.toExtend<ApiName>();
  // @ts-expect-error  an unknown input
  const wrong: ApiInput<'machine.get'> = { slag: machine.slug };
  expect(wrong).toBeDefined();

  const read = await client.call('machine.get', { slug: machine.slug });
  expect(read.machine).toMatchObject({ slug: machine.slug, name: 'boiler 3', head: { seq: 0 } });
  // Path parameters, query and body; the key of the call replaces that of the client.
  const { seq } = await client.call('machine.event', { slug: machine.slug, name: 'request', payload: {} }, { key });
  const { rows } = await client.call('chain.explore', { slug: machine.slug, type: 'event', limit: 5 });
  expect(rows.map((row) => row.seq)).toEqual([seq]);
});

test('a solver is called by its name, and its number is an envelope', async () => {
  const { key } = await createClient({ url }).call('demo-key.mint', {});
  const envelope = await createClient({ url, key }).call('heat.solve', { dim: 1, nx: 16 });
  if ('gate' in envelope) throw new Error('The gate refused the inputs.');
  expectTypeOf(envelope.value).toEqualTypeOf<number>();
  expect(envelope).toMatchObject({
    solver: 'heat',
    converged: true,
    svcProof: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('an error response is an error with its code, and headers are reported', async () => {
  const headers: (string | null)[] = [];
  const call = createClient({ url }).call(
    'machine.get',
    { slug: 'none-such' },
    { onHeaders: (received) => headers.push(received.get('request-id')) },
  );
  const error = await call.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DomainError);
  expect(error).toMatchObject({ code: 'NOT_FOUND' });
  expect(headers).toEqual([expect.any(String)]);
});

test('a response that is no JSON is opened', async () => {
  const { machine } = await createClient({ url }).call('machine.spin-up', { is_public: true });
  const response = await createClient({ url }).open('chain.checkpoint', { slug: machine.slug });
  expect(response.headers.get('content-type')).toContain('text/plain');
  expect(await response.text()).toContain(machine.slug);
});

test('an unknown operation is named', async () => {
  await expect(createClient({ url }).open('machine.nonsense', {})).rejects.toThrow('No operation machine.nonsense');
});

test('outside the portal a browser takes the routes from the catalog of the service, the same as on Node', async () => {
  expect(await loadBrowserRoutes(url)).toEqual(await loadRoutes());
  const client = createClient({ url }, loadBrowserRoutes);
  expect((await client.call('pulse.read', {})).pulseHz).toBe(1.287);
});
