// Bundles of both kinds: a range of rows of a chain (chain/bundle.ts), or a receipt with the kernel that computed it.

import { z } from 'zod';
import { BUNDLE_FORMAT, type BundleClaim, MachineBundle, payloadOf, verifyMachineBundle } from '../chain/bundle.ts';
import { sourcesOf, type Transition } from '../contracts/definition.ts';
import { ownOf } from '../contracts/migration/kept.ts';
import { Migration } from '../contracts/migration/schema.ts';
import { fromBase64, fromBase64Url, toBase64 } from '../core/bits.ts';
import { DomainError } from '../core/errors.ts';
import { isRecord } from '../core/record.ts';
import { sha256Hex } from '../core/sha256.ts';
import { parseOrThrow, quoteValue } from '../core/validation.ts';
import type { KernelImage } from '../kernels/abi.ts';
import type { PublicJwk } from './signing.ts';
import type { Untrusted } from './untrusted.ts';

const MAX_KERNEL_CHARACTERS = 8_000_000;

const ReceiptBundle = z.strictObject({
  format: z.literal(BUNDLE_FORMAT),
  kind: z.literal('receipt'),
  /** The envelope as it was answered, with the definitions of its operators. */
  envelope: z.record(z.string(), z.unknown()),
  kernel: z.strictObject({
    slug: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    /** Base64. */
    wasm: z.string().max(MAX_KERNEL_CHARACTERS),
  }),
});

export type ReceiptBundle = z.output<typeof ReceiptBundle>;

/** Whether an untrusted object claims to be a bundle. */
export function isBundle(value: Untrusted): boolean {
  return typeof value.format === 'string' && value.format.startsWith('svc-bundle/');
}

/** @throws DomainError VALIDATION_FAILED naming the field */
export function readBundle(value: Untrusted): MachineBundle | ReceiptBundle {
  if (value.format !== BUNDLE_FORMAT)
    refuse('format', `format is ${quoteValue(value.format)}; ${BUNDLE_FORMAT} is expected.`);
  if (value.kind === 'machine') return parseOrThrow(MachineBundle, value, Object.keys(MachineBundle.shape));
  if (value.kind === 'receipt') return parseOrThrow(ReceiptBundle, value, Object.keys(ReceiptBundle.shape));
  refuse('kind', `kind is ${quoteValue(value.kind)}; machine or receipt is expected.`);
}

/** Bundles a receipt with its kernel. @throws DomainError VALIDATION_FAILED if it is the kernel of another receipt */
export function bundleReceipt(envelope: Untrusted, { slug, sha256, bytes }: KernelImage): ReceiptBundle {
  if (envelope.kernel_sha256 !== sha256)
    refuse('kernel_sha256', `The receipt names the kernel ${quoteValue(envelope.kernel_sha256)}; ${sha256} is given.`);
  const kernel = { slug, sha256, wasm: toBase64(bytes) };
  return { format: BUNDLE_FORMAT, kind: 'receipt', envelope, kernel };
}

/** The verifier page with a bundle embedded, which it verifies when it opens. */
export function embedBundle(page: string, bundle: MachineBundle | ReceiptBundle): string {
  const [before, after] = pageAroundBundle(page);
  return `${before}${bundleInPage(JSON.stringify(bundle))}${after}`;
}

/** The verifier page before and after the JSON of its bundle. */
export function pageAroundBundle(page: string): readonly [before: string, after: string] {
  // The page's CSP does not treat a data block as script.
  const at = page.indexOf('<script type="module">');
  return [`${page.slice(0, at)}<script type="application/json" id="bundle">`, `</script>\n${page.slice(at)}`];
}

/** JSON, or a piece of it, for a page: escaping `<` keeps its content from closing the block. */
export function bundleInPage(json: string): string {
  return json.replaceAll('<', '\\u003c');
}

/** Reads the kernel of a receipt. @throws DomainError VALIDATION_FAILED if its hash is wrong */
export function kernelOf({ kernel: { slug, sha256, wasm } }: ReceiptBundle): KernelImage {
  const bytes = fromBase64(wasm);
  if (bytes === undefined) refuse('kernel.wasm', 'kernel.wasm is not base64.');
  const found = sha256Hex(bytes);
  if (found !== sha256) refuse('kernel.wasm', `kernel.wasm has the hash ${found}; ${sha256} is named.`);
  return { slug, sha256, bytes };
}

