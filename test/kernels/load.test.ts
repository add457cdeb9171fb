import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createBrowserLoader } from '../../src/kernels/load-browser.ts';
import * as node from '../../src/kernels/load-node.ts';
import { harnessImage } from '../numerics/compile.ts';

async function serve(files: Record<string, Uint8Array | string | number>) {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const name = (request.url ?? '').replace('/kernels/', '');
    requested.push(name);
    const file = files[name] ?? 404;
    if (typeof file === 'number') response.writeHead(file).end();
    else response.end(file);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { requested, files, loader: createBrowserLoader(`http://127.0.0.1:${port}/kernels/`) };
}

const bytes = new Uint8Array([0, 97, 115, 109]);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const manifest = JSON.stringify({ kernels: { heat: { sha256, bytes: 4 }, other: { sha256, bytes: 4 } } });

test('a browser loads the manifest and a kernel once, and checks the hash', async () => {
  const { requested, loader } = await serve({ 'manifest.json': manifest, 'heat.wasm': bytes });
  expect(await loader.kernelSlugs()).toEqual(['heat', 'other']);
  const [first, second] = await Promise.all([loader.loadKernel('heat'), loader.loadKernel('heat')]);
  expect(first).toBe(second);
  expect(first).toEqual({ slug: 'heat', sha256, bytes });
  expect(requested).toEqual(['manifest.json', 'heat.wasm']);
});

test('bytes that do not match the manifest are rejected', async () => {
  const { loader } = await serve({ 'manifest.json': manifest, 'heat.wasm': new Uint8Array([0, 97, 115, 110]) });
  await expect(loader.loadKernel('heat')).rejects.toMatchObject({ code: 'KERNEL_FAILED' });
});

test('a missing kernel is unavailable, and so is a name from Object.prototype', async () => {
  const { loader } = await serve({ 'manifest.json': manifest });
  for (const slug of ['other', 'nothing', 'constructor', '../../secret']) {
    await expect(loader.loadKernel(slug)).rejects.toMatchObject({ code: 'KERNEL_UNAVAILABLE' });
  }
});

test('after a server error the next call retries', async () => {
  const { files, loader } = await serve({ 'manifest.json': 500, 'heat.wasm': bytes });
  await expect(loader.loadKernel('heat')).rejects.toMatchObject({ code: 'KERNEL_UNAVAILABLE' });
  files['manifest.json'] = manifest;
  expect((await loader.loadKernel('heat')).sha256).toBe(sha256);
});

test('an unreachable server is unavailable', async () => {
  const loader = createBrowserLoader('http://127.0.0.1:1/');
  await expect(loader.kernelSlugs()).rejects.toMatchObject({ code: 'KERNEL_UNAVAILABLE' });
});

test('Node loads every built kernel', async () => {
  const slugs = await node.kernelSlugs();
  expect(slugs.length).toBeGreaterThan(0);
  for (const slug of slugs) expect((await node.loadKernel(slug)).slug).toBe(slug);
  await expect(node.loadKernel('nothing')).rejects.toMatchObject({ code: 'KERNEL_UNAVAILABLE' });
});

test('a harness compiles to the same bytes every time', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => harnessImage('test/harness/faulty-kernel.ts')));
  expect(first?.sha256).toBe(second?.sha256);
});
