// Dialog with the citation of a receipt in both formats.

import { h } from 'preact';
import '../style/cite.css';
import { CopyButton } from '../kit/copy-button.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { Notice } from '../kit/notice.ts';
import { useModal } from '../kit/use-modal.ts';
import type { CitedReceipt } from '../worker/messages.ts';
import { useCited } from './use-cited.ts';

interface Props {
  readonly load: () => Promise<CitedReceipt>;
  readonly onClose: () => void;
}

export function CiteDialog({ load, onClose }: Props) {
  const { attributes, close } = useModal();
  const { cited, error } = useCited(load);
  return h(
    'dialog',
    {
      ...attributes,
      class: 'cite-dialog',
      'aria-labelledby': 'cite-title',
      onClose,
    },
    h(
      'div',
      { class: 'cite-content' },
      h('h2', { id: 'cite-title' }, 'Cite this receipt'),
      h(
        'p',
        { class: 'cite-note' },
        'A citation names the receipt by its hash. Keep the receipt file with the paper: without it a reader has nothing to check.',
      ),
      error === undefined ? null : h(Notice, errorNotice(error)),
      cited === undefined
        ? null
        : [
            h(Format, { key: 'bibtex', name: 'BibTeX', text: cited.bibtex }),
            h(Format, { key: 'csl', name: 'CSL JSON', text: cited.csl }),
          ],
      h('button', { type: 'button', class: 'quiet', onClick: close }, 'Close'),
    ),
  );
}

function Format({ name, text }: { readonly name: string; readonly text: string }) {
  return h(
    'section',
    { class: 'cite-format', 'aria-label': name },
    h('div', { class: 'cite-head' }, h('h3', null, name), h(CopyButton, { label: `Copy ${name}`, text: () => text })),
    h('pre', { tabIndex: 0, 'aria-label': `${name} entry` }, text),
  );
}
