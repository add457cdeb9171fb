// All that a row says, and a check of this row alone, against itself and against the newest signed checkpoint.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { ClaimList, type ClaimRow } from '../kit/claim-list.ts';
import { CopyButton } from '../kit/copy-button.ts';
import { noticeOf } from '../kit/errors.ts';
import { inGroups } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { verifyRow } from './audit/verify-row.ts';
import type { RowRecord } from './records.ts';
import { inThousands } from './tick-words.ts';

interface Props {
  readonly slug: string;
  readonly row: RowRecord;
  readonly before?: RowRecord | undefined;
}

export function RowDetails({ slug, row, before }: Props) {
  const [claims, setClaims] = useState<readonly ClaimRow[] | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const { seq, svcond, at, source, actor, commit, prev, row_hash, salt, payload, sealed } = row;
  const verify = async () => {
    setBusy(true);
    setError(undefined);
    try {
      setClaims(await verifyRow(slug, row, before?.seq === seq - 1 ? before : undefined));
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  return h(
    'div',
    { class: 'row-details' },
    salt === null
      ? h(
          'p',
          { class: 'quiet-text' },
          sealed
            ? 'The payload is sealed: only the equation of the owner opens it. The commitment to it stays.'
            : 'The payload was erased, or is not for you. The commitment to it stays.',
        )
      : h(
          'pre',
          { class: 'row-payload', tabIndex: 0, 'aria-label': `Payload of row ${seq}` },
          JSON.stringify(payload, null, 2),
        ),
    h(
      'dl',
      { class: 'facts row-facts' },
      fact('row', inThousands(seq)),
      fact('tick', `${inThousands(svcond)}, began ${new Date(at).toLocaleString()}`),
      fact('source', source),
      fact('actor', h('code', null, /^0+$/.test(actor) ? 'the service' : inGroups(actor))),
      fact('row hash', h('code', null, inGroups(row_hash))),
      fact('row before', h('code', null, inGroups(prev))),
      fact('commitment', h('code', null, inGroups(commit))),
      salt === null ? null : fact('salt', h('code', null, inGroups(salt))),
    ),
    h(
      'div',
      { class: 'button-row' },
      h(
        'button',
        { type: 'button', onClick: verify, disabled: isBusy },
        isBusy ? 'Verifying …' : 'Verify this row here',
      ),
      h(CopyButton, { label: 'Copy as JSON', text: () => JSON.stringify({ slug, ...row }, null, 2) }),
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      error === undefined ? null : h(Notice, noticeOf(error)),
      claims === undefined ? null : h(ClaimList, { claims }),
    ),
  );
}

const fact = (name: string, value: unknown) =>
  h('div', { key: name }, h('dt', null, name), h('dd', null, value as string));
