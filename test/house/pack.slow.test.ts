// Installs the packed tarball in an empty folder and runs the README's first example there.

import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { OPERATORS } from '../../src/operators/load.ts';
import { TEMPLATES } from '../../src/templates/load.ts';

const run = promisify(execFile);
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
const MEGABYTE = 1e6;

const temporary = mkdtempSync(join(tmpdir(), 'svc-pack-'));
const project = join(temporary, 'project');
const node22 = join(temporary, 'node22');
const { DATABASE_URL: _, ...inherited } = process.env;
/** A new user has no database; npm itself runs on the Node of this test. */
const env = { ...inherited, PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}` };
const npm = (cwd: string, args: readonly string[]) => run('npm', [...args, ...QUIET], { cwd, env });

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}
let packed: Packed;

beforeAll(async () => {
  for (const folder of [project, node22]) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  }
  const { stdout } = await npm(ROOT, ['pack', '--json', '--pack-destination', temporary]);
  const [only] = JSON.parse(stdout.slice(stdout.indexOf('['))) as Packed[];
  if (!only) throw new Error(`npm pack printed ${stdout}`);
  packed = only;
  await npm(project, ['install', join(temporary, packed.filename), '--omit=dev']);
  await npm(node22, ['install', 'node@22']);
}, 600_000);

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** The URL that the service prints once it listens. */
function addressOf(served: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const onData = (chunk: Buffer) => {
      output += chunk;
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    };
    served.stdout.on('data', onData);
    served.stderr.on('data', onData);
    served.on('exit', () => reject(new Error(`The service ended before it listened: ${output}`)));
  });
}

/** The README's first example of the library. */
function firstExample(): string {
  const blocks = readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^```(?:js|ts|mjs)\n([\s\S]*?)^```/gm);
  const first = [...blocks].map(([, code = '']) => code).find((code) => code.includes("from 'svc"));
  if (first === undefined) throw new Error('README.md has no example of the library');
  return first;
}

test.each([
  ['this Node', process.execPath],
  ['Node 22', join(node22, 'node_modules/node/bin/node')],
])('the first example of the README runs on %s', async (_, node) => {
  writeFileSync(join(project, 'first.js'), firstExample());
  const { stdout, stderr } = await run(node, ['first.js'], { cwd: project });
  expect(stderr).toBe('');
  expect(stdout).not.toBe('');
});

test('the first example of the README passes the type check', async () => {
  writeFileSync(join(project, 'first.ts'), firstExample());
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', ...types];
  await run(join(ROOT, 'node_modules/.bin/tsc'), [...options, 'first.ts'], { cwd: project, env });
});

test('the installed service serves its portal and its registries', async () => {
  const served = spawn(process.execPath, [join(project, 'node_modules/svc/bin/svc.js'), 'serve'], {
    cwd: project,
    env: { ...env, SVC_DATA: join(temporary, 'node'), PORT: '0' },
  });
  try {
    const url = await addressOf(served);
    const page = await (await fetch(`${url}/solve`)).text();
    const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
    expect((await fetch(`${url}${script}`)).headers.get('content-type')).toContain('javascript');
    const { rows } = (await (await fetch(`${url}/api/contracts/templates`)).json()) as { rows: { id: string }[] };
    expect(rows.map(({ id }) => id)).toEqual([...TEMPLATES.keys()]);
    expect(await (await fetch(`${url}/api/svc/operators`)).json()).toMatchObject({ operators: OPERATORS.size });
  } finally {
    served.kill();
  }
});

test('the package contains kernels and declarations, no TypeScript sources, and is small', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths.filter((path) => path.endsWith('.wasm')).length).toBeGreaterThan(0);
  expect(paths.filter((path) => path.endsWith('.d.ts')).length).toBeGreaterThan(0);
  expect(paths.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
  expect(packed.unpackedSize).toBeLessThan(15 * MEGABYTE);
});
