// What stands around every page: the way about, the theme, the beat of the clock.

import { type ComponentType, h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Later } from './kit/later.ts';
import { Notice } from './kit/notice.ts';
import { place } from './route.ts';
import { SOLVERS } from './solve/description.ts';
import { SolvePage } from './solve/page.ts';
import { theme, toggleTheme } from './theme.ts';

const PAGES = [
  { name: 'Solve', path: '/solve' },
  { name: 'Verify', path: '/verify' },
  { name: 'Pulse', path: '/pulse' },
  { name: 'Keys', path: '/keys' },
  { name: 'API', path: '/reference' },
] as const;

/** Loaded when they are visited. */
const LATER: Readonly<Record<string, () => Promise<ComponentType>>> = {
  '/verify': async () => (await import('./verify/page.ts')).VerifyPage,
  '/pulse': async () => (await import('./pages/pulse.ts')).PulsePage,
  '/keys': async () => (await import('./pages/keys.ts')).KeysPage,
  '/reference': async () => (await import('./reference/page.ts')).ReferencePage,
};

export function Shell() {
  const { path } = place.value;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const current = PAGES.find((page) => path.startsWith(page.path)) ?? PAGES[0];

  // A reader of the screen hears of a new page when the focus moves to it.
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus();
    scrollTo(0, 0);
  }, [current.path]);
  useEffect(() => {
    document.title = `${current.name} · svc`;
  }, [current.name]);

  return [
    h('a', { class: 'skip', href: '#main' }, 'Skip to the page'),
    h(
      'header',
      { class: 'masthead' },
      h('a', { class: 'mark', href: '/', 'data-page': '' }, h(Wave, null), 'svc'),
      h(
        'nav',
        { 'aria-label': 'Pages' },
        PAGES.map(({ name, path: target }) =>
          h(
            'a',
            {
              key: name,
              class: 'tab',
              href: target,
              'data-page': '',
              'aria-current': target === current.path ? 'page' : undefined,
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
  const load = LATER[path];
  if (load) return h(Later, { key: path, load });
  const id = path === '/' || path === '/solve' ? SOLVERS.find((one) => one.id === 'heat')?.id : path.split('/')[2];
  const solver = SOLVERS.find((one) => one.id === id);
  if (solver) return h(SolvePage, { key: solver.id, solver });
  return h(
    'div',
    { class: 'page' },
    h('h1', null, 'There is no such solver'),
    h(Notice, {
      kind: 'empty',
      title: `Nothing is called ${String(id)}.`,
      text: `There are ${SOLVERS.map((one) => one.id).join(', ')}.`,
    }),
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
