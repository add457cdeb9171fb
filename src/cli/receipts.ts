// svc verify and svc replay; both work offline.

import { readFileSync, statSync } from 'node:fs';
import type { MachineBundle } from '../chain/bundle.ts';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { shortText } from '../core/plain-text.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { KernelImage } from '../kernels/abi.ts';
import { loadKernel } from '../kernels/load-node.ts';
import { LocalRunner } from '../kernels/local-runner.ts';
import { definitionOf } from '../operators/definition.ts';
import { OPERATORS } from '../operators/load.ts';
import { isBundle, kernelOf, type ReceiptBundle, readBundle, verifyChainBundle } from '../protocol/bundle.ts';
import { isResultFile, openResultFile } from '../protocol/open-result.ts';
import { type ReplayTools, replayEnvelope, replayResult, verifyEnvelope } from '../protocol/replay.ts';
import type { PublicJwk } from '../protocol/seal.ts';
import type { Untrusted } from '../protocol/untrusted.ts';
import { describeReceipt, type ReceiptWords } from '../protocol/words/describe.ts';
import { previewValue } from '../protocol/words/preview.ts';
import { kernelSlugOf, registryKnowledge } from '../protocol/words/registry-knowledge.ts';
import { type CheckedClaim, completeClaims, isSealed, receiptVerdict, UNCHECKABLE } from '../protocol/words/verdict.ts';
import { findSolver } from '../solvers/index.ts';
import { type CliContext, REJECTED_EXIT } from './context.ts';
import { printClaims, printWords } from './receipt-report.ts';
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

/** Reads an envelope, one wrapped in a stored-run response, or that of a result file. */
export function readEnvelope(path: string): Untrusted {
  return openReceipt(readJson(path)).subject;
}

/** A receipt of any form of file. */
interface OpenedReceipt {
  /** The envelope or, if `isSealed` is false, the pure fields of a result that nobody sealed. */
  readonly subject: Untrusted;
  readonly isSealed: boolean;
  /** Kernel in a bundle. */
  readonly kernel?: KernelImage;
  readonly claims: readonly CheckedClaim[];
}

function openReceipt(value: Untrusted): OpenedReceipt {
  if (isResultFile(value)) return openResultFile(value);
  const { envelope } = value;
  const isWrapped = typeof envelope === 'object' && envelope !== null && value.seal === undefined;
  return { subject: isWrapped ? (envelope as Untrusted) : value, isSealed: true, claims: [] };
}

function readKeySet(path: string | undefined): PublicJwk[] | undefined {
  if (path === undefined) return undefined;
  const { keys } = readJson(path);
  if (!Array.isArray(keys)) throw new DomainError('BAD_REQUEST', `${path} is not a JSON Web Key Set.`);
  return keys.filter((key): key is PublicJwk => typeof key === 'object' && key !== null);
}

/** Verifies a receipt, a result file or a bundle of either kind. */
export async function runVerify(context: CliContext, file: string, options: ReceiptOptions): Promise<void> {
  const value = readJson(file);
  const trusted = readKeySet(options.jwks);
  const bundle = isBundle(value) ? readBundle(value) : undefined;
  if (bundle?.kind === 'machine') verifyMachineBundle(context, bundle, trusted, options);
  else await verifyReceipt(context, bundle ? openBundle(bundle) : openReceipt(value), trusted, options);
}

function verifyMachineBundle(
  { terminal }: CliContext,
  bundle: MachineBundle,
  trusted: readonly PublicJwk[] | undefined,
  options: ReceiptOptions,
): void {
  const claims = verifyChainBundle(bundle, trusted);
  const isValid = claims.every(({ ok }) => ok !== false);
  const isComplete = claims.every(({ ok }) => ok === true);
  if (options.json) print(terminal, JSON.stringify({ ok: true, valid: isValid, claims }, null, 2));
  else {
    const verdict = isComplete ? 'valid' : isValid ? 'valid, but some claims could not be checked' : 'NOT VALID';
    print(terminal, paint(terminal, isValid ? 'green' : 'red', verdict));
    printClaims(terminal, claims);
    printPinningNote(terminal, options);
  }
  if (!isValid) process.exitCode = REJECTED_EXIT;
}

/** A receipt bundle contains its kernel, so it is replayed too. */
function openBundle(bundle: ReceiptBundle): OpenedReceipt {
  return { subject: bundle.envelope, isSealed: true, kernel: kernelOf(bundle), claims: [] };
}

async function verifyReceipt(
  { terminal, signal }: CliContext,
  receipt: OpenedReceipt,
  trusted: readonly PublicJwk[] | undefined,
  options: ReceiptOptions,
): Promise<void> {
  const claims = [...(await receiptClaims(receipt, trusted, signal)), ...receipt.claims];
  const verdict = receiptVerdict(claims, HINTS);
  const words = await describe(receipt.subject, claims, trusted, options);
  const isValid = verdict.verdict === 'good' || verdict.verdict === 'partial';
  if (options.json)
    print(terminal, JSON.stringify({ ok: true, valid: isValid, claims, verdict, receipt: words }, null, 2));
  else {
    print(terminal, paint(terminal, isValid ? 'green' : 'red', isValid ? verdict.title : verdict.title.toUpperCase()));
    printWords(terminal, words, verdict);
    printClaims(terminal, completeClaims(claims, HINTS));
    print(terminal, `  ? ${UNCHECKABLE}`);
  }
  if (!isValid) process.exitCode = REJECTED_EXIT;
}

