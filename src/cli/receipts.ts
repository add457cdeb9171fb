// svc verify and svc replay; both work offline.

import { readFileSync, statSync } from 'node:fs';
import type { BundleClaim } from '../chain/bundle.ts';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { KernelImage } from '../kernels/abi.ts';
import { loadKernel } from '../kernels/load-node.ts';
import { LocalRunner } from '../kernels/local-runner.ts';
import { definitionOf } from '../operators/definition.ts';
import { OPERATORS } from '../operators/load.ts';
import { isBundle, kernelOf, readBundle, verifyChainBundle } from '../protocol/bundle.ts';
import { replayEnvelope, verifyEnvelope } from '../protocol/replay.ts';
import type { PublicJwk } from '../protocol/seal.ts';
import type { Untrusted } from '../protocol/untrusted.ts';
import { findSolver } from '../solvers/index.ts';
import { type CliContext, REJECTED_EXIT } from './context.ts';
import { paint, print, printStatus, progressBar, type Terminal } from './terminal.ts';

interface ReceiptOptions {
  readonly jwks?: string;
  readonly kernel?: string;
  readonly json?: boolean;
}

/** A valid file is smaller: a receipt with all arrays inline has a few megabytes. */
const MAX_FILE_BYTES = LIMITS.bundle.fileBytes;

export function readJson(path: string): Record<string, unknown> {
  let text: string;
  try {
    const { size } = statSync(path);
    if (size > MAX_FILE_BYTES)
      throw new DomainError('BODY_TOO_LARGE', `${path} exceeds ${MAX_FILE_BYTES} bytes; it has ${size}.`);
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError(
      'NOT_FOUND',
      `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause },
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DomainError('BAD_REQUEST', `${path} is not JSON.`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DomainError('BAD_REQUEST', `${path} does not contain a JSON object.`);
  return value as Record<string, unknown>;
}

/** Reads an envelope, or one wrapped in a stored-run response. */
export function readEnvelope(path: string): Untrusted {
  return unwrapEnvelope(readJson(path));
}

function unwrapEnvelope(value: Untrusted): Untrusted {
  const { envelope } = value;
  return typeof envelope === 'object' && envelope !== null && value.seal === undefined
    ? (envelope as Untrusted)
    : value;
}

function readKeySet(path: string | undefined): PublicJwk[] | undefined {
  if (path === undefined) return undefined;
  const { keys } = readJson(path);
  if (!Array.isArray(keys)) throw new DomainError('BAD_REQUEST', `${path} is not a JSON Web Key Set.`);
  return keys.filter((key): key is PublicJwk => typeof key === 'object' && key !== null);
}

/** Verifies a receipt or a bundle of either kind. */
export async function runVerify(
  { terminal, signal }: CliContext,
  file: string,
  options: ReceiptOptions,
): Promise<void> {
  const value = readJson(file);
  const trusted = readKeySet(options.jwks);
  const claims = isBundle(value)
    ? await bundleClaims(readBundle(value), trusted, signal)
    : verifyEnvelope(unwrapEnvelope(value), trusted);
  const isValid = claims.every(({ ok }) => ok !== false);
  const isComplete = claims.every(({ ok }) => ok === true);
  const verdict = isComplete ? 'valid' : isValid ? 'valid, but some claims could not be checked' : 'NOT VALID';
  if (options.json) print(terminal, JSON.stringify({ ok: true, valid: isValid, claims }, null, 2));
  else printReport(terminal, claims, verdict, isValid, options);
  if (!isValid) process.exitCode = REJECTED_EXIT;
}

/** Verifies all claims. A receipt bundle contains its kernel, so it is replayed too. */
async function bundleClaims(
  bundle: ReturnType<typeof readBundle>,
  trusted: readonly PublicJwk[] | undefined,
  signal: AbortSignal,
): Promise<readonly BundleClaim[]> {
  if (bundle.kind === 'machine') return verifyChainBundle(bundle, trusted);
  const image = kernelOf(bundle);
  const tools = {
    kernel: async () => image,
    solver: findSolver,
    runner: new LocalRunner(),
    ...(trusted === undefined ? {} : { trusted }),
  };
  if (bundle.envelope.kernel_sha256 !== image.sha256)
    return [
      ...verifyEnvelope(bundle.envelope, trusted),
      { claim: 'replay', ok: false, reason: 'The kernel in the bundle is not the one that the receipt names.' },
    ];
  return (await replayEnvelope(bundle.envelope, tools, { signal })).claims;
}

export async function runReplay(
  { terminal, signal }: CliContext,
  file: string,
  options: ReceiptOptions,
): Promise<void> {
  const bar = progressBar(terminal, 'replay');
  const trusted = readKeySet(options.jwks);
  const tools = {
    kernel: (sha256: string, slug: string) => findKernel(sha256, slug, options.kernel),
    solver: findSolver,
    runner: new LocalRunner(),
    definition: (id: string) => {
      const operator = OPERATORS.get(id);
      return operator && definitionOf(operator);
    },
    ...(trusted === undefined ? {} : { trusted }),
  };
  const result = await replayEnvelope(readEnvelope(file), tools, {
    signal,
    onProgress: (fraction) => bar.set(fraction),
  }).finally(() => bar.clear());
  if (options.json) {
    print(terminal, JSON.stringify(result, null, 2));
  } else {
    const { first_difference: difference } = result;
    printReport(
      terminal,
      result.claims,
      result.equal ? 'bits equal' : difference ? 'BITS DIFFER' : 'bits equal, but NOT VALID',
      result.equal,
      options,
    );
    if (difference) {
      print(terminal, `  first difference: ${difference.field}`);
      print(terminal, `    stored      ${JSON.stringify(difference.stored)}`);
      print(terminal, `    recomputed  ${JSON.stringify(difference.recomputed)}`);
    }
    for (const id of result.registry?.changed ?? [])
      print(terminal, paint(terminal, 'yellow', `  ${id} has a different definition in this version`));
  }
  if (!result.equal) process.exitCode = REJECTED_EXIT;
}

/** The kernel with this hash: the given file, or the kernel of this version. */
export async function findKernel(sha256: string, slug: string, path: string | undefined): Promise<KernelImage> {
  if (path !== undefined) {
    const bytes = new Uint8Array(readFileSync(path));
    const actual = sha256Hex(bytes);
    if (actual === sha256) return { slug, sha256, bytes };
    throw new DomainError(
      'KERNEL_UNAVAILABLE',
      `The receipt requires kernel ${sha256}; ${path} has the hash ${actual}.`,
    );
  }
  const current = await loadKernel(slug).catch(() => undefined);
  if (current?.sha256 === sha256) return current;
  throw new DomainError(
    'KERNEL_UNAVAILABLE',
    `Kernel ${sha256} is not part of this version. Download /api/kernels/${sha256}.wasm and pass it with --kernel.`,
  );
}

function printReport(
  terminal: Terminal,
  claims: readonly BundleClaim[],
  verdict: string,
  isValid: boolean,
  { jwks }: ReceiptOptions,
): void {
  print(terminal, paint(terminal, isValid ? 'green' : 'red', verdict));
  for (const { claim, ok, reason } of claims)
    print(terminal, `  ${ok === null ? '?' : ok ? '✓' : '✗'} ${claim}${reason === undefined ? '' : ` — ${reason}`}`);
  if (jwks === undefined)
    printStatus(
      terminal,
      paint(terminal, 'dim', 'the signing key is not pinned; use --jwks FILE to name the keys that you trust'),
    );
}
