// Light or dark: the system's choice until the visitor makes one.

import { computed, effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const STORED = 'svc.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const ofSystem = signal<Theme>(system.matches ? 'dark' : 'light');
const stored = localStorage.getItem(STORED);
const chosen = signal<Theme | undefined>(stored === 'light' || stored === 'dark' ? stored : undefined);

export const theme = computed<Theme>(() => chosen.value ?? ofSystem.value);

export function toggleTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(STORED, chosen.value);
}

export function watchTheme(): void {
  system.addEventListener('change', ({ matches }) => {
    ofSystem.value = matches ? 'dark' : 'light';
  });
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}
