// Full content of a row, and its verification against its hash and the newest signed checkpoint.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { ClaimList, type ClaimRow } from '../kit/claim-list.ts';
import { CopyButton } from '../kit/copy-button.ts';
import { dateTimeText } from '../kit/date-text.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { fact } from '../kit/fact.ts';
import { formatCount, groupHex } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { useRequest } from '../kit/use-request.ts';
import { verifyRow } from './audit/verify-row.ts';
import type { RowRecord } from './records.ts';

interface Props {
  readonly slug: string;
  readonly row: RowRecord;
  readonly before?: RowRecord | undefined;
}

export function RowDetails({ slug, row, before }: Props) {
  const [claims, setClaims] = useState<readonly ClaimRow[] | undefined>(undefined);
  const { isBusy, error, run } = useRequest();
  const { seq, svcond, at, source, actor, commit, prev, row_hash, salt, payload, sealed } = row;
  const verify = () =>
    run(async () => setClaims(await verifyRow(slug, row, before?.seq === seq - 1 ? before : undefined)));
  return h(
    'div',
    { class: 'row-details' },
    salt === null
      ? h(
          'p',
          { class: 'quiet-text' },
          sealed
            ? 'The payload is sealed; only the owner’s equation opens it. Its commitment remains in the chain.'
            : 'The payload was erased, or your key may not read it. Its commitment remains in the chain.',
        )
      : h(
          'pre',
          { class: 'row-payload', tabIndex: 0, 'aria-label': `Payload of row ${seq}` },
          JSON.stringify(payload, null, 2),
        ),
    h(
      'dl',
      { class: 'facts row-facts' },
      fact('row', formatCount(seq)),
      fact('tick', `${formatCount(svcond)}, started ${dateTimeText(new Date(at))}`),
      fact('source', source),
      fact('actor', h('code', null, /^0+$/.test(actor) ? 'the service' : groupHex(actor))),
      fact('row hash', h('code', null, groupHex(row_hash))),
      fact('previous row', h('code', null, groupHex(prev))),
      fact('commitment', h('code', null, groupHex(commit))),
      salt === null ? null : fact('salt', h('code', null, groupHex(salt))),
    ),
    h(
      'div',
      { class: 'button-row' },
      h('button', { type: 'button', onClick: verify, disabled: isBusy }, isBusy ? 'Verifying …' : 'Verify this row'),
      h(CopyButton, { label: 'Copy as JSON', text: () => JSON.stringify({ slug, ...row }, null, 2) }),
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      error === undefined ? null : h(Notice, errorNotice(error)),
      claims === undefined ? null : h(ClaimList, { claims }),
    ),
  );
}
