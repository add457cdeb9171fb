// svc verify and svc replay; both work offline.

import { readFileSync } from 'node:fs';
import type { MachineBundle } from '../chain/bundle.ts';
import { DomainError } from '../core/errors.ts';
import { shortText } from '../core/plain-text.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { KernelImage } from '../kernels/abi.ts';
import { findKernel as findBuiltKernel, loadKernel } from '../kernels/load-node.ts';
import { LocalRunner } from '../kernels/local-runner.ts';
import { registration } from '../operators/registered.ts';
import { isBundle, readBundle, verifyChainBundle } from '../protocol/bundle.ts';
import { foreignKernel } from '../protocol/bundled-kernel.ts';
import { openReceipt } from '../protocol/open-result.ts';
import {
  lawsClaim,
  type ReplayReport,
  type ReplayTools,
  replayEnvelope,
  replayResult,
  verifyEnvelope,
} from '../protocol/replay.ts';
import { sealedListOf } from '../protocol/seal.ts';
import { coveredFields, uncoveredFields } from '../protocol/sealed-fields.ts';
import { keyidOf, type PublicJwk } from '../protocol/signing.ts';
import type { Untrusted } from '../protocol/untrusted.ts';
import { describeReceipt, type ReceiptWords } from '../protocol/words/describe.ts';
import { previewValue } from '../protocol/words/preview.ts';
import { kernelSlugOf, registryKnowledge } from '../protocol/words/registry-knowledge.ts';
import {
  type CheckedClaim,
  completeClaims,
  isSealed,
  type ReceiptVerdict,
  receiptVerdict,
  UNCHECKABLE,
  unknownKeyTitle,
} from '../protocol/words/verdict.ts';
import { findSolver } from '../solvers/index.ts';
import { type CliContext, REJECTED_EXIT, UNKNOWN_KEY_EXIT } from './context.ts';
import { readJson } from './files.ts';
import { type OpenedReceipt, openBundle } from './receipt-files.ts';
import { printClaims, printWords } from './receipt-report.ts';
import { paint, print, printJson, printStatus, progressBar, type Terminal } from './terminal.ts';

interface ReceiptOptions {
  readonly jwks?: string;
  readonly kernel?: string;
  readonly json?: boolean;
}

/** Where the keys of the node that signed stand, and what to run once they are pinned. */
interface Pinning {
  readonly url: string;
  readonly command: string;
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
  const isUnchanged = claims.every(({ ok }) => ok !== false);
  const isComplete = claims.every(({ ok }) => ok === true);
  // Anybody can make a key and sign a history of their own with it.
  const isPinned = claims.some(({ claim, ok }) => claim === 'key pinned' && ok === true);
  const isValid = isUnchanged && isPinned;
  if (options.json) printJson(terminal, { ok: true, valid: isValid, claims });
  else {
    const title = isPinned ? 'valid' : unpinnedTitle(bundle);
    const verdict = isUnchanged ? `${title}${isComplete ? '' : ', but some claims could not be checked'}` : 'NOT VALID';
    print(terminal, paint(terminal, isUnchanged ? (isValid ? 'green' : 'yellow') : 'red', verdict));
    printClaims(terminal, claims);
    printPinningNote(terminal, options);
  }
  if (!isUnchanged) process.exitCode = REJECTED_EXIT;
  else if (!isValid) process.exitCode = UNKNOWN_KEY_EXIT;
}

const unpinnedTitle = ({ checkpoint }: MachineBundle) =>
  checkpoint === null ? 'not signed: the chain has no checkpoint yet' : unknownKeyTitle(checkpoint.verifier_key);

async function verifyReceipt(
  { terminal, signal }: CliContext,
  receipt: OpenedReceipt,
  trusted: readonly PublicJwk[] | undefined,
  options: ReceiptOptions,
): Promise<void> {
  const claims = await receiptClaims(receipt, trusted, signal);
  const { subject } = receipt;
  const verdict = receiptVerdict(claims, HINTS, keyidOf(subject));
  const words = await describe(subject, claims, trusted, options);
  const list = sealedListOf(subject);
  const coverage = { covered: coveredFields(subject, list), uncovered: uncoveredFields(subject, list) };
  const valid = isTrusted(verdict);
  if (options.json) printJson(terminal, { ok: true, valid, claims, ...coverage, verdict, receipt: words });
  else printReport(terminal, verdict, words, claims);
  setExitCode(verdict);
}

const isTrusted = ({ verdict }: ReceiptVerdict) => verdict === 'good' || verdict === 'partial';

function setExitCode(verdict: ReceiptVerdict): void {
  if (verdict.verdict === 'unknown_key') process.exitCode = UNKNOWN_KEY_EXIT;
  else if (!isTrusted(verdict)) process.exitCode = REJECTED_EXIT;
}

