// svc verify FILE, svc replay FILE: both work with the network off.

import { readFileSync, statSync } from 'node:fs';
import { DomainError } from '../core/errors.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { KernelImage } from '../kernels/abi.ts';
import { loadKernel } from '../kernels/load-node.ts';
import { LocalRunner } from '../kernels/run-here.ts';
import { printOperator } from '../operators/evaluate.ts';
import { findOperator } from '../operators/load.ts';
import { replayEnvelope, type Untrusted, verifyEnvelope } from '../protocol/replay.ts';
import type { Claim, PublicJwk } from '../protocol/seal.ts';
import { findSolver } from '../solvers/index.ts';
import type { CliContext } from './context.ts';
import { paint, print, progressBar, say, type Terminal } from './terminal.ts';

interface ReceiptOptions {
  readonly jwks?: string;
  readonly kernel?: string;
  readonly json?: boolean;
}

/** A receipt with all its arrays inline is a few megabytes; nothing honest is larger. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const REFUSED_EXIT = 4;

function readJson(path: string): Record<string, unknown> {
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
function readEnvelope(path: string): Untrusted {
  const value = readJson(path);
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

export async function runVerify({ terminal }: CliContext, file: string, options: ReceiptOptions): Promise<void> {
  const claims = verifyEnvelope(readEnvelope(file), readTrusted(options.jwks));
  const isValid = claims.every((claim) => claim.ok);
  if (options.json) print(terminal, JSON.stringify({ ok: true, valid: isValid, claims }, null, 2));
  else report(terminal, claims, isValid ? 'valid' : 'NOT VALID', isValid, options);
  if (!isValid) process.exitCode = REFUSED_EXIT;
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
    printEquation: (id: string, numbers: Readonly<Record<string, number>>) => printOperator(findOperator(id), numbers),
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
  }
  if (!result.equal) process.exitCode = REFUSED_EXIT;
}

/** The kernel of this version if it is the one that is asked for, else the file that was given. */
async function findKernel(sha256: string, slug: string, path: string | undefined): Promise<KernelImage> {
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
  claims: readonly Claim[],
  verdict: string,
  isGood: boolean,
  { jwks }: ReceiptOptions,
): void {
  print(terminal, paint(terminal, isGood ? 'green' : 'red', verdict));
  for (const { claim, ok, reason } of claims)
    print(terminal, `  ${ok ? '✓' : '✗'} ${claim}${reason === undefined ? '' : ` — ${reason}`}`);
  if (jwks === undefined)
    say(terminal, paint(terminal, 'dim', 'the key that signed is not pinned; --jwks FILE says whose keys you trust'));
}
