// Seals the cases of the museum with the code of today and writes those that no room holds to a new one: self-contained
// receipts, the keys that signed them, and the verdict of each claim. The kernels go to the archive (kernels/).
//
//   node test/receipts/make-state.ts 2026-11-claims
//
// A room is written once and never edited: what it holds must replay for ever. See docs/receipts.md.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KernelImage } from '../../src/kernels/abi.ts';
import { replayEnvelope } from '../../src/protocol/replay.ts';
import { sealEnvelope, statementOf } from '../../src/protocol/seal.ts';
import { sealBatch } from '../../src/protocol/seal-batch.ts';
import type { Untrusted } from '../../src/protocol/untrusted.ts';
import { type Computed, compute, replayTools, signer, signerOf, solve, unsealed } from '../protocol/sealed-case.ts';
import { BATCH, COMPUTE_CASES, SOLVER_CASES } from './cases.ts';
import { isHeld, type Verdicts } from './museum.ts';
import { writeWaiting } from './waiting.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Bytes of a self-contained receipt. */
const MAX_BYTES = 1_000_000;

const [state] = process.argv.slice(2);
if (state === undefined || !/^\d{4}-\d{2}-[a-z-]+$/.test(state))
  throw new Error('Name the state by month and subject: 2026-11-claims.');
const room = join(ROOT, 'test/receipts', state);
if (existsSync(room)) throw new Error(`The room ${state} exists; what it holds is never edited.`);

const bodies = new Map<string, Untrusted>();
const kernels = new Map<string, KernelImage>();
for (const [name, { solver, fields, operators = [], stamps }] of Object.entries(SOLVER_CASES))
  add(name, await solve(solver, fields, { isComplete: true, operators }), stamps);
for (const [name, { request, stamps }] of Object.entries(COMPUTE_CASES))
  add(name, await compute(request, true), stamps);

function add(name: string, computed: Computed, stamps: Parameters<typeof unsealed>[1]): void {
  kernels.set(computed.image.sha256, computed.image);
  bodies.set(name, JSON.parse(JSON.stringify(unsealed(computed, stamps))) as Untrusted);
}

const seal = (body: Untrusted, by = signer) => ({ ...body, public_key: by.publicKey, seal: sealEnvelope(body, by) });
const receipts = new Map<string, Untrusted>([...bodies].map(([name, body]) => [name, seal(body)]));
const batch = BATCH.map((name) => bodies.get(name) ?? {});
for (const [at, one] of sealBatch(
  batch.map((body) => statementOf(body)),
  signer,
).entries())
  receipts.set(`batch-${BATCH[at]}`, { ...batch[at], seal: one });

// Forgeries, which every later release must refuse too.
const box = bodies.get('compute-box') ?? {};
receipts.set('forged-key', seal(box, signerOf(66)));
receipts.set('forged-law', seal(withLaw(box, 'E = n^2*pi^2*hbar^2/(4*m*L^2)')));
receipts.set('forged-value', seal({ ...box, value: 1e-18 }));

/** The same receipt of a law that nobody registered. */
function withLaw(body: Untrusted, equation: string): Untrusted {
  const definitions = body.definitions as readonly Untrusted[];
  return { ...body, definitions: definitions.map((one) => (one.id === 'QM5' ? { ...one, equation } : one)) };
}

mkdirSync(room);
const verdicts: Record<string, Verdicts> = {};
for (const [name, receipt] of receipts) {
  const text = `${JSON.stringify(receipt)}\n`;
  if (isHeld(text)) continue;
  if (text.length > MAX_BYTES) throw new Error(`${name} has ${text.length} bytes; at most ${MAX_BYTES} are allowed.`);
  const { claims, revision } = await replayEnvelope(receipt, replayTools());
  verdicts[name] = {
    revision: revision.sealed,
    claims: Object.fromEntries(claims.map(({ claim, ok }) => [claim, ok])),
  };
  writeFileSync(join(room, `${name}.json`), text);
}
writeFileSync(join(room, 'verdicts.json'), `${JSON.stringify(verdicts, null, 2)}\n`);
writeFileSync(join(room, 'keys.json'), `${JSON.stringify({ keys: [signer.publicKey] }, null, 2)}\n`);
for (const { slug, sha256, bytes } of kernels.values()) {
  mkdirSync(join(ROOT, 'kernels', slug), { recursive: true });
  writeFileSync(join(ROOT, 'kernels', slug, `${sha256}.wasm`), bytes);
}
writeWaiting([]);
console.log(
  `${Object.keys(verdicts).length} of ${receipts.size} receipts in test/receipts/${state}, ${kernels.size} kernels`,
);
