// The fields that an HMAC signs, in words. It signs few: neither inputs nor uncertainty, equation or kernel.

import { isoFromNs, startOfTick } from '../../core/clock.ts';
import { shortText } from '../../core/plain-text.ts';
import type { ReceiptCheck, ReceiptClaim } from '../receipt.ts';
import type { ReaderKnowledge, ReceiptWords } from './describe.ts';
import { exactText } from './numbers.ts';
import { claimSentence, REASONS, type ReceiptVerdict, UNCHECKABLE } from './verdict.ts';

/** About the year 9000; a caller may name any tick. */
const MAX_TICK = 280_000_000_000;
const MAX_OPERATORS = 42;

/** What the node's answer to `POST /api/svc/verify` is about. */
export function describeHmac(claim: ReceiptClaim, knowledge: Pick<ReaderKnowledge, 'law'>): ReceiptWords {
  const { operatorIds, svcond, keyPrefix, value, unit } = claim;
  const isTick = Number.isInteger(svcond) && svcond >= 0 && svcond <= MAX_TICK;
  return {
    lines: [
      ...(value === undefined
        ? []
        : [{ kind: 'result', label: 'Result', text: exactText(value, undefined, unit), added: [] } as const]),
      ...operatorIds.slice(0, MAX_OPERATORS).map((id) => {
        const law = knowledge.law(id);
        const added =
          law === undefined ? ['not registered in this version'] : [`${law.name}, ${law.equation} in this version`];
        return { kind: 'law', label: 'Operator', text: shortText(id, 60), added } as const;
      }),
      {
        kind: 'date',
        label: 'Tick',
        text: String(svcond),
        added: isTick ? [isoFromNs(startOfTick(svcond)).replace('T', ' ').replace('Z', ' UTC')] : [],
      },
      {
        kind: 'issued_to',
        label: 'Issued to',
        text: shortText(keyPrefix),
        added: ['start of the API key of the caller'],
      },
    ],
    warnings: [],
  };
}

export function hmacVerdict(check: ReceiptCheck): ReceiptVerdict {
  const isStamp = check.valid && check.kind === 'stamp';
  const statement = isStamp
    ? 'This node stamped the statement at this tick; a stamp never says that a number was computed'
    : claimSentence('hmac');
  return {
    verdict: check.valid ? 'good' : 'bad',
    title: check.valid ? (isStamp ? 'stamped by this node' : 'computed and signed by this node') : 'not valid',
    checked: check.valid ? [statement] : [],
    failed: check.valid ? [] : [`${statement}: ${REASONS[check.reason]}`],
    unchecked: [
      'Inputs, uncertainty, equation and kernel: this HMAC does not sign them. Send the whole receipt as `receipt`',
      UNCHECKABLE,
    ],
    coverage: check.valid
      ? 'The HMAC signs the text of each line, R_t and nothing else; it does not sign what is added.'
      : 'Nothing here is signed: anyone may have written it.',
  };
}
