// A sentence with `code` in it.

import { h } from 'preact';

export const CodeWords = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? h('code', { key: at }, part) : part));
