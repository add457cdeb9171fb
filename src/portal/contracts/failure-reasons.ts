// Reasons why a contract has failed, from its last refused fires in the chain.

import { h } from 'preact';
import { shortDateTimeText } from '../kit/date-text.ts';
import { formatCount } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { listRows } from '../machines/machine-api.ts';
import type { ContractRecord, MachineRecord } from '../machines/records.ts';
import { rowSummary } from '../machines/row-summary.ts';
import { tickDate } from '../machines/tick-format.ts';

const MAX_ROWS = 5;

interface Props {
  readonly machine: MachineRecord;
  readonly contract: ContractRecord;
}

export function FailureReasons({ machine: { slug, is_sealed }, contract: { id } }: Props) {
  const { data } = useQuery(`${slug} ${id}`, (_, signal) =>
    listRows(slug, { type: 'refused', contract: id, limit: MAX_ROWS }, signal),
  );
  const refused = data?.rows ?? [];
  return h(Notice, {
    kind: 'error',
    title: 'This contract has failed and is inactive until resumed.',
    text:
      refused.length > 0
        ? 'Five consecutive fires were refused. The refusals, newest first:'
        : `Five consecutive fires were refused. See the rows of type refused in the chain of the machine${
            is_sealed ? '; they are sealed, and only the owner’s equation opens them' : ''
          }.`,
    points: refused.map(
      (row) =>
        `${rowSummary(row)} (row ${formatCount(row.seq)}, ${shortDateTimeText(tickDate(row.svcond), new Date())})`,
    ),
  });
}
