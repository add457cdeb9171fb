// The fields of a small envelope, sorted by who makes them.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { Untrusted } from '../../../protocol/untrusted.ts';
import { errorNotice } from '../../kit/error-notice.ts';
import { Notice } from '../../kit/notice.ts';
import { useRequest } from '../../kit/use-request.ts';
import { sampleReceipt } from './sample-receipt.ts';

/** As in the table of the page. */
const PARTS = [
  ['Answer', ['value', 'unit', 'uncertainty', 'converged']],
  ['Question', ['domain', 'inputs', 'units', 'seed']],
  ['How', ['operatorChain', 'equations', 'kernel_sha256', 'revision']],
  ['Checks', ['verification', 'invariants', 'uncertainty_budget']],
  ['When', ['svcond', 'R_t', 'phase', 'stamps']],
  ['Who', ['svcProof', 'keyPrefix', 'epoch', 'seal']],
] as const;

const MAX_LENGTH = 160;

export function EnvelopeFigure() {
  const [envelope, setEnvelope] = useState<Untrusted | undefined>(undefined);
  const { isBusy, error, run } = useRequest();
  return [
    h('p', { class: 'docs-figure-title' }, 'The envelope of 2 kg at 90 km/h: its kinetic energy'),
    h(
      'button',
      {
        type: 'button',
        class: 'primary',
        disabled: isBusy,
        onClick: () => void run(async () => setEnvelope(await sampleReceipt())),
      },
      'Compute it',
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      error === undefined ? null : h(Notice, errorNotice(error)),
      envelope === undefined
        ? null
        : PARTS.map(([part, names]) =>
            h(
              'section',
              { key: part, class: 'docs-envelope-part' },
              h('p', { class: 'docs-list-group' }, part),
              h(
                'dl',
                { class: 'facts' },
                names
                  .filter((name) => envelope[name] !== undefined)
                  .map((name) =>
                    h(
                      'div',
                      { key: name },
                      h('dt', null, h('code', null, name)),
                      h('dd', null, h('code', null, shortJson(envelope[name]))),
                    ),
                  ),
              ),
            ),
          ),
    ),
    h('figcaption', null, 'A part of the fields, as this node returns them; long ones are cut.'),
  ];
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
