// The README from a fresh copy of the checkout to the packed program in an empty project, on every Node that svc
// supports. Installs from the registry, so it belongs to the slow suites.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/compile-kernel.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { TEMPLATES } from '../../../src/templates/load.ts';
import { desktopServer, firstExample, listedCommands, README, shellCommands } from './commands.ts';
import { findNode, MAJORS } from './nodes.ts';
import { Shell } from './shell.ts';
import { useDesktopServer, useLibrary, walk } from './walk.ts';

const MAX_UNPACKED_BYTES = 15e6;
const temporary = mkdtempSync(join(tmpdir(), 'svc-pack-'));
const commands = shellCommands(README);
const REMOVAL_MS = 600_000;
afterAll(() => rmSync(temporary, { recursive: true, force: true }), REMOVAL_MS);

/** What git would clone, with the changes of this working tree. */
function copyCheckout(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  const files = listed.toString().split('\0').filter(Boolean);
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
}

function makeShell(name: string, node: string): Shell {
  const folder = join(temporary, name);
  mkdirSync(folder);
  return new Shell({ node, folder });
}

/** The commands of the README between two of its headings. */
function section(heading: string): string {
  const [, text] = new RegExp(`^## ${heading}\n([\\s\\S]*?)^## `, 'm').exec(README) ?? [];
  if (text === undefined) throw new Error(`README.md has no section ${heading}.`);
  return text;
}

async function succeeds(shell: Shell, line: string): Promise<string> {
  const { code, stdout, stderr } = await shell.run(line);
  expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
  expect(stderr).not.toContain('EBADENGINE');
  return stdout;
}

describe.each(MAJORS)('on Node %i', (major) => {
  const node = findNode(major);
  const checkout = join(temporary, `checkout-${major}`);

  test.skipIf(node === undefined)('a fresh checkout installs, starts, computes and packs', async () => {
    copyCheckout(checkout);
    const shell = new Shell({ node: node ?? '', folder: checkout });
    const { code, stderr } = await shell.run(desktopLine(checkout));
    expect({ code, stderr }).toMatchObject({ code: 1 });
    expect(await succeeds(shell, 'npm ci')).toMatch(/^added \d+ packages/m);
    expect(await shell.serve('npm start')).toMatch(/svc_ak_demo_[\s\S]*0\.05007014276463555 T/);
    await walk(
      shell,
      shellCommands(section('Start')).filter(({ line }) => !line.startsWith('npm ')),
    );
    await shell.stopService();
    await useDesktopServer(desktopServer(checkout), shell);
    expect(await succeeds(shell, 'npm pack')).toMatch(/svc-0\.1\.0\.tgz\n$/);
  });

  test.skipIf(node === undefined)('the packed program does what the README says, in an empty project', async () => {
    const shell = makeShell(`project-${major}`, node ?? '');
    await succeeds(shell, 'npm init -y');
    const install = commands.find(({ line }) => line.startsWith('npm install '))?.line ?? '';
    await succeeds(shell, install.replace('<this folder>', checkout));
    await useLibrary(firstExample(), shell);
    await useDesktopServer(desktopServer(join(shell.folder, 'node_modules/svc')), shell);
    await shell.serve('npx svc serve');
    try {
      await servesPortal(shell.url);
      await walk(shell, [...commands.filter(({ line }) => !line.startsWith('npm ')), ...listedCommands(README)]);
    } finally {
      await shell.stopService();
    }
  });
});

function desktopLine(folder: string): string {
  const { command, args } = desktopServer(folder);
  return [command, ...args].join(' ');
}

async function servesPortal(url: string): Promise<void> {
  const page = await (await fetch(`${url}/solve`)).text();
  const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
  expect((await fetch(`${url}${script}`)).headers.get('content-type')).toContain('javascript');
  const { rows } = (await (await fetch(`${url}/api/contracts/templates`)).json()) as { rows: { id: string }[] };
  expect(rows.map(({ id }) => id)).toEqual([...TEMPLATES.keys()]);
  expect(await (await fetch(`${url}/api/svc/operators`)).json()).toMatchObject({ operators: OPERATORS.size });
}

test('the example of the library passes the type check', async () => {
  const shell = new Shell({ node: process.execPath, folder: join(temporary, 'project-24') });
  shell.write('heat.mts', firstExample());
  const types = `--types node --typeRoots ${ROOT}/node_modules/@types`;
  const options = `--noEmit --strict --skipLibCheck --ignoreConfig --module nodenext --target es2024 ${types}`;
  await succeeds(shell, `${ROOT}/node_modules/.bin/tsc ${options} heat.mts`);
});

test('the package has kernels, declarations and a licence, no TypeScript sources, and is small', async () => {
  const shell = new Shell({ node: process.execPath, folder: join(temporary, 'checkout-24') });
  const listed = await succeeds(shell, 'npm pack --json --dry-run --ignore-scripts');
  const [packed] = JSON.parse(listed) as { unpackedSize: number; files: { path: string }[] }[];
  const paths = packed?.files.map(({ path }) => path) ?? [];
  expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'bin/svc.js', 'dist/src/index.d.ts']));
  expect(paths.filter((path) => path.endsWith('.wasm')).length).toBeGreaterThan(0);
  expect(paths.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
  expect(packed?.unpackedSize).toBeLessThan(MAX_UNPACKED_BYTES);
});