/** Checks every claim of a chain bundle; nothing is fetched. */
export function verifyChainBundle(bundle: MachineBundle, trusted?: readonly PublicJwk[]): BundleClaim[] {
  const keys = trusted?.flatMap(({ x }) => (typeof x === 'string' ? (fromBase64Url(x) ?? []) : []));
  return [...verifyMachineBundle(bundle, keys), transitionsClaim(bundle)];
}

interface TransitionPayload {
  readonly seq: number;
  readonly contract: string;
  readonly version: string;
  readonly transition: string;
  readonly from: string;
  readonly to: string;
}

/** Follows a contract through a migration. @returns what is wrong with its row */
function migrateState(
  row: MachineBundle['rows'][number],
  states: Map<string, Pick<TransitionPayload, 'version' | 'to'>>,
): string | undefined {
  const { contract, version, act, migrate, from, to } = payloadOf(row);
  if (migrate === undefined || act === 'proposed') return undefined;
  const before = states.get(String(contract));
  const { states: mapped = {} } = Migration.safeParse(migrate).data ?? {};
  if (to !== (ownOf(mapped, String(from)) ?? from))
    return `Row ${row.seq} migrates ${quoteValue(from)} to ${quoteValue(to)}, which is not its map.`;
  if (before !== undefined && Number(before.version) === Number(version) - 1 && before.to !== from)
    return `Row ${row.seq} migrates from ${quoteValue(from)}; the contract was in ${quoteValue(before.to)}.`;
  states.set(String(contract), { version: version as string, to: String(to) });
  return undefined;
}

/** Checks that each transition is in its definition and begins in the state in which the one before it ended. */
function transitionsClaim({ rows, versions }: MachineBundle): BundleClaim {
  const claim = 'transitions';
  const definitions = new Map(versions.map((one) => [`${one.contract} ${one.no}`, transitionsOf(one.definition)]));
  const states = new Map<string, Pick<TransitionPayload, 'version' | 'to'>>();
  let checked = 0;
  let unchecked = 0;
  for (const row of rows) {
    if (row.type === 'contract') {
      const reason = migrateState(row, states);
      if (reason !== undefined) return { claim, ok: false, reason };
    }
    if (row.type !== 'transition') continue;
    if (row.payload_text === undefined) {
      unchecked++;
      states.clear();
      continue;
    }
    const payload = { ...payloadOf(row), seq: row.seq } as unknown as TransitionPayload;
    const known = definitions.get(`${payload.contract} ${payload.version}`);
    const declared = known?.find(({ id }) => id === payload.transition);
    if (known === undefined) unchecked++;
    else if (declared === undefined || declared.to !== payload.to || !sourcesOf(declared).includes(payload.from)) {
      return { claim, ok: false, reason: `Row ${row.seq} is no transition of its definition.` };
    } else checked++;
    const before = states.get(payload.contract);
    // A new version may begin in another state.
    if (before !== undefined && before.version === payload.version && before.to !== payload.from)
      return {
        claim,
        ok: false,
        reason: `Row ${row.seq} leaves ${quoteValue(payload.from)}; the contract was in ${quoteValue(before.to)}.`,
      };
    states.set(payload.contract, payload);
  }
  if (unchecked > 0)
    return {
      claim,
      ok: null,
      reason: `${unchecked} of ${unchecked + checked} cannot be read or have no definition here.`,
    };
  return { claim, ok: true, reason: checked === 1 ? '1 transition' : `${checked} transitions` };
}

/** Transitions of the text of a definition; none if it is not a definition. */
function transitionsOf(text: string): readonly Transition[] {
  try {
    const definition: unknown = JSON.parse(text);
    const { transitions } = isRecord(definition) ? definition : {};
    return Array.isArray(transitions) ? transitions.filter(isTransition) : [];
  } catch {
    return [];
  }
}

function isTransition(value: unknown): value is Transition {
  return isRecord(value) && (typeof value.from === 'string' || Array.isArray(value.from));
}

function refuse(path: string, message: string): never {
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'NOT_A_BUNDLE', message }] });
}
