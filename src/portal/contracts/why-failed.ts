// Why a contract has failed: what its last refused fires said. Each is a row of the chain.

import { h } from 'preact';
import { useAsked } from '../kit/asked.ts';
import { Notice } from '../kit/notice.ts';
import { readRows } from '../machines/node.ts';
import type { ContractRecord, MachineRecord } from '../machines/records.ts';
import { rowWords } from '../machines/row-words.ts';
import { dateOfTick, inThousands, timeWords } from '../machines/tick-words.ts';

const SHOWN = 5;

interface Props {
  readonly machine: MachineRecord;
  readonly contract: ContractRecord;
}

export function WhyFailed({ machine: { slug, is_sealed }, contract: { id } }: Props) {
  const { answer } = useAsked(`${slug} ${id}`, (_, signal) =>
    readRows(slug, { type: 'refused', contract: id, limit: SHOWN }, signal),
  );
  const refused = answer?.rows ?? [];
  return h(Notice, {
    kind: 'error',
    title: 'This contract has failed and does nothing until it is resumed.',
    text:
      refused.length > 0
        ? 'Five fires in a row were refused; the last of them, the newest first:'
        : `Five fires in a row were refused. The rows of type refused in the chain of the machine say why${
            is_sealed ? '; they are sealed, and the equation of the owner opens them' : ''
          }.`,
    points: refused.map(
      (row) => `${rowWords(row)} (row ${inThousands(row.seq)}, ${timeWords(dateOfTick(row.svcond), new Date())})`,
    ),
  });
}