/** How to make the checks that `svc verify` does not make. */
const HINTS = {
  'key pinned': 'name the keys that you trust with --jwks FILE',
  replay: 'run svc replay FILE',
  hmac: 'only the issuing node can check it, at POST /api/svc/verify',
} as const;

/** All checks that this file allows: without a seal only the replay, without a kernel in the file only the seal. */
async function receiptClaims(
  { subject, isSealed, kernel }: OpenedReceipt,
  trusted: readonly PublicJwk[] | undefined,
  signal: AbortSignal,
): Promise<readonly CheckedClaim[]> {
  if (!isSealed) {
    try {
      return (await replayResult(subject, replayTools(undefined, undefined), { signal })).claims;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'KERNEL_UNAVAILABLE') throw error;
      return [{ claim: 'replay', ok: null, reason: error.message }];
    }
  }
  if (kernel === undefined) return verifyEnvelope(subject, trusted);
  if (subject.kernel_sha256 !== kernel.sha256)
    return [
      ...verifyEnvelope(subject, trusted),
      { claim: 'replay', ok: false, reason: 'The kernel in the bundle is not the one that the receipt names.' },
    ];
  const tools = { ...replayTools(undefined, trusted), kernel: async () => kernel };
  return (await replayEnvelope(subject, tools, { signal })).claims;
}

/** The receipt in words, with the kernels and the registry of this version. */
async function describe(
  subject: Untrusted,
  claims: readonly CheckedClaim[],
  trusted: readonly PublicJwk[] | undefined,
  { jwks }: ReceiptOptions,
): Promise<ReceiptWords> {
  const slug = kernelSlugOf(subject);
  const kernel = slug === undefined ? undefined : await loadKernel(slug).catch(() => undefined);
  const keyOwner = ({ kid, x }: Untrusted) =>
    trusted?.some((key) => key.kid === kid && key.x === x) ? `one of the keys in ${jwks}` : undefined;
  return describeReceipt(subject, registryKnowledge(kernel?.sha256, keyOwner), isSealed(claims));
}

function replayTools(kernelPath: string | undefined, trusted: readonly PublicJwk[] | undefined): ReplayTools {
  return {
    kernel: (sha256, slug) => findKernel(sha256, slug, kernelPath),
    solver: findSolver,
    runner: new LocalRunner(),
    definition: (id) => {
      const operator = OPERATORS.get(id);
      return operator && definitionOf(operator);
    },
    ...(trusted === undefined ? {} : { trusted }),
  };
}

export async function runReplay(
  { terminal, signal }: CliContext,
  file: string,
  options: ReceiptOptions,
): Promise<void> {
  const bar = progressBar(terminal, 'replay');
  const trusted = readKeySet(options.jwks);
  const { subject, isSealed: hasSeal, claims: others } = openReceipt(readJson(file));
  const controls = { signal, onProgress: (fraction: number) => bar.set(fraction) };
  const tools = replayTools(options.kernel, trusted);
  const run = hasSeal ? replayEnvelope(subject, tools, controls) : replayResult(subject, tools, controls);
  const result = await run.finally(() => bar.clear());
  const claims = [...result.claims, ...others];
  const isEqual = claims.every(({ ok }) => ok === true);
  const words = await describe(subject, claims, trusted, options);
  const verdict = receiptVerdict(claims, HINTS);
  if (options.json) {
    print(terminal, JSON.stringify({ ...result, equal: isEqual, claims, verdict, receipt: words }, null, 2));
  } else {
    const { first_difference: difference } = result;
    const title = difference ? 'BITS DIFFER' : isEqual ? 'bits equal' : 'bits equal, but NOT VALID';
    print(terminal, paint(terminal, isEqual ? 'green' : 'red', hasSeal || !isEqual ? title : `${title}; not signed`));
    if (difference) {
      print(terminal, `  first difference: ${shortText(difference.field)}`);
      print(terminal, `    stored      ${previewValue(difference.stored)}`);
      print(terminal, `    recomputed  ${previewValue(difference.recomputed)}`);
    }
    printWords(terminal, words, verdict);
    printClaims(terminal, completeClaims(claims, HINTS));
    print(terminal, `  ? ${UNCHECKABLE}`);
    for (const id of result.registry?.changed ?? [])
      print(terminal, paint(terminal, 'yellow', `  ${shortText(id)} has a different definition in this version`));
  }
  if (!isEqual) process.exitCode = REJECTED_EXIT;
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

function printPinningNote(terminal: Terminal, { jwks }: ReceiptOptions): void {
  if (jwks === undefined)
    printStatus(
      terminal,
      paint(terminal, 'dim', 'the signing key is not pinned; use --jwks FILE to name the keys that you trust'),
    );
}
