// What stands around every page: the way about, the theme, the beat of the clock.

import { type ComponentType, h } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isPage } from './addresses.ts';
import { Later } from './kit/later.ts';
import { Notice } from './kit/notice.ts';
import { place } from './route.ts';
import { SOLVERS } from './solve/description.ts';
import { SolvePage } from './solve/page.ts';
import { theme, toggleTheme } from './theme.ts';

const PAGES = [
  { name: 'Solve', path: '/solve' },
  { name: 'Operators', path: '/operators' },
  { name: 'Machines', path: '/machines' },
  { name: 'Templates', path: '/templates' },
  { name: 'Verify', path: '/verify' },
  { name: 'Pulse', path: '/pulse' },
  { name: 'Keys', path: '/keys' },
  { name: 'API', path: '/reference' },
] as const;

/** Loaded when they are visited. */
const LATER: Readonly<Record<string, () => Promise<ComponentType>>> = {
  '/operators': async () => (await import('./operators/page.ts')).OperatorsPage,
  '/machines': async () => (await import('./machines/page.ts')).MachinesPage,
  '/templates': async () => (await import('./templates/page.ts')).TemplatesPage,
  '/verify': async () => (await import('./verify/page.ts')).VerifyPage,
  '/pulse': async () => (await import('./pages/pulse.ts')).PulsePage,
  '/keys': async () => (await import('./pages/keys.ts')).KeysPage,
  '/reference': async () => (await import('./reference/page.ts')).ReferencePage,
};

/** Their first name leads to the page, which reads the others itself. */
const ROOMS: ReadonlySet<string> = new Set(['operators', 'machines', 'templates']);

export function Shell() {
  const { path } = place.value;
  const main = useRef<HTMLElement>(null);
  const tabs = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const known = isPage(path) ? (PAGES.find((page) => path.startsWith(page.path)) ?? PAGES[0]) : undefined;

  // A reader of the screen hears of a new page when the focus moves to it; at once, so that none is taken from a field.
  useLayoutEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus();
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    scrollTo(0, 0);
  }, [known?.path]);
  useEffect(() => {
    document.title = `${known?.name ?? 'No such page'} · svc`;
  }, [known?.name]);

  return [
    h('a', { class: 'skip', href: '#main' }, 'Skip to the page'),
    h(
      'header',
      { class: 'masthead' },
      h('a', { class: 'mark', href: '/', 'data-page': '' }, h(Wave, null), 'svc'),
      h(
        'nav',
        { 'aria-label': 'Pages', ref: tabs },
        PAGES.map(({ name, path: target }) =>
          h(
            'a',
            {
              key: name,
              class: 'tab',
              href: target,
              'data-page': '',
              'aria-current': target === known?.path ? 'page' : undefined,
            },
            name,
          ),
        ),
      ),
      h(ThemeButton, null),
    ),
    h('main', { id: 'main', ref: main, tabIndex: -1 }, pageAt(path)),
    h(
      'footer',
      { class: 'footer' },
      h('p', null, 'A number you can re-run, in a history you cannot rewrite.'),
      h('p', null, h('a', { href: '/openapi.json' }, 'OpenAPI'), h('a', { href: '/api/kernel' }, 'Kernel')),
    ),
  ];
}

function pageAt(path: string) {
  if (!isPage(path)) return h(NoSuchPage, { path });
  const [, room = ''] = path.split('/');
  const page = ROOMS.has(room) ? `/${room}` : path;
  const load = LATER[page];
  if (load) return h(Later, { key: page, load });
  const id = path === '/' || path === '/solve' ? SOLVERS.find((one) => one.id === 'heat')?.id : path.split('/')[2];
  const solver = SOLVERS.find((one) => one.id === id);
  if (solver) return h(SolvePage, { key: solver.id, solver });
  return h(
    'div',
    { class: 'page' },
    h('header', { class: 'page-head' }, h('h1', null, 'There is no such solver')),
    h(Notice, {
      kind: 'empty',
      title: `Nothing is called ${String(id)}.`,
      text: `There are ${SOLVERS.map((one) => one.id).join(', ')}.`,
    }),
  );
}

function NoSuchPage({ path }: { readonly path: string }) {
  return h(
    'div',
    { class: 'page' },
    h('header', { class: 'page-head' }, h('h1', null, 'There is no such page')),
    h(Notice, {
      kind: 'empty',
      title: `Nothing is at ${path}.`,
      text: 'The pages stand above; what programs may ask is under API.',
    }),
    h('a', { class: 'button', href: '/', 'data-page': '' }, 'To the first page'),
  );
}

function Wave() {
  return h(
    'svg',
    { viewBox: '0 0 32 20', width: 28, height: 18, 'aria-hidden': 'true' },
    h('path', { d: 'M1 11h6l4-9 6 16 5-11 3 4h6', class: 'mark-wave' }),
  );
}

function ThemeButton() {
  const next = theme.value === 'dark' ? 'light' : 'dark';
  return h(
    'button',
    { type: 'button', class: 'quiet icon-button', onClick: toggleTheme, 'aria-label': `Use the ${next} theme` },
    h(
      'svg',
      { viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': 'true' },
      h('circle', { cx: 10, cy: 10, r: 6.5, class: 'theme-ring' }),
      h('path', { d: 'M10 3.5a6.5 6.5 0 0 1 0 13z', class: 'theme-half' }),
    ),
  );
}
