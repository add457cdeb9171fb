// The verifier as one file: signature and replay with nothing but what is inside. scripts/portal/verifier.ts puts it together.

import '../work/no-eval.ts';
import '../style/base.css';
import '../style/controls.css';
import '../style/solve.css';
import '../style/verify.css';
import { h, render } from 'preact';
import { fromBase64 } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { LocalRunner } from '../../kernels/run-here.ts';
import { replayEnvelope, verifyEnvelope } from '../../protocol/replay.ts';
import { findSolver } from '../../solvers/index.ts';
import { watchTheme } from '../theme.ts';
import type { VerifyEngine } from '../verify/engine.ts';
import { VerifyPanel } from '../verify/panel.ts';
import { timedChainBundle } from '../work/bundle.ts';
import { openFile } from '../work/open-file.ts';

/** Base64 of every kernel of this build, by slug. */
declare const __KERNELS__: Readonly<Record<string, string>>;

const kernels = new Map<string, Uint8Array<ArrayBuffer>>();

function keep(bytes: Uint8Array<ArrayBuffer>): void {
  kernels.set(sha256Hex(bytes), bytes);
}

for (const text of Object.values(__KERNELS__)) keep(fromBase64(text) ?? new Uint8Array());

const runner = new LocalRunner();
const engine: VerifyEngine = {
  open: openFile,
  seal: async (envelope) => verifyEnvelope(envelope),
  bundle: async (bundle) => timedChainBundle(bundle),
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
            `This file holds other kernels than ${sha256}. Drop that kernel here too; its node serves it as /api/kernels/${sha256}.wasm.`,
          );
        },
        solver: findSolver,
        runner,
      },
      { onProgress },
    ),
  whereabouts: 'It stays in this browser.',
  hmacReason: 'Only the node that issued it can say; this file asks nobody.',
  addKernel: async (file) => keep(new Uint8Array(await file.arrayBuffer())),
};

/** The bundle that the service put into the page, where it did. */
function bundleInside(): Blob | undefined {
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
        'Everything it needs is in this file. It sends nothing, and works with the network off. Compare the key that signed with the one you know.',
      ),
    ),
    h(VerifyPanel, { engine, inside: bundleInside() }),
  );
}

watchTheme();
const root = document.getElementById('portal');
if (root) render(h(Verifier, null), root);
