// MathML as plain data, convertible to Preact elements and to markup.

import { type ComponentChildren, h } from 'preact';

export interface MathNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: readonly (MathNode | string)[];
}

type Content = MathNode | string | readonly (MathNode | string)[];

export function element(
  name: string,
  attributes: Readonly<Record<string, string>> | null,
  ...content: readonly Content[]
): MathNode {
  return { name, attributes: attributes ?? {}, content: content.flat() };
}

export function toView(node: MathNode | string): ComponentChildren {
  return typeof node === 'string' ? node : h(node.name, { ...node.attributes }, node.content.map(toView));
}

/** Serialises to markup. */
export function toMarkup(node: MathNode | string): string {
  if (typeof node === 'string') return escapeText(node);
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escapeText(value)}"`);
  return `<${node.name}${attributes.join('')}>${node.content.map(toMarkup).join('')}</${node.name}>`;
}

export const escapeText = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
