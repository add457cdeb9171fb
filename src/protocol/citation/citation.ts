// Facts of a citation about a receipt, in plain text: from its sealed fields, and nothing that it does not hold.
// bibtex.ts and csl-json.ts write it.

import { isoFromNs, MAX_SECONDS } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { shortText } from '../../core/plain-text.ts';
import { roundedPair } from '../../core/rounded.ts';
import { sealedListOf } from '../seal.ts';
import { sealedSha256 } from '../sealed-fields.ts';
import { keyidOf } from '../signing.ts';
import { STEPS } from '../stamps.ts';
import { assertEnvelope, readStamps, type Untrusted } from '../untrusted.ts';
import { exactText, withUnit } from '../words/numbers.ts';
import { receiptLink } from './receipt-link.ts';

/** What the writer of a citation knows beside the receipt. */
export interface CitationContext {
  /** What was computed, in words (`citedSubject`); without it the citation names solver and laws by their ids. */
  readonly subject?: string | undefined;
  /** Address of a node whose portal opens the link; without it the citation has no URL. */
  readonly address?: string | undefined;
  /** Name of the node that issued the receipt, which a receipt does not hold. */
  readonly publisher?: string | undefined;
  /** Version of the svc that writes the citation; a receipt holds only the revision of its solver. */
  readonly version: string;
}

export interface Citation {
  /** Of the entry: from the hash, so that equal receipts have equal keys. */
  readonly key: string;
  /** What was computed, and value ± unit. */
  readonly title: string;
  readonly publisher: string;
  /** Solver and its revision, which decide the numbers. */
  readonly version: string;
  /** Of the signer's clock in UTC; undefined for stamps that are none. */
  readonly date: CitedDate | undefined;
  readonly url: string | undefined;
  readonly note: string;
  /** SHA-256 of the sealed fields, as its seal names it. */
  readonly sha256: string;
  readonly kernelSha256: string;
  /** Fingerprint of the key that the receipt names as its signer. */
  readonly keyid: string | undefined;
}

export interface CitedDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** `2026-11-29 09:46:58 UTC` */
  readonly text: string;
}

const KEY_DIGITS = 16;
const MAX_SUBJECT_CHARACTERS = 300;

/**
 * Whether the seal holds is for the caller to check.
 *
 * @throws DomainError VALIDATION_FAILED naming the field, for what is no sealed receipt
 */
export function citationOf(envelope: Untrusted, { subject, address, publisher, version }: CitationContext): Citation {
  const { kernel_sha256: kernelSha256, solver, revision } = assertEnvelope(envelope);
  const sha256 = citedSha256(envelope);
  const date = dateOf(envelope);
  const keyid = keyidOf(envelope);
  const made = shortText(subject ?? plainSubject(envelope), MAX_SUBJECT_CHARACTERS);
  return {
    key: `svc-${sha256.slice(0, KEY_DIGITS)}`,
    title: `${made}: ${roundedResult(envelope)}`,
    publisher: shortText(publisher ?? 'svc'),
    version: `${shortText(solver)} revision ${revision}`,
    date,
    url: address === undefined ? undefined : receiptLink(address, sha256, envelope),
    note: [
      `Receipt ${sha256} (SHA-256 of its sealed fields)`,
      `value ${exactResult(envelope)}`,
      ...(envelope.converged === false ? ['not converged'] : []),
      `kernel ${kernelSha256} (SHA-256)`,
      `signed by key ${keyid === undefined ? 'missing' : shortText(keyid, 80)}`,
      ...(date === undefined ? [] : [`sealed ${date.text} by the signer’s clock`]),
      `cited with svc ${version}`,
    ].join('; '),
    sha256,
    kernelSha256,
    keyid: keyid === undefined ? undefined : shortText(keyid, 80),
  };
}

/**
 * SHA-256 of the sealed fields, by the list that its seal was made with.
 *
 * @throws DomainError VALIDATION_FAILED
 */
function citedSha256(envelope: Untrusted): string {
  if (envelope.seal === undefined) refuse('seal', 'seal is missing: nobody sealed this result, so it has no receipt.');
  try {
    return sealedSha256(envelope, sealedListOf(envelope));
  } catch {
    return refuse('', 'The sealed fields of this receipt cannot be written as JSON, so it has no hash.');
  }
}

function refuse(path: string, message: string): never {
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'NOT_AN_ENVELOPE', message }] });
}

/** By the ids of the receipt, for a writer that knows no names. */
const plainSubject = ({ solver, operator_id: id }: Untrusted) =>
  typeof id === 'string' && !id.startsWith('solver:') ? `Computation of ${id}` : `Computation by solver ${solver}`;

interface Result {
  readonly value: number;
  readonly uncertainty: number | undefined;
  readonly unit: string | undefined;
}

const resultOf = ({ value, uncertainty, unit }: Untrusted): Result => ({
  value: value as number,
  uncertainty: typeof uncertainty === 'number' ? uncertainty : undefined,
  unit: typeof unit === 'string' ? unit : undefined,
});

function exactResult(envelope: Untrusted): string {
  const { value, uncertainty, unit } = resultOf(envelope);
  return exactText(value, uncertainty, unit);
}

/** `625 ± 28 J`, with as many digits as ± supports. Of a sweep the value is that of its last row. */
function roundedResult(envelope: Untrusted): string {
  const { value, uncertainty, unit } = resultOf(envelope);
  const pair = uncertainty === undefined ? undefined : roundedPair(value, uncertainty);
  const text =
    pair === undefined ? exactText(value, uncertainty, unit) : withUnit(`${pair.value} ± ${pair.uncertainty}`, unit);
  return envelope.sweep === undefined ? text : `${text} (last row of a sweep)`;
}

/** By the clock at the step PULSE, as the receipt in words. */
function dateOf({ stamps }: Untrusted): CitedDate | undefined {
  const ns = (Array.isArray(stamps) ? readStamps(stamps) : undefined)?.[STEPS.indexOf('PULSE')];
  if (ns === undefined || ns / 1_000_000_000n > BigInt(MAX_SECONDS)) return undefined;
  const iso = isoFromNs(ns);
  const [year = 0, month = 0, day = 0] = iso.slice(0, 10).split('-').map(Number);
  return { year, month, day, text: `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC` };
}
