// A module in a request is data: no node compiles, instantiates or keeps it, whatever field it stands in.

import { readFileSync } from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';
import { sha256Hex } from '../../src/core/sha256.ts';
import { KERNEL_FOLDER } from '../../src/kernels/load-node.ts';
import { sealEnvelope } from '../../src/protocol/seal.ts';
import { RpcClient } from '../mcp/rpc-client.ts';
import { signerOf } from '../protocol/sealed-case.ts';
import { isOfToday, MUSEUM } from '../receipts/museum.ts';
import { startService } from './service-fixture.ts';

const service = await startService();

/** The kernel of heat with a custom section, so that it would run, under a hash of its own. */
const MARK = 'from a request';
const section = Buffer.from(`${String.fromCharCode(MARK.length)}${MARK}`);
const foreign = Buffer.concat([
  readFileSync(new URL('heat.wasm', KERNEL_FOLDER)),
  Buffer.of(0, section.length),
  section,
]);
const sha256 = sha256Hex(foreign);
const base64 = foreign.toString('base64');

const exhibit = MUSEUM.find((one) => one.name.endsWith('/heat-rod') && isOfToday(one));
const forger = signerOf(77);
const changed = { ...exhibit?.receipt, kernel_sha256: sha256, public_key: forger.publicKey };
const receipt = { ...changed, seal: sealEnvelope(changed, forger) };

/** What the process has given to WebAssembly, which compiles for the workers too. */
const compiled: unknown[] = [];
const isForeign = (source: unknown) =>
  (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) &&
  Buffer.from(source instanceof ArrayBuffer ? new Uint8Array(source) : new Uint8Array(source.buffer)).includes(MARK);
for (const name of ['compile', 'instantiate', 'validate', 'Module'] as const) {
  const original = WebAssembly[name] as (...given: unknown[]) => unknown;
  const watched = function (this: unknown, ...given: unknown[]) {
    compiled.push(given[0]);
    return new.target === undefined ? original(...given) : Reflect.construct(original, given, original);
  };
  watched.prototype = original.prototype;
  vi.spyOn(WebAssembly, name).mockImplementation(watched as never);
}
afterAll(() => vi.restoreAllMocks());

const SHAPES: Readonly<Record<string, object>> = {
  'a receipt that names its hash': receipt,
  'a receipt with its bytes': { ...receipt, kernel: base64, module: base64, wasm: base64 },
  'a receipt with a list of kernels': { ...receipt, kernels: [{ sha256, base64 }] },
  'a bundle of a receipt': { format: 'svc-bundle/1', receipt, kernel: { sha256, base64 } },
};

test('the bytes are a kernel that this process would run', async () => {
  await WebAssembly.compile(foreign);
  expect(compiled.filter(isForeign).length).toBe(1);
  compiled.length = 0;
});

test.each(Object.entries(SHAPES))('%s replays and verifies without it', async (_, json) => {
  const replayed = await service.call('POST /api/svc/replay', { json });
  expect([404, 422], replayed.text).toContain(replayed.status);
  const verified = await service.call('POST /api/svc/verify', { as: 'read', json: { receipt: json } });
  if (verified.status === 200) expect(verified.json().valid).toBe(false);
  else expect(verified.status, verified.text).toBe(422);
  expect(compiled.filter(isForeign).length).toBe(0);
  expect((await service.call(`GET /api/kernels/${sha256}.wasm`)).status).toBe(404);
});

test.each([
  ['POST /api/svc/heat', { dim: 1, nx: 8, steps: 4, kernel: base64 }],
  ['POST /api/svc/heat', { dim: 1, nx: 8, steps: 4, kernel_sha256: sha256 }],
  ['POST /api/svc/compute', { domain: 'QM', operators: ['QM5'], inputs: { n: 3, m: 1e-30, L: 1e-9 }, module: base64 }],
])('%s refuses the field of a module', async (route, json) => {
  const answer = await service.call(route, { as: 'write', json });
  expect(answer.status, answer.text).toBe(422);
  expect(compiled.filter(isForeign).length).toBe(0);
});

test('a tool refuses it too', async () => {
  const mcp = new RpcClient(service.running.url);
  const given = { name: 'svc_heat', arguments: { dim: 1, nx: 8, steps: 4, kernel: base64 } };
  expect(await mcp.result('2025-11-25', 'tools/call', given)).toMatchObject({ isError: true });
  expect(compiled.filter(isForeign).length).toBe(0);
});
