// The documentation: what its renderer lets through, that no link is dead, and that records and errors are all there.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Docs, docsFiles, renderDocs } from '../../scripts/portal/docs/docs-files.ts';
import { type DocNode, renderMarkdown, textOf } from '../../scripts/portal/docs/markdown.ts';
import { ERROR_WORDS } from '../../src/core/error-words.ts';
import { ERROR_FORMS } from '../../src/core/errors.ts';
import { toMarkup } from '../../src/portal/kit/math-node.ts';
import { isPagePath } from '../../src/portal/page-paths.ts';
import { SOLVERS } from '../../src/solvers/index.ts';

const SAFE_LINK = /^(https:\/\/|#|\/(?!\/))/;
const resolve = (href: string) => (SAFE_LINK.test(href) ? href : undefined);
const render = (text: string) => renderMarkdown(text, resolve);

function elementsOf(nodes: readonly DocNode[]): Exclude<DocNode, string>[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...elementsOf(node.content)]));
}

const INERT = /^(p|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|strong|em|s|code|pre|br|hr|h[2-6]|a|figure)$/;
const INERT_ATTRIBUTES = /^(href|id|class|start|language|name)$/;

function expectInert(nodes: readonly DocNode[]): number {
  const elements = elementsOf(nodes);
  for (const { name, attributes } of elements) {
    expect(name).toMatch(INERT);
    for (const attribute of Object.keys(attributes)) expect(attribute).toMatch(INERT_ATTRIBUTES);
    if (attributes.href !== undefined) expect(attributes.href).toMatch(SAFE_LINK);
  }
  return elements.length;
}

describe('the renderer', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'text <b onclick="alert(1)">bold</b>',
    '<iframe src="https://example.org"></iframe>',
    '<!-- figure: <script> -->',
    '<style>*{display:none}</style>',
  ])('%s stays text', (hostile) => {
    const { body } = render(hostile);
    expectInert(body);
    expect(textOf({ name: 'p', attributes: {}, content: body })).toBe(hostile);
    expect(body.map(toMarkup).join('')).not.toMatch(/<(script|img|b|iframe|style)\b/);
  });

  test.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](data:text/html,<script>alert(1)</script>)',
    '[a](vbscript:x)',
    '[a](//example.org)',
    '<javascript:alert(1)>',
    '![a](https://example.org/tracker.png)',
  ])('%s makes no link and no image', (hostile) => {
    const { body } = render(hostile);
    expectInert(body);
    expect(elementsOf(body).filter(({ name }) => name === 'a' || name === 'img')).toEqual([]);
  });

  test('huge nesting ends in text', () => {
    for (const hostile of [
      '>'.repeat(20_000),
      '[a]('.repeat(5_000),
      '- '.repeat(5_000),
      '*'.repeat(20_001),
      '`'.repeat(9_999),
    ]) {
      const depthOf = (node: DocNode): number =>
        typeof node === 'string' ? 0 : 1 + Math.max(0, ...node.content.map(depthOf));
      const { body } = render(`${hostile}x`);
      expectInert(body);
      expect(Math.max(0, ...body.map(depthOf))).toBeLessThan(200);
    }
  });

  test('any text is inert, and its markup has no attribute that it does not quote', () => {
    let counted = 0;
    const pieces = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '](',
      '[',
      'javascript:',
      '\n',
      '|',
      '`',
      '# ',
      '<svg onload=',
      'a',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 8 })), { maxLength: 40 }), (parts) => {
        const { body } = render(parts.join(''));
        counted += expectInert(body);
        expect(body.map(toMarkup).join('')).not.toMatch(/<[^>]*\son\w+=/);
      }),
    );
    expect(counted).toBeGreaterThan(30);
  });

  test('headings have anchors as other readers make them, each once', () => {
    const { title, headings } = render('# Title\n\n## Inputs & `x`\n\n## Twice\n\n## Twice\n\n### Σ of all\n');
    expect(title).toBe('Title');
    expect(headings.map(({ id }) => id)).toEqual(['inputs--x', 'twice', 'twice-1', 'σ-of-all']);
  });

  test('tables, code and figures keep their places', () => {
    const { body } = render('| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nx < 1\n```\n\n<!-- figure: tick -->\n');
    expect(body.map((node) => typeof node !== 'string' && node.name)).toEqual(['table', 'pre', 'figure']);
    expect(elementsOf(body).find(({ attributes }) => attributes.class === 'is-right')?.name).toBe('th');
    expect(body[1]).toEqual({ name: 'pre', attributes: { language: 'js' }, content: ['x < 1'] });
  });
});

