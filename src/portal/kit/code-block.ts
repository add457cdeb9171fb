// Code with a button that copies it.

import { h } from 'preact';
import { CopyButton } from './copy-button.ts';
import { ScrollRegion } from './scroll-region.ts';

export const CodeBlock = ({ code, label }: { readonly code: string; readonly label: string }) =>
  h(
    'div',
    { class: 'docs-code' },
    h(ScrollRegion, { label }, h('pre', null, h('code', null, code))),
    h(CopyButton, { label: 'Copy', text: () => code }),
  );
