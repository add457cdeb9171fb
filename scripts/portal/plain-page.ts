// The portal's page with the text of one of its pages, for readers without scripts, and with its title.

import { escapeText, type MathNode, toMarkup } from '../../src/portal/kit/math-node.ts';
import { type DocNode, textOf } from './docs/markdown.ts';

interface PlainPage {
  readonly title: string;
  readonly body: readonly DocNode[];
}

interface Link {
  readonly href: string;
  readonly text: string;
}

const MAX_DESCRIPTION = 160;

/**
 * @param index  the portal's index.html
 * @throws Error if it has no title, description or noscript
 */
export function plainPage(index: string, { title, body }: PlainPage, parent: Link): string {
  const first = body.find((node): node is MathNode => typeof node !== 'string' && node.name === 'p');
  const text = first === undefined ? title : textOf(first);
  const description = text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 1)}…` : text;
  const visible = body.filter((node) => typeof node === 'string' || node.name !== 'figure');
  const article = `<main class="page narrow docs-plain"><p><a href="${parent.href}">${escapeText(parent.text)}</a></p><h1>${escapeText(title)}</h1>${visible.map(toMarkup).join('\n')}</main>`;
  const page = index
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeText(title)} · svc</title>`)
    .replace(/(<meta name="description" content=")[^"]*/, (_, start: string) => `${start}${escapeText(description)}`)
    .replace(/<noscript>[\s\S]*<\/noscript>/, () => `<noscript>${article}</noscript>`);
  if (!page.includes(article) || !page.includes(escapeText(description)))
    throw new Error('index.html has no title, description or noscript to fill.');
  return page;
}
