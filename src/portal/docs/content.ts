// Text of a page: the elements that the build made, with anchors, copy buttons, frames for tables, and live figures.

import { type ComponentChildren, type ComponentType, h } from 'preact';
import { CodeBlock } from '../kit/code-block.ts';
import type { MathNode } from '../kit/math-node.ts';
import { ScrollRegion } from '../kit/scroll-region.ts';
import { isPagePath } from '../page-paths.ts';

type Node = MathNode | string;

/** Loaded with the pages that show them. */
const FIGURES: Readonly<Record<string, () => Promise<ComponentType>>> = {
  tick: async () => (await import('./figures/tick.ts')).TickFigure,
  envelope: async () => (await import('./figures/envelope.ts')).EnvelopeFigure,
  witness: async () => (await import('./figures/witness.ts')).WitnessFigure,
  receipt: async () => (await import('./figures/receipt.ts')).ReceiptFigure,
  chain: async () => (await import('./figures/chain.ts')).ChainFigure,
  contract: async () => (await import('./figures/contract.ts')).ContractFigure,
};

/** Components of the figures of a page, by name. */
export type Figures = ReadonlyMap<string, ComponentType>;

/** The figures of a page, so that its first paint has them. A figure that cannot be fetched is left out. */
export async function loadFigures(body: readonly Node[]): Promise<Figures> {
  const names = body.flatMap((node) =>
    typeof node !== 'string' && node.name === 'figure' ? [node.attributes.name ?? ''] : [],
  );
  const loaded = await Promise.all(names.map((name) => FIGURES[name]?.().catch(() => undefined)));
  return new Map(names.flatMap((name, at) => (loaded[at] === undefined ? [] : [[name, loaded[at]] as const])));
}

interface ContentProps {
  readonly body: readonly Node[];
  readonly figures: Figures;
}

export const DocContent = ({ body, figures }: ContentProps) =>
  body.map((node, at) => {
    if (typeof node === 'string' || node.name !== 'figure') return view(node, at);
    const { name = '' } = node.attributes;
    const Figure = figures.get(name);
    return Figure && h('figure', { key: name, class: `docs-figure docs-figure-${name}` }, h(Figure, null));
  });

function view(node: Node, key: number): ComponentChildren {
  if (typeof node === 'string') return node;
  const { name, attributes, content } = node;
  const children = () => content.map(view);
  if (/^h[2-6]$/.test(name)) return h(HeadingView, { key, name, id: attributes.id ?? '' }, children());
  if (name === 'a') return h('a', { key, ...attributes, ...linkProps(attributes.href ?? '') }, children());
  if (name === 'pre') return h(CodeBlock, { key, code: content.join(''), label: 'Code' });
  if (name === 'table') return h(TableFrame, { key }, h('table', null, children()));
  if (name === 'th') return h('th', { key, ...attributes, scope: 'col' }, children());
  return h(name, { key, ...attributes }, children());
}

/** Pages open without a reload; files do not. */
function linkProps(href: string): Record<string, string> {
  if (href.startsWith('#')) return {};
  if (/^https:/.test(href)) return { rel: 'noopener' };
  return isPagePath(href.split(/[?#]/)[0] ?? '') ? { 'data-page': '' } : {};
}

interface HeadingProps {
  readonly name: string;
  readonly id: string;
  readonly children?: ComponentChildren;
}

function HeadingView({ name, id, children }: HeadingProps) {
  return h(
    name,
    { id, class: 'docs-heading' },
    children,
    h('a', { class: 'docs-anchor', href: `#${id}`, 'aria-label': 'Link to this section' }, '#'),
  );
}

const TableFrame = ({ children }: { readonly children?: ComponentChildren }) =>
  h('div', { class: 'docs-table' }, h(ScrollRegion, { label: 'Table' }, children));
