// Folder of the archive: one folder for each machine, with files that are written once and never changed.
//
// A file is written under another name, synced, renamed, and its folder synced: after a crash at any moment it is
// whole or missing. Names say machine, range and hash, so any store of objects can serve the same tree.

import { constants } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../../core/errors.ts';

/** What names a file. */
export interface FileName {
  readonly machineId: string;
  readonly first: number;
  readonly last: number;
  /** Hex. */
  readonly sha256: string;
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const HASH_DIGITS = 16;
const NAME = /^(\d+)-(\d+)-([0-9a-f]{16})\.ndjson\.gz$/;
const UNFINISHED = /^\.[0-9a-f-]+\.new$/;
/** A file under its first name that is older was left by a node that ended; writing takes a second. */
const UNFINISHED_MS = 3_600_000;

/** The path within the archive, which is the same in an object store. */
export function pathOf({ machineId, first, last, sha256 }: FileName): string {
  return `${machineId}/${first}-${last}-${sha256.slice(0, HASH_DIGITS)}.ndjson.gz`;
}

export class ArchiveFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws DomainError ARCHIVE_UNAVAILABLE */
  async read(name: FileName): Promise<Uint8Array> {
    return readFile(join(this.#folder, pathOf(name))).catch((error: unknown) => {
      throw unavailable(`File ${pathOf(name)} of the archive cannot be read`, error);
    });
  }

  /** Writes a file, or the same one again. @throws DomainError ARCHIVE_UNAVAILABLE, also if the disk is full */
  async write(name: FileName, bytes: Uint8Array): Promise<void> {
    const folder = join(this.#folder, name.machineId);
    const unfinished = join(folder, `.${crypto.randomUUID()}.new`);
    try {
      await access(this.#folder, constants.W_OK);
      await mkdir(folder, { recursive: true });
      await writeSynced(unfinished, bytes);
      await rename(unfinished, join(this.#folder, pathOf(name)));
      await syncFolder(folder);
      await syncFolder(this.#folder);
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {});
      throw unavailable(`File ${pathOf(name)} of the archive cannot be written`, error);
    }
  }

  /** Files of a machine by range, as digits of their hashes. */
  async files(
    machineId: string,
  ): Promise<{ readonly first: number; readonly last: number; readonly digits: string }[]> {
    const names = await readdir(join(this.#folder, machineId)).catch(() => []);
    return names.flatMap((name) => {
      const [, first, last, digits = ''] = NAME.exec(name) ?? [];
      return first === undefined ? [] : [{ first: Number(first), last: Number(last), digits }];
    });
  }

  /** @throws DomainError ARCHIVE_UNAVAILABLE */
  async remove(name: FileName): Promise<void> {
    await rm(join(this.#folder, pathOf(name)), { force: true }).catch((error: unknown) => {
      throw unavailable(`File ${pathOf(name)} of the archive cannot be removed`, error);
    });
  }

  /** Removes what writers that ended have left. */
  async removeUnfinished(machineId: string, nowMs: number): Promise<void> {
    const folder = join(this.#folder, machineId);
    for (const name of (await readdir(folder).catch(() => [])).filter((each) => UNFINISHED.test(each))) {
      const path = join(folder, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: nowMs }));
      if (mtimeMs < nowMs - UNFINISHED_MS) await rm(path, { force: true });
    }
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes names in a folder survive a power cut; some systems cannot sync folders. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync().catch(() => {});
  } finally {
    await folder.close();
  }
}

function unavailable(what: string, cause: unknown): DomainError {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  const why = FULL.has(code)
    ? 'its disk is full'
    : code === 'ENOENT'
      ? 'file or folder is missing'
      : code || String(cause);
  return new DomainError('ARCHIVE_UNAVAILABLE', `${what}: ${why}.`, { cause, retryAfterSeconds: 60 });
}
