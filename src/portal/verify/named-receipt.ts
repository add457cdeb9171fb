// The receipt that a link names, as of a QR code on paper: where its file may be, and whether an opened file is it.

import { h } from 'preact';
import type { NamedReceipt } from '../../protocol/citation/receipt-link.ts';
import { groupHex } from '../kit/format.ts';

interface Props {
  readonly named: NamedReceipt;
  /** Hash of the receipt that is open; undefined while there is none. */
  readonly opened: string | undefined;
  /** Opens the run that the link names; undefined if it names none, or the visitor has no key. */
  readonly openRun: (() => void) | undefined;
}

export function NamedReceiptNotice({ named, opened, openRun }: Props) {
  const { sha256, runId } = named;
  if (opened === undefined)
    return h(
      'section',
      { class: 'panel named-receipt', 'aria-labelledby': 'named-title' },
      h('h2', { id: 'named-title' }, 'This link names one receipt'),
      h('p', null, 'SHA-256 of its sealed fields: ', h('code', null, groupHex(sha256))),
      h(
        'p',
        null,
        'A receipt is a file, usually receipt.json, which whoever computed the result has kept. Ask them for it and drop it below: this page says whether it is this receipt, and checks it.',
        runId === undefined ? '' : ' Its run was also filed on its node, where the key that filed it can open it.',
      ),
      openRun === undefined
        ? null
        : h('button', { type: 'button', onClick: openRun }, 'Open the filed run with your key'),
    );
  const isSame = opened === sha256;
  return h(
    'p',
    { class: `named-receipt verdict verdict-${isSame ? 'equal' : 'different'}`, role: 'status' },
    isSame ? 'This is the receipt that the link names.' : 'This is another receipt than the link names: ',
    isSame ? null : h('code', null, groupHex(opened)),
  );
}
