// Kernels: the bytes of every kernel that ever computed a sealed result, by SHA-256. They are never deleted, because a
// replay needs them.

import { createHash } from 'node:crypto';
import { type Executor, rows } from '../database/sql.ts';

export interface StoredKernel {
  readonly slug: string;
  /** Hex, lower case. */
  readonly sha256: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const SHA256 = /^[0-9a-f]{64}$/;

export class KernelRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Stores the kernel unless it is stored already. @throws RangeError if the hash is not that of the bytes */
  async put(kernel: StoredKernel, on: Executor = this.#knex): Promise<void> {
    const sha256 = createHash('sha256').update(kernel.bytes).digest();
    if (sha256.toString('hex') !== kernel.sha256) {
      throw new RangeError(`The bytes of kernel ${kernel.slug} do not have the hash ${kernel.sha256}.`);
    }
    await rows(on, 'insert into kernel (sha256, slug, bytes) values (?, ?, ?) on conflict (sha256) do nothing', [
      sha256,
      kernel.slug,
      kernel.bytes,
    ]);
  }

  async find(sha256: string, on: Executor = this.#knex): Promise<StoredKernel | undefined> {
    if (!SHA256.test(sha256)) return undefined;
    const [row] = await rows<{ slug: string; bytes: Uint8Array }>(
      on,
      'select slug, bytes from kernel where sha256 = ?',
      [Buffer.from(sha256, 'hex')],
    );
    return row && { slug: row.slug, sha256, bytes: new Uint8Array(row.bytes) };
  }
}
