// Offline verifier: one self-contained HTML file for signature checks and replays, built by scripts/portal/verifier.ts.

import '../worker/no-eval.ts';
import '../style/base.css';
import '../style/controls.css';
import '../style/solve.css';
import '../style/verify.css';
import { h, render } from 'preact';
import { fromBase64 } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { LocalRunner } from '../../kernels/local-runner.ts';
import { replayEnvelope, verifyEnvelope } from '../../protocol/replay.ts';
import { findSolver } from '../../solvers/index.ts';
import { watchTheme } from '../theme.ts';
import type { VerifyEngine } from '../verify/engine.ts';
import { VerifyPanel } from '../verify/panel.ts';
import { openFile } from '../worker/open-file.ts';
import { verifyBundleTimed } from '../worker/verify-bundle.ts';

/** Base64 of every kernel in this build, by slug. */
declare const __KERNELS__: Readonly<Record<string, string>>;

const kernels = new Map<string, Uint8Array<ArrayBuffer>>();

function addKernel(bytes: Uint8Array<ArrayBuffer>): void {
  kernels.set(sha256Hex(bytes), bytes);
}

for (const text of Object.values(__KERNELS__)) addKernel(fromBase64(text) ?? new Uint8Array());

const runner = new LocalRunner();
const engine: VerifyEngine = {
  openFile,
  verifySeal: async (envelope) => verifyEnvelope(envelope),
  verifyBundle: async (bundle) => verifyBundleTimed(bundle),
  replay: (envelope, onProgress, kernel) =>
    replayEnvelope(
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
        runner,
      },
      { onProgress },
    ),
  privacyNote: 'The file stays in this browser.',
  hmacReason: 'Only the issuing node can check this; the offline verifier contacts no server.',
  addKernel: async (file) => addKernel(new Uint8Array(await file.arrayBuffer())),
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
        'This file contains everything it needs, sends nothing and works offline. Compare the signing key with the one you know.',
      ),
    ),
    h(VerifyPanel, { engine, embedded: embeddedBundle() }),
  );
}

watchTheme();
const root = document.getElementById('portal');
if (root) render(h(Verifier, null), root);
