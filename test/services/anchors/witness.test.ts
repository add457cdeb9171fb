// Witness: which checkpoints it cosigns, and which it rejects.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cosignatureTime } from '../../../src/chain/cosignature.ts';
import { consistencyRanges, emptyRoot, rangeHash, treeRoot } from '../../../src/chain/merkle.ts';
import { parseCheckpoint, parseVerifierKey, signatureLine, signCheckpoint } from '../../../src/chain/note.ts';
import { toBase64 } from '../../../src/core/bits.ts';
import { SteppedClock } from '../../../src/core/clock.ts';
import { utf8 } from '../../../src/core/sha256.ts';
import { WitnessService } from '../../../src/services/anchors/witness.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { readerOf } from '../../chain/reference-tree.ts';
import { testSigner } from '../../chain/signer.ts';
import { testDatabases } from '../../storage/databases.ts';

const log = testSigner(3);
const stranger = testSigner(4);
const signer = testSigner(5);
const SECOND = 1_679_315_147n;

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    let witness: WitnessService;
    const clock = new SteppedClock(SECOND * 1_000_000_000n + 999_999_999n);
    const open = (origin: string) =>
      new WitnessService({
        witnessed: storage.witnessed,
        logs: [{ name: origin, publicKey: log.publicKey, algorithm: 'ed25519' }],
        signer,
        name: 'node.example/witness',
        clock,
      });
    beforeAll(async () => {
      storage = await database.open();
    });
    afterAll(() => database.dispose(storage));

    /** Creates a log for one test, with its leaves, checkpoints and proofs. */
    function newLog() {
      const origin = `log.example/${randomBytes(6).toString('hex')}`;
      const leaves = Array.from({ length: 300 }, () => Uint8Array.from(randomBytes(32)));
      witness = open(origin);
      const rootAt = (size: number) => treeRoot(leaves.slice(0, size));
      const noteAt = (size: number, by = log) => signCheckpoint({ origin, size, root: rootAt(size) }, by);
      const proof = (from: number, to: number) =>
        consistencyRanges(from, to).map((range) => toBase64(rangeHash(range, readerOf(leaves))));
      const submission = (from: number, to: number, note = noteAt(to)) =>
        [`old ${from}`, ...proof(from, to), '', note].join('\n');
      const submit = (from: number, to: number, note?: string) => witness.addCheckpoint(submission(from, to, note));
      return { origin, leaves, rootAt, noteAt, proof, submission, submit };
    }

    test('a checkpoint that extends the log is cosigned, with the time and the name of the witness', async () => {
      const { noteAt, submit } = newLog();
      const key = parseVerifierKey(witness.verifierKey);
      expect(key).toMatchObject({ name: 'node.example/witness', algorithm: 'cosignature' });
      for (const [from, to] of [
        [0, 3],
        [3, 3],
        [3, 128],
        [128, 129],
        [129, 300],
      ] as const) {
        const line = await submit(from, to);
        const cosigned = parseCheckpoint(noteAt(to) + line);
        expect(cosigned && cosignatureTime(cosigned, 'node.example/witness', signer.publicKey)).toBe(Number(SECOND));
      }
    });

    test('an empty log may be cosigned before its first leaf', async () => {
      const { submit, origin } = newLog();
      await submit(0, 0);
      await submit(0, 5);
      const other = signCheckpoint({ origin, size: 0, root: emptyRoot() }, log);
      await expect(submit(5, 0, other)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    });

    test('an unknown log is not found, before its signature is checked', async () => {
      const { rootAt } = newLog();
      const note = signCheckpoint({ origin: 'log.example/other', size: 3, root: rootAt(3) }, stranger);
      await expect(witness.addCheckpoint(`old 0\n\n${note}`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('a checkpoint without a signature of the log is forbidden, whatever other signatures it has', async () => {
      const { noteAt, submit, origin } = newLog();
      await expect(submit(0, 3, noteAt(3, stranger))).rejects.toMatchObject({ code: 'FORBIDDEN' });
      const parsed = parseCheckpoint(noteAt(3));
      const extra = signatureLine(origin, stranger.publicKey, stranger.sign(utf8(parsed?.text ?? '')));
      await expect(submit(0, 3, noteAt(3) + extra)).resolves.toContain('node.example/witness');
    });

    test('a wrong old size is a conflict that returns the stored size', async () => {
      const { submit } = newLog();
      await expect(submit(2, 3)).rejects.toMatchObject({ code: 'CONFLICT', facts: { size: 0 } });
      await submit(0, 10);
      for (const [from, to] of [
        [0, 20],
        [9, 20],
        [11, 20],
      ] as const)
        await expect(submit(from, to)).rejects.toMatchObject({ code: 'CONFLICT', facts: { size: 10 } });
      await submit(10, 20);
    });

    test('another tree of the same size is a conflict, and a wrong proof is rejected', async () => {
      const { origin, submit, noteAt, proof } = newLog();
      await submit(0, 10);
      const forged = (size: number) => signCheckpoint({ origin, size, root: treeRoot([utf8('forged')]) }, log);
      await expect(submit(10, 10, forged(10))).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(submit(10, 20, forged(20))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      const wrong = (lines: string[]) => witness.addCheckpoint(['old 10', ...lines, '', noteAt(20)].join('\n'));
      await expect(wrong(proof(9, 20))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      await expect(wrong(proof(10, 20).slice(1))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      await expect(wrong([])).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      await submit(10, 20);
    });

    test('a first checkpoint must have no proof', async () => {
      const { noteAt, proof } = newLog();
      const body = ['old 0', ...proof(5, 20), '', noteAt(20)].join('\n');
      await expect(witness.addCheckpoint(body)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    });

    test('one of several concurrent submissions is cosigned, and the stored size never decreases', async () => {
      const { origin, submit } = newLog();
      await submit(0, 5);
      const sizes = [6, 50, 7, 300, 8];
      const outcomes = await Promise.allSettled(sizes.map((to) => submit(5, to)));
      const accepted = sizes.filter((_, i) => outcomes[i]?.status === 'fulfilled');
      expect(accepted.length).toBe(1);
      for (const one of outcomes)
        if (one.status === 'rejected')
          expect(one.reason).toMatchObject({ code: 'CONFLICT', facts: { size: accepted[0] } });
      expect(await storage.witnessed.newest(origin)).toMatchObject({ size: accepted[0] });
    });

    test('a cosigned checkpoint is remembered across restarts', async () => {
      const { origin, submit } = newLog();
      await submit(0, 5);
      witness = open(origin);
      await expect(submit(0, 9)).rejects.toMatchObject({ facts: { size: 5 } });
      await submit(5, 9);
    });
  });
}
