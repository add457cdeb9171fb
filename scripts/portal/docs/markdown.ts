// Markdown to a tree of a few elements. Raw HTML stays text, links lead to places that the caller knows, and images are
// their words: nothing that a page says can run.

import MarkdownIt, { type Token } from 'markdown-it';
import { element, type MathNode } from '../../../src/portal/kit/math-node.ts';

/** Text, or an element; formulas are MathML. */
export type DocNode = MathNode | string;

export interface Heading {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

export interface Rendered {
  /** Of the first heading of level 1, which is not part of the body. */
  readonly title: string;
  readonly headings: readonly Heading[];
  readonly body: readonly DocNode[];
}

/** Address of a link on the page, or undefined for a link that leads nowhere: its text stays. */
export type LinkResolver = (href: string) => string | undefined;

const PARSER = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** Elements as the parser names them; everything else is dropped, and its text stays. */
const ELEMENTS: ReadonlySet<string> = new Set(
  'p ul ol li blockquote table thead tbody tr th td strong em s code br hr h1 h2 h3 h4 h5 h6'.split(' '),
);

/** Place of a live figure: an invisible comment for other readers of Markdown. */
const FIGURE = /^<!-- figure: ([a-z-]+) -->$/;

interface Open {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly content: DocNode[];
}

/** @param slugs  used so far on the page; those of the headings are added */
export function renderMarkdown(text: string, resolve: LinkResolver, slugs: Slugs = new Slugs()): Rendered {
  const root: Open = { name: '', attributes: {}, content: [] };
  build(PARSER.parse(text, {}), root, resolve);
  let title = '';
  const headings: Heading[] = [];
  const body = root.content.flatMap((node): DocNode[] => {
    if (typeof node === 'string' || !/^h[1-6]$/.test(node.name)) return [node];
    const words = textOf(node);
    if (node.name === 'h1' && title === '') {
      title = words;
      return [];
    }
    // A page has one heading of level 1.
    const level = Math.max(2, Number(node.name.charAt(1)));
    const id = slugs.take(words);
    headings.push({ id, level, text: words });
    return [{ ...node, name: `h${level}`, attributes: { id } }];
  });
  return { title, headings, body };
}

/** Ids of headings as other readers of Markdown make them, each once on a page. */
export class Slugs {
  readonly #taken = new Set<string>();

  take(text: string): string {
    const slug = slugOf(text);
    let id = slug;
    for (let count = 1; this.#taken.has(id); count++) id = `${slug}-${count}`;
    this.#taken.add(id);
    return id;
  }
}

const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-') || 'section';

/** The words of a node, without the code of formulas. */
export function textOf(node: DocNode): string {
  return typeof node === 'string' ? node : node.content.map(textOf).join('');
}

function build(tokens: readonly Token[], root: Open, resolve: LinkResolver): void {
  const stack: Open[] = [root];
  const add = (node: DocNode) => stack.at(-1)?.content.push(node);
  for (const token of tokens) {
    if (token.nesting > 0) stack.push(openOf(token, resolve));
    else if (token.nesting < 0) {
      const closed = stack.length > 1 ? stack.pop() : undefined;
      if (closed === undefined) continue;
      // An element without a name is its content.
      if (closed.name === '') for (const node of closed.content) add(node);
      else add(complete(closed, stack.length > 1));
    } else if (token.type === 'inline') {
      const [, figure] = FIGURE.exec(token.content.trim()) ?? [];
      const top = stack.at(-1);
      if (figure !== undefined) add(element('figure', { name: figure }));
      else if (top) build(token.children ?? [], top, resolve);
    } else addLeaf(token, add);
  }
}

/** A figure stands for its paragraph, and a heading within a quotation or list is a paragraph. */
function complete({ name, attributes, content }: Open, isNested: boolean): DocNode {
  const [only] = content;
  if (name === 'p' && content.length === 1 && typeof only === 'object' && only.name === 'figure') return only;
  return element(isNested && /^h[1-6]$/.test(name) ? 'p' : name, attributes, content);
}

function openOf(token: Token, resolve: LinkResolver): Open {
  const none: Open = { name: '', attributes: {}, content: [] };
  // Paragraphs of tight lists.
  if (token.hidden) return none;
  if (token.type === 'link_open') {
    const href = resolve(String(token.attrGet('href') ?? ''));
    return href === undefined ? none : { name: 'a', attributes: { href }, content: [] };
  }
  if (!ELEMENTS.has(token.tag)) return none;
  const alignment = /text-align:(right|center)/.exec(String(token.attrGet('style') ?? ''))?.[1];
  const start = token.tag === 'ol' ? token.attrGet('start') : null;
  const attributes: Record<string, string> = {
    ...(alignment === undefined ? {} : { class: `is-${alignment}` }),
    ...(start === null ? {} : { start: String(start) }),
  };
  return { name: token.tag, attributes, content: [] };
}

function addLeaf(token: Token, add: (node: DocNode) => void): void {
  if (token.type === 'fence' || token.type === 'code_block') {
    const [language = ''] = token.info.trim().split(/\s+/);
    const attributes = /^[a-z]+$/.test(language) ? { language } : null;
    add(element('pre', attributes, token.content.replace(/\n$/, '')));
  } else if (token.type === 'code_inline') add(element('code', null, token.content));
  else if (token.type === 'softbreak') add(' ');
  else if (token.type === 'hardbreak') add(element('br', null));
  else if (token.type === 'hr') add(element('hr', null));
  else if (token.content !== '') add(token.content);
}
