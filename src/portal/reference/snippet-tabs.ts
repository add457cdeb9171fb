// Snippets of an operation in tabs. The chosen language is kept for all operations, and after the page is closed.

import { signal } from '@preact/signals';
import { h } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { CodeBlock } from '../kit/code-block.ts';
import type { OperationPage } from './operation-page.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language, snippetsOf } from './snippets.ts';

const STORAGE_KEY = 'svc.language';
const PANEL = 'snippet';

const chosen = signal<Language>(
  LANGUAGES.find((language) => language === localStorage.getItem(STORAGE_KEY)) ?? LANGUAGES[0],
);

function choose(language: Language): void {
  chosen.value = language;
  localStorage.setItem(STORAGE_KEY, language);
}

export function SnippetTabs({ page: { call, input, madeUp, preset } }: { readonly page: OperationPage }) {
  const tabs = useRef<HTMLDivElement>(null);
  const snippets = useMemo(() => snippetsOf(call, input, location.origin), [call, input]);
  const current = chosen.value;
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextLanguage(current, event.key);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    tabs.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus();
  };
  return h(
    'section',
    { class: 'snippets', 'aria-labelledby': 'snippets' },
    h('h2', { id: 'snippets', class: 'code-title' }, 'Example'),
    h(
      'div',
      { class: 'snippet-tabs', role: 'tablist', 'aria-labelledby': 'snippets', ref: tabs, onKeyDown },
      LANGUAGES.map((language) =>
        h(
          'button',
          {
            key: language,
            id: tabId(language),
            type: 'button',
            role: 'tab',
            'aria-selected': language === current,
            'aria-controls': PANEL,
            tabIndex: language === current ? 0 : -1,
            onClick: () => choose(language),
          },
          LANGUAGE_NAMES[language],
        ),
      ),
    ),
    h(
      'div',
      { id: PANEL, role: 'tabpanel', 'aria-labelledby': tabId(current) },
      h(CodeBlock, { key: current, code: snippets[current], label: LANGUAGE_NAMES[current] }),
    ),
    preset === undefined ? null : h('p', { class: 'code-note' }, `Preset: ${preset}.`),
    madeUp.length === 0
      ? null
      : h('p', { class: 'code-note' }, 'Put your own in: ', ...madeUp.flatMap(codeInList), '.'),
  );
}

const tabId = (language: Language) => `snippet-${language}`;

const codeInList = (name: string, at: number) => [...(at === 0 ? [] : [', ']), h('code', { key: name }, name)];

/** Of the keys of a list of tabs: arrows, Home and End. */
function nextLanguage(current: Language, key: string): Language | undefined {
  const at = LANGUAGES.indexOf(current);
  const { length } = LANGUAGES;
  const target = { ArrowRight: at + 1, ArrowLeft: at - 1 + length, Home: 0, End: length - 1 }[key];
  return target === undefined ? undefined : LANGUAGES[target % length];
}
