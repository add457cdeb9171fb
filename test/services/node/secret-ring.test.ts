import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { SteppedClock } from '../../../src/core/clock.ts';
import { SealedBox } from '../../../src/services/node/sealed-box.ts';
import { SecretRing } from '../../../src/services/node/secret-ring.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { testDatabases } from '../../storage/databases.ts';

for (const database of testDatabases()) {
  describe(`secrets on ${database.name}`, () => {
    let storage: Storage | undefined;
    let masterKey: Uint8Array;
    afterAll(async () => storage && database.dispose(storage));
    beforeEach(async () => {
      storage ??= await database.open();
      await rows(storage.database.knex, 'delete from secret_epoch');
      masterKey = randomBytes(32);
    });

    function ring(key = masterKey): SecretRing {
      if (!storage) throw new Error('No database is open.');
      const { secrets, transaction } = storage;
      return new SecretRing({
        secrets,
        transaction,
        box: new SealedBox(key, randomBytes),
        clock: new SteppedClock(0n),
        randomBytes,
      });
    }

    test('nodes that start together share one secret of 32 bytes', async () => {
      const opened = await Promise.all([1, 2, 3, 4].map(() => ring().open('receipt')));
      expect(new Set(opened.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
      expect(opened[0]).toHaveLength(1);
      expect(opened[0]?.[0]).toMatchObject({ epoch: 1, retiredMs: undefined });
      expect(opened[0]?.[0]?.secret).toHaveLength(32);
    });

    test('rotation adds a secret in front and keeps the old one to verify with', async () => {
      const [before] = await ring().open('seal');
      const after = await ring().rotate('seal');
      expect(after.map(({ epoch, retiredMs }) => [epoch, retiredMs])).toEqual([
        [2, undefined],
        [1, 0],
      ]);
      expect(after[1]?.secret).toEqual(before?.secret);
      expect(after[0]?.secret).not.toEqual(before?.secret);
      expect(await ring().open('receipt')).toHaveLength(1);
    });

    test('the stored ciphertext does not contain the secret', async () => {
      const [created] = await ring().open('receipt');
      const [sealed] = (await storage?.secrets.list('receipt')) ?? [];
      expect(sealed?.ciphertext).toHaveLength(60);
      expect(Buffer.from(sealed?.ciphertext ?? []).includes(Buffer.from(created?.secret ?? []))).toBe(false);
    });

    test('another master key, a flipped bit or a moved row is rejected', async () => {
      const rejection = { code: 'VALIDATION_FAILED' };
      await ring().rotate('receipt');
      await expect(ring(randomBytes(32)).open('receipt')).rejects.toMatchObject(rejection);
      const on = storage?.database.knex;
      if (!on) throw new Error('No database is open.');
      for (const offset of [0, 12, 59]) {
        const flip =
          'update secret_epoch set ciphertext = set_byte(ciphertext, ?, get_byte(ciphertext, ?) # 1) where epoch = 2';
        await rows(on, flip, [offset, offset]);
        await expect(ring().open('receipt')).rejects.toMatchObject(rejection);
        await rows(on, flip, [offset, offset]);
      }
      expect(await ring().open('receipt')).toHaveLength(2);
      await rows(on, 'delete from secret_epoch where epoch = 2');
      await rows(on, 'update secret_epoch set epoch = 2');
      await expect(ring().open('receipt')).rejects.toMatchObject(rejection);
      await rows(on, `update secret_epoch set epoch = 1, purpose = 'seal'`);
      await expect(ring().open('seal')).rejects.toMatchObject(rejection);
    });
  });
}
