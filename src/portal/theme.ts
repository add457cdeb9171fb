// Light or dark theme: the system's preference until the visitor chooses.

import { computed, effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const STORAGE_KEY = 'svc.theme';
const systemQuery = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = signal<Theme>(systemQuery.matches ? 'dark' : 'light');
const stored = localStorage.getItem(STORAGE_KEY);
const chosenTheme = signal<Theme | undefined>(stored === 'light' || stored === 'dark' ? stored : undefined);

export const theme = computed<Theme>(() => chosenTheme.value ?? systemTheme.value);

export function toggleTheme(): void {
  chosenTheme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(STORAGE_KEY, chosenTheme.value);
}

export function watchTheme(): void {
  systemQuery.addEventListener('change', ({ matches }) => {
    systemTheme.value = matches ? 'dark' : 'light';
  });
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}