describe('the pages', () => {
  let docs: Docs;
  beforeAll(async () => {
    docs = await renderDocs();
  });

  test('no link leads nowhere', () => {
    expect(docs.deadLinks).toEqual([]);
    const counts = { pages: 0, anchors: 0, portal: 0, outside: 0 };
    const dead = docs.links.filter(({ from, href }) => {
      if (href.startsWith('https://')) {
        counts.outside++;
        return false;
      }
      const [path = '', anchor] = href.split('#');
      const target = path === '' ? from : path;
      const page = docs.pages.get(target);
      if (page === undefined) {
        counts.portal++;
        // Files of the service itself, which the browser tests fetch.
        const isFile = ['/verifier.html', '/openapi.json'].includes(target);
        return !(isFile || (!target.startsWith('/docs') && isPagePath(target.split('?')[0] ?? '')));
      }
      counts.pages++;
      if (anchor === undefined) return false;
      counts.anchors++;
      return page.headings.every(({ id }) => id !== decodeURIComponent(anchor));
    });
    expect(dead).toEqual([]);
    expect(counts.pages).toBeGreaterThan(90);
    expect(counts.anchors).toBeGreaterThan(10);
    expect(counts.portal).toBeGreaterThan(100);
    expect(counts.outside).toBeGreaterThan(50);
    console.log(`links: ${JSON.stringify(counts)} on ${docs.pages.size} pages`);
  });

  test('every page has a title, text, and an address that the portal knows', () => {
    expect(docs.pages.size).toBeGreaterThan(100);
    for (const [path, { title, body, headings }] of docs.pages) {
      expect(isPagePath(path), path).toBe(true);
      expect(title, path).not.toBe('');
      expect(body.length, path).toBeGreaterThan(1);
      expect(new Set(headings.map(({ id }) => id)).size, path).toBe(headings.length);
    }
    const listed = docs.groups.flatMap(({ pages }) => pages.map(({ path }) => path));
    expect(listed).toEqual([...docs.pages.keys()]);
  });

  test('every solver has a page with all its inputs, presets, laws and references', () => {
    expect(SOLVERS.length).toBeGreaterThan(30);
    for (const { id, title, inputs, references, form } of SOLVERS) {
      const page = docs.pages.get(`/docs/solvers/${id}`);
      expect(page?.title, id).toBe(title);
      const text = textOf({ name: 'div', attributes: {}, content: page?.body ?? [] });
      const listed = Object.entries(inputs.shape).filter(([, field]) => field.meta()?.unlisted !== true);
      expect(listed.length, id).toBeGreaterThan(0);
      for (const [name] of listed) expect(text, id).toContain(name);
      for (const { cite } of references) expect(text, id).toContain(cite);
      for (const example of form?.examples ?? []) expect(text, id).toContain(example.title);
      const names = page?.headings.map(({ text: words }) => words) ?? [];
      for (const needed of ['Inputs', 'Results', 'References']) expect(names, id).toContain(needed);
    }
  });

  test('every error has its sentence, its remedy and an anchor', () => {
    const page = docs.pages.get('/docs/errors');
    const codes = Object.keys(ERROR_FORMS);
    expect(codes.length).toBeGreaterThan(50);
    expect(Object.keys(ERROR_WORDS)).toEqual(codes);
    for (const code of codes) {
      expect(page?.headings.map(({ id }) => id)).toContain(code);
      const { meaning, remedy } = ERROR_WORDS[code as keyof typeof ERROR_WORDS];
      for (const sentence of [meaning, remedy]) expect(sentence).toMatch(/^[A-Z].{15,}\.$/);
      expect(meaning.match(/[.?!]( |$)/g)).toHaveLength(1);
    }
  });

  test('a reader without scripts gets the text of every page', () => {
    const index = '<title>svc</title><meta name="description" content="x"><body><noscript>none</noscript></body>';
    const pages = docsFiles(docs).htmlPages(index);
    expect(pages.size).toBe(docs.pages.size);
    for (const [name, html] of pages) {
      const page = docs.pages.get(`/${name.replace(/\.html$/, '')}`);
      expect(html).not.toContain('<script');
      expect(html.length).toBeGreaterThan(textOf({ name: 'p', attributes: {}, content: page?.body ?? [] }).length);
    }
    expect(pages.get('docs/concepts/chain.html')).toContain('SHA-256(&#34;svc-row');
  });
});
