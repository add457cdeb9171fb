// Two revisions of a solver side by side, for a receipt whose plan and answer were not compared.

import { h } from 'preact';
import type { RevisionReport } from '../../protocol/replay.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { exactText } from '../../protocol/words/numbers.ts';
import { previewValue } from '../../protocol/words/preview.ts';
import { fact } from '../kit/fact.ts';

interface Props {
  readonly envelope: Untrusted;
  readonly revision: RevisionReport;
}

export function RevisionComparison({ envelope, revision: { sealed, current, derived } }: Props) {
  if (current === sealed) return null;
  const here =
    current === undefined
      ? 'no solver of this name'
      : derived === undefined
        ? 'no number: from these inputs it plans other runs'
        : exactText(derived.value, derived.uncertainty, derived.unit);
  return h(
    'section',
    { class: 'verify-summary revisions', 'aria-labelledby': 'revisions-title' },
    h('h2', { id: 'revisions-title' }, 'Two revisions of the solver'),
    h(
      'p',
      null,
      'Plan and answer are compared within a revision only. A later revision may define the answer differently, so a difference here is no fault.',
    ),
    h(
      'dl',
      { class: 'facts' },
      fact(`receipt, revision ${sealed}`, sealedText(envelope)),
      fact(current === undefined ? 'this version' : `this version, revision ${current}`, here),
    ),
  );
}

function sealedText({ value, uncertainty, unit }: Untrusted): string {
  if (typeof value !== 'number') return previewValue(value);
  const sigma = typeof uncertainty === 'number' ? uncertainty : undefined;
  return exactText(value, sigma, typeof unit === 'string' ? unit : undefined);
}