/** The title in capitals says that a check failed. */
function printReport(
  terminal: Terminal,
  verdict: ReceiptVerdict,
  words: ReceiptWords,
  claims: readonly CheckedClaim[],
  difference?: ReplayReport['first_difference'],
): void {
  const isBad = verdict.verdict === 'bad';
  const colour = isBad ? 'red' : isTrusted(verdict) ? 'green' : 'yellow';
  print(terminal, paint(terminal, colour, isBad ? verdict.title.toUpperCase() : verdict.title));
  if (difference) {
    print(terminal, `  first difference: ${shortText(difference.field)}`);
    print(terminal, `    stored      ${previewValue(difference.stored)}`);
    print(terminal, `    recomputed  ${previewValue(difference.recomputed)}`);
  }
  printWords(terminal, words, verdict);
  printClaims(terminal, completeClaims(claims, HINTS));
  print(terminal, `  ? ${UNCHECKABLE}`);
}

/** How to make the checks that `svc verify` does not make. */
const HINTS = {
  'key pinned': 'name the keys that you trust with --jwks FILE',
  kernel: 'run svc replay FILE',
  hmac: 'only the issuing node can check it, at POST /api/svc/verify',
} as const;

/** All checks that this file allows: without a seal only the replay, without a kernel in it only seal and laws. */
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
      return [{ claim: 'kernel', ok: null, reason: error.message }];
    }
  }
  const tools = replayTools(undefined, trusted);
  const sealClaims = () => [...verifyEnvelope(subject, trusted), lawsClaim(subject, tools)];
  if (kernel === undefined) return sealClaims();
  const foreign = foreignKernel(subject, kernel);
  if (foreign !== undefined) return [...sealClaims(), foreign];
  return (await replayEnvelope(subject, { ...tools, kernel: async () => kernel }, { signal })).claims;
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
    registration,
    ...(trusted === undefined ? {} : { trusted }),
  };
}

export async function runReplay(context: CliContext, file: string, options: ReceiptOptions): Promise<void> {
  await replayReceipt(context, readJson(file), options, { url: 'NODE', command: `svc replay ${file}` });
}

/** Runs a receipt or a result again, compares every bit and prints the report. */
export async function replayReceipt(
  { terminal, signal }: CliContext,
  receipt: Untrusted,
  options: ReceiptOptions,
  pinning: Pinning,
): Promise<void> {
  const bar = progressBar(terminal, 'replay');
  const trusted = readKeySet(options.jwks);
  const { subject, isSealed: hasSeal } = openReceipt(receipt);
  const controls = { signal, onProgress: (fraction: number) => bar.set(fraction) };
  const tools = replayTools(options.kernel, trusted);
  const run = hasSeal ? replayEnvelope(subject, tools, controls) : replayResult(subject, tools, controls);
  const result = await run.finally(() => bar.clear());
  const { claims } = result;
  const words = await describe(subject, claims, trusted, options);
  const verdict = receiptVerdict(claims, HINTS, keyidOf(subject));
  if (options.json) printJson(terminal, { ...result, verdict, receipt: words });
  else {
    printReport(terminal, verdict, words, claims, result.first_difference);
    printLaterRevision(terminal, result);
    if (verdict.verdict === 'unknown_key') printUnknownKey(terminal, claims, pinning);
  }
  // A result that nobody sealed has nothing to distrust but its numbers, and they were recomputed.
  if (verdict.verdict !== 'unsigned') setExitCode(verdict);
}

/** What a receipt without a trusted key proves, what it leaves open, and the command that closes it. */
function printUnknownKey(terminal: Terminal, claims: readonly CheckedClaim[], { url, command }: Pinning): void {
  const isEqual = ['kernel', 'answer'].every((name) => claims.some(({ claim, ok }) => claim === name && ok === true));
  const computed = isEqual ? ', and this computer finds every bit of it again' : '';
  printStatus(terminal, `proven: the receipt is as it was signed${computed}`);
  printStatus(
    terminal,
    `not proven: who signed it, for no key is pinned; therefore the exit code is ${UNKNOWN_KEY_EXIT}, not 0`,
  );
  const node = url === 'NODE' ? 'the node, in place of NODE,' : url;
  printStatus(
    terminal,
    `to pin the key, if you trust ${node} to name its own: curl -fsS ${url}/api/.well-known/jwks.json -o keys.json && ${command} --jwks keys.json`,
  );
}

/** Shows what another revision derives, beside the receipt. */
function printLaterRevision(terminal: Terminal, { revision: { sealed, current, derived }, laws }: ReplayReport): void {
  if (derived)
    print(
      terminal,
      `  revision ${current} derives ${derived.value} ± ${derived.uncertainty} ${derived.unit} from the same outputs; the receipt is of revision ${sealed}`,
    );
  for (const [id, verdict] of Object.entries(laws.by_id))
    if (verdict === 'changed since')
      print(
        terminal,
        paint(terminal, 'yellow', `  ${shortText(id)} has changed since; the receipt holds an earlier form`),
      );
}

/** The kernel with this hash: the given file, or a kernel of this or of an earlier version. */
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
  const known = await findBuiltKernel(sha256).catch(() => undefined);
  if (known !== undefined) return known;
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
