// Row of a result with its citation and its print; the dialog, the printed sheet and the QR code are loaded on demand.

import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { printPage } from '../theme.ts';
import type { CitedReceipt } from '../worker/messages.ts';
import type { PrintedSheetProps } from './printed-sheet.ts';

interface Props extends PrintedSheetProps {
  /** Shown where there is no receipt to cite. */
  readonly empty: string;
}

export function CiteRow({ empty, load, result }: Props) {
  const [Sheet, setSheet] = useState<ComponentType<PrintedSheetProps> | undefined>(undefined);
  const hasContent = load !== undefined || result !== undefined;
  // Before the print begins: a page that is being printed cannot wait.
  useEffect(() => {
    if (!hasContent) return;
    import('./printed-sheet.ts').then(
      (module) => setSheet(() => module.PrintedSheet),
      () => undefined,
    );
  }, [hasContent]);
  return [
    h(
      'div',
      { key: 'row', class: 'button-row', role: 'group', 'aria-label': 'Cite and print' },
      h('span', { class: 'button-row-name', 'aria-hidden': true }, 'Cite'),
      load === undefined ? h('span', { class: 'button-row-empty' }, empty) : h(CiteButton, { load }),
      hasContent ? h('button', { type: 'button', onClick: () => void printPage() }, 'Print') : null,
    ),
    Sheet === undefined ? null : h(Sheet, { key: 'sheet', load, result }),
  ];
}

interface CiteProps {
  readonly load: () => Promise<CitedReceipt>;
}

function CiteButton({ load }: CiteProps) {
  const [isOpen, setOpen] = useState(false);
  const [Dialog, setDialog] = useState<ComponentType<CiteProps & { readonly onClose: () => void }> | undefined>(
    undefined,
  );
  const open = () => {
    setOpen(true);
    // After an update of the node the script may be gone; the next try, after a reload, finds the new one.
    import('./dialog.ts').then(
      (module) => setDialog(() => module.CiteDialog),
      () => setOpen(false),
    );
  };
  return [
    h('button', { key: 'button', type: 'button', 'aria-haspopup': 'dialog', onClick: open }, 'BibTeX and CSL JSON'),
    isOpen && Dialog !== undefined ? h(Dialog, { key: 'dialog', load, onClose: () => setOpen(false) }) : null,
  ];
}
