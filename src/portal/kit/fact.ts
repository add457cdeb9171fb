// A name and its value in a list of facts.

import { type ComponentChildren, h } from 'preact';

export const fact = (name: string, ...content: ComponentChildren[]) =>
  h('div', { key: name }, h('dt', null, name), h('dd', null, content));
