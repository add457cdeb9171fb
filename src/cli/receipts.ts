// svc verify FILE, svc replay FILE: both work with the network off.

import { readFileSync, statSync } from 'node:fs';
import type { BundleClaim } from '../chain/bundle.ts';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { KernelImage } from '../kernels/abi.ts';
import { loadKernel } from '../kernels/load-node.ts';
import { LocalRunner } from '../kernels/run-here.ts';
import { definitionOf } from '../operators/definition.ts';
import { OPERATORS } from '../operators/load.ts';
import { isBundle, kernelOf, readBundle, verifyChainBundle } from '../protocol/bundle.ts';
import { replayEnvelope, verifyEnvelope } from '../protocol/replay.ts';
import type { PublicJwk } from '../protocol/seal.ts';
import type { Untrusted } from '../protocol/untrusted.ts';
import { findSolver } from '../solvers/index.ts';
import { type CliContext, REFUSED_EXIT } from './context.ts';
import { paint, print, progressBar, say, type Terminal } from './terminal.ts';

interface ReceiptOptions {
  readonly jwks?: string;
  readonly kernel?: string;
  readonly json?: boolean;
}

/** A receipt with all its arrays inline is a few megabytes; nothing honest is larger. */
const MAX_FILE_BYTES = LIMITS.bundle.fileBytes;

export function readJson(path: string): Record<string, unknown> {
  let text: string;
  try {
    const { size } = statSync(path);
    if (size > MAX_FILE_BYTES)
      throw new DomainError('BODY_TOO_LARGE', `${path} has ${size} bytes; at most ${MAX_FILE_BYTES} are read.`);
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
    throw new DomainError('BAD_REQUEST', `${path} holds no JSON object.`);
  return value as Record<string, unknown>;
}

/** An envelope as it was answered, or as the library of runs gives it back. */
export function readEnvelope(path: string): Untrusted {
  return envelopeIn(readJson(path));
}

function envelopeIn(value: Untrusted): Untrusted {
  const { envelope } = value;
  return typeof envelope === 'object' && envelope !== null && value.seal === undefined
    ? (envelope as Untrusted)
    : value;
}

function readTrusted(path: string | undefined): PublicJwk[] | undefined {
  if (path === undefined) return undefined;
  const { keys } = readJson(path);
  if (!Array.isArray(keys))
    throw new DomainError('BAD_REQUEST', `${path} holds no key set: a JSON object with keys is expected.`);
  return keys.filter((key): key is PublicJwk => typeof key === 'object' && key !== null);
}

/** A receipt, or a bundle of either kind. */
export async function runVerify(
  { terminal, signal }: CliContext,
  file: string,
  options: ReceiptOptions,
): Promise<void> {
  const value = readJson(file);
  const trusted = readTrusted(options.jwks);
  const claims = isBundle(value)
    ? await bundleClaims(readBundle(value), trusted, signal)
    : verifyEnvelope(envelopeIn(value), trusted);
  const isValid = claims.every(({ ok }) => ok !== false);
  const isWhole = claims.every(({ ok }) => ok === true);
  const verdict = isWhole ? 'valid' : isValid ? 'valid, as far as it can be checked' : 'NOT VALID';
  if (options.json) print(terminal, JSON.stringify({ ok: true, valid: isValid, claims }, null, 2));
  else report(terminal, claims, verdict, isValid, options);
  if (!isValid) process.exitCode = REFUSED_EXIT;
}

/** Of a receipt with its kernel, the replay too: all that it needs is in the file. */
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
      { claim: 'replay', ok: false, reason: 'The kernel is another one.' },
    ];
  return (await replayEnvelope(bundle.envelope, tools, { signal })).claims;
}

export async function runReplay(
  { terminal, signal }: CliContext,
  file: string,
  options: ReceiptOptions,
): Promise<void> {
  const bar = progressBar(terminal, 'replay');
  const trusted = readTrusted(options.jwks);
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
    report(
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
      print(terminal, paint(terminal, 'yellow', `  ${id} is defined otherwise in the registry of this version`));
  }
  if (!result.equal) process.exitCode = REFUSED_EXIT;
}

/** The kernel of this version if it is the one that is asked for, else the file that was given. */
export async function findKernel(sha256: string, slug: string, path: string | undefined): Promise<KernelImage> {
  if (path !== undefined) {
    const bytes = new Uint8Array(readFileSync(path));
    const found = sha256Hex(bytes);
    if (found === sha256) return { slug, sha256, bytes };
    throw new DomainError('KERNEL_UNAVAILABLE', `${path} has the hash ${found}; the receipt names ${sha256}.`);
  }
  const current = await loadKernel(slug).catch(() => undefined);
  if (current?.sha256 === sha256) return current;
  throw new DomainError(
    'KERNEL_UNAVAILABLE',
    `This version has another kernel than ${sha256}. Fetch it from /api/kernels/${sha256}.wasm and give it with --kernel.`,
  );
}

function report(
  terminal: Terminal,
  claims: readonly BundleClaim[],
  verdict: string,
  isGood: boolean,
  { jwks }: ReceiptOptions,
): void {
  print(terminal, paint(terminal, isGood ? 'green' : 'red', verdict));
  for (const { claim, ok, reason } of claims)
    print(terminal, `  ${ok === null ? '?' : ok ? '✓' : '✗'} ${claim}${reason === undefined ? '' : ` — ${reason}`}`);
  if (jwks === undefined)
    say(terminal, paint(terminal, 'dim', 'the key that signed is not pinned; --jwks FILE says whose keys you trust'));
}
