// What a stranger gets: the packed tarball, installed in an empty folder, runs the README's first lines.

import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';

const run = promisify(execFile);
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
const MEGABYTE = 1e6;

const temporary = mkdtempSync(join(tmpdir(), 'svc-pack-'));
const stranger = join(temporary, 'stranger');
const older = join(temporary, 'older');
const { DATABASE_URL: _, ...own } = process.env;
/** A stranger has no database of ours; npm itself runs on the Node of this test. */
const env = { ...own, PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}` };
const npm = (cwd: string, args: readonly string[]) => run('npm', [...args, ...QUIET], { cwd, env });

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}
let packed: Packed;

beforeAll(async () => {
  for (const folder of [stranger, older]) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  }
  const { stdout } = await npm(ROOT, ['pack', '--json', '--pack-destination', temporary]);
  const [only] = JSON.parse(stdout.slice(stdout.indexOf('['))) as Packed[];
  if (!only) throw new Error(`npm pack answered ${stdout}`);
  packed = only;
  await npm(stranger, ['install', join(temporary, packed.filename), '--omit=dev']);
  await npm(older, ['install', 'node@22']);
}, 600_000);

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** What the service says of itself once it listens. */
function addressOf(served: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk;
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    };
    served.stdout.on('data', listen);
    served.stderr.on('data', listen);
    served.on('exit', () => reject(new Error(`The service ended before it listened: ${said}`)));
  });
}

/** The README's first example of the library. */
function firstLines(): string {
  const blocks = readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^```(?:js|ts|mjs)\n([\s\S]*?)^```/gm);
  const first = [...blocks].map(([, code = '']) => code).find((code) => code.includes("from 'svc"));
  if (first === undefined) throw new Error('README.md has no example of the library');
  return first;
}

test.each([
  ['this Node', process.execPath],
  ['Node 22', join(older, 'node_modules/node/bin/node')],
])('the first lines of the README run on %s', async (_, node) => {
  writeFileSync(join(stranger, 'first.js'), firstLines());
  const { stdout, stderr } = await run(node, ['first.js'], { cwd: stranger });
  expect(stderr).toBe('');
  expect(stdout).not.toBe('');
});

test('the first lines of the README have types', async () => {
  writeFileSync(join(stranger, 'first.ts'), firstLines());
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', ...types];
  await run(join(ROOT, 'node_modules/.bin/tsc'), [...options, 'first.ts'], { cwd: stranger, env });
});

test('the installed service answers with its portal', async () => {
  const served = spawn(process.execPath, [join(stranger, 'node_modules/svc/bin/svc.js'), 'serve'], {
    cwd: stranger,
    env: { ...env, SVC_DATA: join(temporary, 'node'), PORT: '0' },
  });
  try {
    const url = await addressOf(served);
    const page = await (await fetch(`${url}/solve`)).text();
    const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
    expect((await fetch(`${url}${script}`)).headers.get('content-type')).toContain('javascript');
  } finally {
    served.kill();
  }
});

test('the package carries kernels and declarations, no TypeScript sources, and is small', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths.filter((path) => path.endsWith('.wasm')).length).toBeGreaterThan(0);
  expect(paths.filter((path) => path.endsWith('.d.ts')).length).toBeGreaterThan(0);
  expect(paths.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
  expect(packed.unpackedSize).toBeLessThan(15 * MEGABYTE);
});
