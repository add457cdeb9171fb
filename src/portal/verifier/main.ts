// Offline verifier: one self-contained HTML file for signature checks and replays, built by scripts/portal/verifier.ts.

import '../worker/no-eval.ts';
import '../style/base.css';
import '../style/controls.css';
import '../style/solve.css';
import '../style/verify.css';
import '../style/print.css';
import { h, render } from 'preact';
import type { MachineBundle } from '../../chain/bundle.ts';
import { parseVerifierKey } from '../../chain/note.ts';
import { fromBase64 } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { EXPRESSION_KERNEL } from '../../expressions/evaluate.ts';
import { LocalRunner } from '../../kernels/local-runner.ts';
import { registration } from '../../operators/registered.ts';
import { COMPUTE } from '../../protocol/chain-computation.ts';
import { isKeySet, PinnedKeys, readKeySet } from '../../protocol/pinned-keys.ts';
import { replayEnvelope, replayResult, verifyEnvelope } from '../../protocol/replay.ts';
import { publicJwk, readPublicJwk } from '../../protocol/signing.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { describeReceipt, type ReaderKnowledge } from '../../protocol/words/describe.ts';
import type { LawWords } from '../../protocol/words/law-words.ts';
import { findSolver } from '../../solvers/index.ts';
import { watchTheme } from '../theme.ts';
import type { VerifyEngine } from '../verify/engine.ts';
import { withKeyOwner } from '../verify/key-owner.ts';
import { VerifyPanel } from '../verify/panel.ts';
import { openFile } from '../worker/open-file.ts';
import { readReceipt } from '../worker/receipt-file.ts';
import { verifyBundleTimed } from '../worker/verify-bundle.ts';

/** Base64 of every kernel in this build, by slug. */
declare const __KERNELS__: Readonly<Record<string, string>>;

/** Words about the laws of this build, by id. */
declare const __LAWS__: Readonly<Record<string, LawWords>>;

/** Read once: the build inserts the whole table at every use. */
const laws = __LAWS__;

const kernels = new Map<string, Uint8Array<ArrayBuffer>>();

function addKernel(bytes: Uint8Array<ArrayBuffer>): void {
  kernels.set(sha256Hex(bytes), bytes);
}

/** Hashes of the kernels of this build, by slug. */
const builtIn = new Map<string, string>();
for (const [slug, text] of Object.entries(__KERNELS__)) {
  const bytes = fromBase64(text) ?? new Uint8Array();
  addKernel(bytes);
  builtIn.set(slug, sha256Hex(bytes));
}

/** The kernel hash is that of this build only if a kernel of the build has it, not one that was dropped here. */
function knowledgeFor({ solver, public_key }: Untrusted): ReaderKnowledge {
  const trusted = pins.trusted(readPublicJwk(public_key));
  const slug = solver === COMPUTE ? EXPRESSION_KERNEL : String(solver);
  return {
    law: (id) => (Object.hasOwn(laws, id) ? laws[id] : undefined),
    registration,
    solver: findSolver,
    kernelSha256: builtIn.get(slug),
    keyOwner: () => (trusted?.length ? 'a key that you trust' : undefined),
  };
}

const pins = new PinnedKeys();
const OWNER = 'You named this key as trusted.';

/** The trusted keys for a receipt; none while nothing is pinned. */
function trustOptions({ public_key }: Untrusted) {
  const trusted = pins.trusted(readPublicJwk(public_key));
  return trusted === undefined ? {} : { trusted };
}

/** The key of the checkpoint of a bundle, if it has one. */
function checkpointKey({ checkpoint }: MachineBundle) {
  const key = checkpoint === null ? undefined : parseVerifierKey(checkpoint.verifier_key);
  return key && publicJwk(key.publicKey);
}

/** Larger files are no key sets. */
const MAX_KEY_SET_BYTES = 64_000;

async function addTool(file: File): Promise<boolean> {
  if (file.name.endsWith('.wasm')) {
    addKernel(new Uint8Array(await file.arrayBuffer()));
    return true;
  }
  const value = file.size > MAX_KEY_SET_BYTES ? {} : await readReceipt(file).catch(() => ({}));
  if (!isKeySet(value)) return false;
  for (const { kid } of readKeySet(value)) pins.add(kid);
  return true;
}

const runner = new LocalRunner();
const engine: VerifyEngine = {
  openFile,
  verifySeal: async (envelope) => withKeyOwner(verifyEnvelope(envelope, trustOptions(envelope).trusted), OWNER),
  verifyBundle: async (bundle) => {
    const { claims, elapsedMs } = verifyBundleTimed(bundle, pins.trusted(checkpointKey(bundle)));
    return { claims: withKeyOwner(claims, OWNER), elapsedMs };
  },
  describe: async (envelope, isSigned) => describeReceipt(envelope, knowledgeFor(envelope), isSigned),
  replay: ({ envelope, isSealed, kernel }, onProgress) =>
    (isSealed ? replayEnvelope : replayResult)(
      envelope,
      {
        kernel: async (sha256, slug) => {
          if (kernel?.sha256 === sha256) return kernel;
          const bytes = kernels.get(sha256);
          if (bytes) return { slug, sha256, bytes };
          throw new DomainError(
            'KERNEL_UNAVAILABLE',
            `Kernel ${sha256} is not included in this file. Drop the kernel here too; its node serves it at /api/kernels/${sha256}.wasm.`,
          );
        },
        solver: findSolver,
        registration,
        runner,
        ...trustOptions(envelope),
      },
      { onProgress },
    ),
  privacyNote: 'The file stays in this browser.',
  hints: {
    'key pinned': 'This page knows no keys. Name the key of the signer under “Keys that you trust”.',
    hmac: 'Only the issuing node can check this; the offline verifier contacts no server.',
  },
  addTool,
  pins,
};

/** Bundle that the service embedded in the page, if any. */
function embeddedBundle(): Blob | undefined {
  const text = document.getElementById('bundle')?.textContent;
  return text == null ? undefined : new Blob([text]);
}

function Verifier() {
  return h(
    'main',
    { class: 'page narrow' },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'svc verifier'),
      h(
        'p',
        { class: 'lead' },
        'This file contains everything it needs, sends nothing and works offline. Name the key of the signer, so that it can tell genuine receipts from forged ones.',
      ),
    ),
    h(VerifyPanel, { engine, embedded: embeddedBundle() }),
  );
}

watchTheme();
const root = document.getElementById('portal');
if (root) render(h(Verifier, null), root);
