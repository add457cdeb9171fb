// Commands of the README, run on the Node of the tests; the built program on every other Node that svc supports.
// pack.slow.test.ts runs them all on each Node, with the packed program.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { ROOT } from '../../../scripts/compile-kernel.ts';
import { desktopServer, firstExample, listedCommands, README, shellCommands } from './commands.ts';
import { findNode, MAJORS } from './nodes.ts';
import { Shell } from './shell.ts';
import { useDesktopServer, useLibrary, walk } from './walk.ts';

const temporary = mkdtempSync(join(tmpdir(), 'svc-readme-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** A project that has this checkout as the installed package svc. */
function makeShell(name: string, node: string): Shell {
  const folder = mkdtempSync(join(temporary, `${name}-`));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules/svc'));
  symlinkSync('../svc/bin/svc.js', join(folder, 'node_modules/.bin/svc'));
  return new Shell({ node, folder });
}

/** Many processes one after another, on a machine that may be busy. */
const TIMEOUT_MS = 300_000;

/** What prepares a checkout or a project: only in the slow suite, because it needs a registry. */
const PREPARATIONS = ['npm ci', 'npm start', 'npm pack', 'npm install <this folder>/svc-0.1.0.tgz'];

test('every command of the README does what it says', { timeout: TIMEOUT_MS }, async () => {
  const shell = makeShell('walk', process.execPath);
  const all = [...shellCommands(README), ...listedCommands(README)];
  const preparations = all.filter(({ line }) => PREPARATIONS.includes(line));
  expect(preparations.map(({ line }) => line)).toEqual(PREPARATIONS);
  const commands = all.filter((one) => !preparations.includes(one));
  expect(commands.length).toBeGreaterThan(15);
  await useLibrary(firstExample(), shell);
  onTestFinished(() => shell.stopService());
  await shell.serve('npx svc serve');
  await walk(shell, commands);
});

describe.each(MAJORS.filter((major) => Number.parseInt(process.versions.node, 10) !== major))('on Node %i', (major) => {
  const node = findNode(major);

  test.skipIf(node === undefined)(
    'the program starts, computes as a desktop server, and is a library',
    { timeout: TIMEOUT_MS },
    async () => {
      const shell = makeShell(`node-${major}`, node ?? '');
      const version = await shell.run(`node ${ROOT}/bin/svc.js --version`);
      expect(version).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
      await useDesktopServer(desktopServer(ROOT), shell);
      await useLibrary(firstExample(), shell);
      await walk(
        shell,
        shellCommands(README).filter(({ line }) => line.startsWith('node ')),
      );
    },
  );

  test.skipIf(node === undefined)('every dependency in the lockfile accepts it', async () => {
    const shell = makeShell(`lock-${major}`, node ?? '');
    for (const name of ['package.json', 'package-lock.json']) shell.write(name, readFileSync(join(ROOT, name), 'utf8'));
    const { code, stdout, stderr } = await shell.run('npm ci --dry-run --offline');
    expect(stderr).not.toContain('EBADENGINE');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^add koa /m) });
  });
});
