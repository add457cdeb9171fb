// Title, sentence and colour of a verdict on a receipt or a bundle. Green only for a key that is trusted.

import { keyidOf } from '../../protocol/signing.ts';
import { receiptVerdict } from '../../protocol/words/verdict.ts';
import type { Verdict, Verification } from './verification.ts';

interface VerdictText {
  readonly title: string;
  readonly text: string;
}

const RECEIPT_TEXTS: Readonly<Record<Verdict, string>> = {
  good: 'Signed, unchanged and recomputed bit for bit.',
  bad: 'At least one check failed. Do not rely on this receipt.',
  partial: 'All completed checks passed. The result was not recomputed.',
  unknown_key: 'Unchanged since this key signed it. Anyone can make a key: compare it with one that you trust.',
  unsigned: 'Nobody signed this result. Only the recomputation speaks for it.',
  open: 'Recomputing the receipt with its kernel.',
};

const OTHER_REVISION =
  'Signed and unchanged, and its kernel leaves the same outputs. Another revision derived the answer from them.';
const BORROWED_LAW =
  'A law in this receipt is none that this project registered under its id. Do not rely on the name of the law.';

const CHAIN_TEXTS: Readonly<Record<Exclude<Verdict, 'unsigned'>, VerdictText>> = {
  good: { title: 'valid, not rewritten', text: 'Every row is unchanged since the checkpoint was signed.' },
  bad: { title: 'not valid', text: 'At least one check failed. Do not rely on this history.' },
  unknown_key: {
    title: 'signed by an unknown key',
    text: 'Every row is unchanged since this key signed it. Anyone can make a key: compare it with one that you trust.',
  },
  partial: {
    title: 'valid as far as checked',
    text: 'No check failed. See each claim for what could not be checked.',
  },
  open: { title: 'checking …', text: 'Rehashing every row.' },
};

const NOT_SIGNED_YET: VerdictText = {
  title: 'not signed yet',
  text: 'The rows are consistent, but the machine has no signed checkpoint yet.',
};

/** Suffix of the style class: green, red, amber, or grey while nothing is decided. */
const COLOURS: Readonly<Record<Verdict, string>> = {
  good: 'equal',
  bad: 'different',
  partial: 'open',
  unknown_key: 'unknown',
  unsigned: 'unknown',
  open: 'open',
};

export function verdictText(
  { bundle, receipt, claims }: Verification,
  verdict: Verdict,
): VerdictText & { readonly colour: string } {
  const colour = COLOURS[verdict];
  if (bundle?.checkpoint === null && verdict === 'unknown_key') return { ...NOT_SIGNED_YET, colour: 'open' };
  if (bundle) return { ...CHAIN_TEXTS[verdict === 'unsigned' ? 'partial' : verdict], colour };
  if (verdict === 'open') return { title: 'checking …', text: RECEIPT_TEXTS.open, colour };
  const { title } = receiptVerdict(claims, {}, receipt && keyidOf(receipt.envelope));
  const okOf = (name: string) => claims.find(({ claim }) => claim === name)?.ok;
  const isOnlyLaws = claims.every(({ claim, ok }) => ok !== false || claim === 'laws');
  if (verdict === 'bad' && isOnlyLaws) return { title, text: BORROWED_LAW, colour };
  if (verdict === 'good' && okOf('answer') !== true) return { title, text: OTHER_REVISION, colour };
  return { title, text: RECEIPT_TEXTS[verdict], colour };
}
