// Saves a picture as PNG or SVG, one that moves as GIF, and its numbers in the formats that the picture offers.

import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { download } from '../kit/download.ts';
import { pngOf } from './png-file.ts';
import type { Reel } from './time-slider.ts';

/** A format beyond the picture itself. */
export interface NumberFormat {
  readonly label: string;
  readonly extension: string;
  readonly type: string;
  readonly content: () => BlobPart;
}

interface SaveMenuProps {
  readonly title: string;
  /** The picture; undefined as long as nothing is drawn. */
  readonly svg: () => string | undefined;
  /** Of a picture that moves. */
  readonly reel?: Reel | undefined;
  readonly numbers?: readonly NumberFormat[];
}

export function SaveMenu({ title, svg, reel, numbers = [] }: SaveMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [note, setNote] = useState('');
  // A recording draws what is shown meanwhile, not what was shown at its start.
  const latest = useRef(svg);
  latest.current = svg;
  const save = (action: () => void | Promise<void>) => async () => {
    menu.current?.removeAttribute('open');
    await action();
  };
  const asSvg = () => {
    const text = svg();
    if (text !== undefined) download(fileName(title, 'svg'), 'image/svg+xml', text);
  };
  const asPng = async () => {
    const text = svg();
    if (text !== undefined) download(fileName(title, 'png'), 'image/png', await pngOf(text));
  };
  const asGif = async (moving: Reel) => {
    setNote('Recording, 0 %');
    try {
      const { recordingOf } = await import('./recording.ts');
      const onFrame = (share: number) => setNote(`Recording, ${Math.round(100 * share)} %`);
      const content = await recordingOf(moving, () => latest.current(), onFrame);
      if (content !== undefined) download(fileName(title, 'gif'), 'image/gif', content);
      setNote('');
    } catch {
      setNote('The recording failed. Reload the page.');
    }
  };
  const button = (label: string, action: () => void | Promise<void>) =>
    h('button', { key: label, type: 'button', class: 'quiet', onClick: save(action) }, label);
  return [
    h('span', { key: 'note', class: 'save-note', role: 'status' }, note),
    h(
      'details',
      { key: 'menu', class: 'save-menu', ref: menu, onKeyDown: closeByEscape },
      h('summary', { 'aria-label': `Save ${title}`, title: 'Save' }, h(SaveIcon, null)),
      h(
        'div',
        { class: 'save-menu-list' },
        button('PNG', asPng),
        button('SVG', asSvg),
        reel === undefined ? null : button('GIF, moving', () => asGif(reel)),
        numbers.map(({ label, extension, type, content }) =>
          button(label, () => download(fileName(title, extension), type, content())),
        ),
      ),
    ),
  ];
}

function closeByEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape') return;
  const menu = event.currentTarget as HTMLDetailsElement;
  menu.removeAttribute('open');
  menu.querySelector('summary')?.focus();
}

/** `Temperature at the antinode` as temperature-at-the-antinode.png. */
const fileName = (title: string, extension: string): string =>
  `${
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'picture'
  }.${extension}`;

const SaveIcon = () =>
  h(
    'svg',
    { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': true },
    h('path', {
      d: 'M7.25 1.5h1.5v7l2.6-2.6 1.05 1.06L8 11.36 3.6 6.96 4.65 5.9l2.6 2.6zM2 12.5h12V14H2z',
      class: 'glyph',
    }),
  );
