// Report of svc verify and svc replay: the verdict, the receipt in words and every check, safe for a terminal.

import { bracketed, shortText } from '../core/plain-text.ts';
import type { ReceiptWords } from '../protocol/words/describe.ts';
import { type CheckedClaim, claimSentence, type ReceiptVerdict } from '../protocol/words/verdict.ts';
import { paint, print, type Terminal } from './terminal.ts';

const MAX_LABEL = 18;
const MAX_REASON_CHARACTERS = 600;

/** Prints what the receipt says. Additions of this program stand in brackets that no receipt can contain. */
export function printWords(terminal: Terminal, { lines, warnings }: ReceiptWords, { coverage }: ReceiptVerdict): void {
  for (const warning of warnings) print(terminal, paint(terminal, 'yellow', `! ${warning}`));
  const width = Math.min(MAX_LABEL, Math.max(...lines.map(({ label }) => label.length)));
  for (const { label, text, added } of lines) {
    const addition = added.length === 0 ? '' : `  ${paint(terminal, 'dim', bracketed(added))}`;
    print(terminal, `  ${label.padEnd(width)}  ${text}${addition}`);
  }
  print(terminal, `  ${coverage} Additions stand in ${bracketed(['these brackets'])}.`);
}

/** Prints each check with its outcome; null means that it was not made. */
export function printClaims(terminal: Terminal, claims: readonly CheckedClaim[]): void {
  for (const { claim, ok, reason } of claims) {
    const mark = ok === true ? paint(terminal, 'green', '✓') : ok === false ? paint(terminal, 'red', '✗') : '?';
    const state = ok === true || ok === false ? '' : 'not checked: ';
    const why = reason === undefined ? state : `${state}${shortText(reason, MAX_REASON_CHARACTERS)}`;
    print(terminal, `  ${mark} ${claim} — ${claimSentence(claim)}${why === '' ? '' : ` (${why})`}`);
  }
}
