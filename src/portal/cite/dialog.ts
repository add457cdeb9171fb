// Dialog with the citation of a receipt in both formats.

import { h } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import '../style/cite.css';
import { CopyButton } from '../kit/copy-button.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { Notice } from '../kit/notice.ts';
import type { CitedReceipt } from '../worker/messages.ts';
import { useCited } from './use-cited.ts';

interface Props {
  readonly load: () => Promise<CitedReceipt>;
  readonly onClose: () => void;
}

export function CiteDialog({ load, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { cited, error } = useCited(load);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  const close = () => dialog.current?.close();
  return h(
    'dialog',
    {
      ref: dialog,
      class: 'cite-dialog',
      'aria-labelledby': 'cite-title',
      onClose,
      onClick: (event: Event) => {
        // The backdrop is the dialog itself; its contents are not.
        if (event.target === dialog.current) close();
      },
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
