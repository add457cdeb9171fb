// What this browser found out about a chain, in one sentence and in every claim.

import { h } from 'preact';
import { ClaimList } from '../../kit/claim-list.ts';
import { noticeOf } from '../../kit/errors.ts';
import { Notice } from '../../kit/notice.ts';
import type { MachineRecord } from '../records.ts';
import { inThousands, manyOf } from '../tick-words.ts';
import { type Audit, type Audited, STRETCH } from './audit.ts';

interface Props {
  readonly audit: Audit;
  readonly machine: MachineRecord;
}

export function AuditPanel({ audit, machine }: Props) {
  const found = audit.seen.value;
  const { state, from, claims, error } = found;
  const isRunning = state === 'running';
  const total = machine.head.seq + 1;
  return h(
    'div',
    { class: 'audit', 'data-state': state },
    h(
      'div',
      { class: 'audit-line' },
      h(
        'p',
        { class: `audit-summary audit-${verdictOf(found)}`, role: 'status', 'data-verdict': verdictOf(found) },
        summaryOf(found, total),
      ),
      h(
        'div',
        { class: 'button-row' },
        state === 'done' && from > 0
          ? h('button', { type: 'button', onClick: () => audit.verify('earlier') }, `Go on to earlier rows`)
          : null,
        h(
          'button',
          {
            type: 'button',
            class: state === 'idle' ? 'primary' : '',
            disabled: isRunning,
            onClick: () => audit.verify('newest'),
          },
          isRunning ? 'Verifying …' : state === 'idle' ? 'Verify here' : 'Verify again',
        ),
      ),
    ),
    state === 'failed' ? h(Notice, noticeOf(error)) : null,
    claims.length === 0 || state !== 'done'
      ? null
      : h('details', { class: 'audit-claims' }, h('summary', null, 'What was checked'), h(ClaimList, { claims })),
  );
}

type Verdict = 'open' | 'good' | 'bad';

function verdictOf({ state, verdicts, claims }: Audited): Verdict {
  const isBad = [...verdicts.values()].some((one) => typeof one === 'object') || claims.some(({ ok }) => ok === false);
  if (isBad) return 'bad';
  return state === 'done' && claims.length > 0 ? 'good' : 'open';
}

function summaryOf(found: Audited, total: number): string {
  const { state, verdicts, from, to, checkpoint, claims } = found;
  const count = verdicts.size;
  if (state === 'idle' || (state === 'failed' && count === 0)) {
    return total > STRETCH
      ? `This browser can check the chain itself, ${inThousands(STRETCH)} rows at a time, the newest first.`
      : 'This browser can check every row itself.';
  }
  if (state === 'running') return `${manyOf(count, 'row')} checked …`;
  const bad = [...verdicts].filter(([, verdict]) => typeof verdict === 'object').map(([seq]) => seq);
  if (bad.length > 0)
    return `${manyOf(bad.length, 'row')} of ${inThousands(count)} did not hold; the first is row ${inThousands(Math.min(...bad))}.`;
  const failed = claims.find(({ ok }) => ok === false);
  if (failed) return `The rows agree with each other, but this does not hold: ${failed.claim}.`;
  const stretch = from > 0 ? ` (${inThousands(from)} to ${inThousands(to)})` : '';
  const begin = `${manyOf(count, 'row')}${stretch} verified here`;
  if (checkpoint === undefined) return `${begin}.`;
  const { size, origin } = checkpoint;
  if (size <= from)
    return `${begin} by their links; the newest checkpoint has ${manyOf(size, 'row')} and covers none of them yet.`;
  const newer = Math.max(0, to + 1 - size);
  const rest =
    newer === 0 ? '' : ` ${newer === 1 ? 'The newest row is' : `The newest ${inThousands(newer)} are`} not in it yet.`;
  return `${begin}, against checkpoint ${inThousands(size)} signed by ${origin}.${rest}`;
}
