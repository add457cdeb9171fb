// Application shell: header with tabs and theme button, the current page, and the footer.

import { type ComponentType, h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LazyPage } from './kit/lazy-page.ts';
import { Notice } from './kit/notice.ts';
import { isPagePath, LAWS_PAGE } from './page-paths.ts';
import { SearchButton } from './palette/button.ts';
import { currentRoute } from './router.ts';
import { SolvePage } from './solve/page.ts';
import { START_SOLVER } from './solve/solver-description.ts';
import { theme, toggleTheme } from './theme.ts';

const HOME = { name: 'Home', path: '/' } as const;

const TABS = [
  { name: 'Gallery', path: '/gallery' },
  { name: 'Solve', path: '/solve' },
  LAWS_PAGE,
  { name: 'Runs', path: '/runs' },
  { name: 'Machines', path: '/machines' },
  { name: 'Templates', path: '/templates' },
  { name: 'Verify', path: '/verify' },
  { name: 'Pulse', path: '/pulse' },
  { name: 'Keys', path: '/keys' },
  { name: 'API', path: '/reference' },
  { name: 'Docs', path: '/docs' },
] as const;

const MENU_ID = 'pages';

/** Pages loaded on their first visit. */
const LAZY_PAGES: Readonly<Record<string, () => Promise<ComponentType>>> = {
  '/': async () => (await import('./home/page.ts')).HomePage,
  '/gallery': async () => (await import('./gallery/page.ts')).GalleryPage,
  '/operators': async () => (await import('./operators/page.ts')).OperatorsPage,
  '/runs': async () => (await import('./runs/page.ts')).RunsPage,
  '/machines': async () => (await import('./machines/page.ts')).MachinesPage,
  '/templates': async () => (await import('./templates/page.ts')).TemplatesPage,
  '/verify': async () => (await import('./verify/page.ts')).VerifyPage,
  '/pulse': async () => (await import('./pulse/page.ts')).PulsePage,
  '/keys': async () => (await import('./keys/page.ts')).KeysPage,
  '/docs': async () => (await import('./docs/page.ts')).DocsPage,
  '/reference': async () => (await import('./reference/page.ts')).ReferencePage,
};

/** Pages that route the rest of their path themselves. */
const SECTIONS: ReadonlySet<string> = new Set(['operators', 'machines', 'templates', 'docs', 'reference']);

export function Shell() {
  const { path } = currentRoute.value;
  const main = useRef<HTMLElement>(null);
  const tabs = useRef<HTMLElement>(null);
  const isFirstRender = useRef(true);
  const { isOpen, setOpen } = useMenu(path);
  const currentTab = isPagePath(path) ? (TABS.find((page) => path.startsWith(page.path)) ?? HOME) : undefined;
  const isHome = currentTab?.path === HOME.path;

  // Moving the focus announces a new page to screen readers; immediately, so that no field loses the focus later.
  useLayoutEffect(() => {
    if (isFirstRender.current) isFirstRender.current = false;
    else main.current?.focus();
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    scrollTo(0, 0);
  }, [currentTab?.path]);
  useEffect(() => {
    document.title = `${currentTab?.name ?? 'Page not found'} · svc`;
  }, [currentTab?.name]);

  return [
    h('a', { class: 'skip', href: '#main' }, 'Skip to content'),
    h(
      'header',
      { class: 'masthead' },
      h(
        'a',
        { class: 'logo', href: '/', 'data-page': '', 'aria-current': isHome ? 'page' : undefined },
        h(Logo, null),
        'svc',
      ),
      h(MenuButton, { isOpen, toggle: () => setOpen(!isOpen) }),
      h(
        'nav',
        { id: MENU_ID, 'aria-label': 'Pages', class: isOpen ? 'is-open' : undefined, ref: tabs },
        TABS.map(({ name, path: target }) =>
          h(
            'a',
            {
              key: name,
              class: 'tab',
              href: target,
              'data-page': '',
              'aria-current': target === currentTab?.path ? 'page' : undefined,
            },
            name,
          ),
        ),
      ),
      h(SearchButton, { pages: TABS }),
      h(ThemeButton, null),
    ),
    h('main', { id: 'main', ref: main, tabIndex: -1 }, pageFor(path)),
    h(
      'footer',
      { class: 'footer' },
      h('p', null, 'A number you can re-run, in a history you cannot rewrite.'),
      h('p', null, h('a', { href: '/openapi.json' }, 'OpenAPI'), h('a', { href: '/api/kernel' }, 'Kernel')),
    ),
  ];
}

function pageFor(path: string) {
  if (!isPagePath(path)) return h(NotFoundPage, { path });
  const [, section = ''] = path.split('/');
  const page = SECTIONS.has(section) ? `/${section}` : path;
  const load = LAZY_PAGES[page];
  if (load) return h(LazyPage, { key: page, load });
  return h(SolvePage, { key: '/solve', id: path.split('/')[2] ?? START_SOLVER });
}

/** The menu of pages in narrow windows: closed by a new page and by Escape. */
function useMenu(path: string) {
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpen(false);
      document.querySelector<HTMLElement>(`[aria-controls=${MENU_ID}]`)?.focus();
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [isOpen]);
  return { isOpen, setOpen };
}

function MenuButton({ isOpen, toggle }: { readonly isOpen: boolean; readonly toggle: () => void }) {
  return h(
    'button',
    { type: 'button', class: 'menu-button', 'aria-expanded': isOpen, 'aria-controls': MENU_ID, onClick: toggle },
    h(
      'svg',
      { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' },
      h('path', { d: isOpen ? 'M3 3l10 10M13 3L3 13' : 'M2 4h12M2 8h12M2 12h12', class: 'menu-lines' }),
    ),
    'Menu',
  );
}

function NotFoundPage({ path }: { readonly path: string }) {
  return h(
    'div',
    { class: 'page' },
    h('header', { class: 'page-head' }, h('h1', null, 'Page not found')),
    h(Notice, {
      kind: 'empty',
      title: `The path ${path} does not exist.`,
      text: 'Use the tabs above; API lists every route.',
    }),
    h('a', { class: 'button', href: '/', 'data-page': '' }, 'Go to the start page'),
  );
}

function Logo() {
  return h(
    'svg',
    { viewBox: '0 0 32 20', width: 28, height: 18, 'aria-hidden': 'true' },
    h('path', { d: 'M1 11h6l4-9 6 16 5-11 3 4h6', class: 'logo-wave' }),
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
