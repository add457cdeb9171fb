// Result of the chain audit: a summary and the list of claims.

import { h } from 'preact';
import { ClaimList } from '../../kit/claim-list.ts';
import { errorNotice } from '../../kit/error-notice.ts';
import { formatCount, pluralise } from '../../kit/format.ts';
import { Notice } from '../../kit/notice.ts';
import type { MachineRecord } from '../records.ts';
import { type AuditState, BATCH_ROWS, type ChainAudit } from './chain-audit.ts';

interface Props {
  readonly audit: ChainAudit;
  readonly machine: MachineRecord;
}

export function AuditPanel({ audit, machine }: Props) {
  const state = audit.state.value;
  const { status, from, claims, error } = state;
  const isRunning = status === 'running';
  const total = machine.head.seq + 1;
  return h(
    'div',
    { class: 'audit', 'data-state': status },
    h(
      'div',
      { class: 'audit-line' },
      h(
        'p',
        { class: `audit-summary audit-${auditVerdict(state)}`, role: 'status', 'data-verdict': auditVerdict(state) },
        auditSummary(state, total),
      ),
      h(
        'div',
        { class: 'button-row' },
        status === 'done' && from > 0
          ? h('button', { type: 'button', onClick: () => audit.verify('earlier') }, 'Verify earlier rows')
          : null,
        h(
          'button',
          {
            type: 'button',
            class: status === 'idle' ? 'primary' : '',
            disabled: isRunning,
            onClick: () => audit.verify('newest'),
          },
          isRunning ? 'Verifying …' : status === 'idle' ? 'Verify the chain' : 'Verify again',
        ),
      ),
    ),
    status === 'failed' ? h(Notice, errorNotice(error)) : null,
    claims.length === 0 || status !== 'done'
      ? null
      : h('details', { class: 'audit-claims' }, h('summary', null, 'Checks'), h(ClaimList, { claims })),
  );
}

type Verdict = 'open' | 'good' | 'bad';

function auditVerdict({ status, verdicts, claims }: AuditState): Verdict {
  const isBad =
    [...verdicts.values()].some((verdict) => typeof verdict === 'object') || claims.some(({ ok }) => ok === false);
  if (isBad) return 'bad';
  return status === 'done' && claims.length > 0 ? 'good' : 'open';
}

function auditSummary(state: AuditState, total: number): string {
  const { status, verdicts, from, to, checkpoint, claims } = state;
  const count = verdicts.size;
  if (status === 'idle' || (status === 'failed' && count === 0)) {
    return total > BATCH_ROWS
      ? `Verify the chain in this browser, ${formatCount(BATCH_ROWS)} rows at a time, newest first.`
      : 'Verify every row in this browser.';
  }
  if (status === 'running') return `${pluralise(count, 'row')} checked …`;
  const faulty = [...verdicts].filter(([, verdict]) => typeof verdict === 'object').map(([seq]) => seq);
  if (faulty.length > 0)
    return `${pluralise(faulty.length, 'row')} of ${formatCount(count)} failed; the first is row ${formatCount(Math.min(...faulty))}.`;
  const failed = claims.find(({ ok }) => ok === false);
  if (failed) return `The rows are consistent, but this check failed: ${failed.claim}.`;
  const range = from > 0 ? ` (${formatCount(from)} to ${formatCount(to)})` : '';
  const verified = `${pluralise(count, 'row')}${range} verified in this browser`;
  if (checkpoint === undefined) return `${verified}.`;
  const { size, origin } = checkpoint;
  if (size <= from)
    return `${verified} by their links; the newest checkpoint has ${pluralise(size, 'row')} and covers none of them yet.`;
  const uncovered = Math.max(0, to + 1 - size);
  const rest =
    uncovered === 0
      ? ''
      : ` ${uncovered === 1 ? 'The newest row is' : `The newest ${formatCount(uncovered)} rows are`} not covered yet.`;
  return `${verified}, against checkpoint ${formatCount(size)} signed by ${origin}.${rest}`;
}
