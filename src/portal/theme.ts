// Light or dark theme: the system's preference until the visitor chooses.

import { computed, effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const STORAGE_KEY = 'svc.theme';
const systemQuery = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = signal<Theme>(systemQuery.matches ? 'dark' : 'light');
const stored = localStorage.getItem(STORAGE_KEY);
const chosenTheme = signal<Theme | undefined>(stored === 'light' || stored === 'dark' ? stored : undefined);

/** Paper is light. */
const isPrinting = signal(false);

/** Two frames and the effects after them: pictures are drawn anew in the colours of paper. */
const REDRAW_MS = 100;

/** Prints the page once its pictures are light; a print that the browser starts by itself cannot wait for them. */
export async function printPage(): Promise<void> {
  if (theme.value === 'dark') {
    isPrinting.value = true;
    await new Promise((resolve) => setTimeout(resolve, REDRAW_MS));
  }
  print();
  isPrinting.value = false;
}

export const theme = computed<Theme>(() => (isPrinting.value ? 'light' : (chosenTheme.value ?? systemTheme.value)));

export function toggleTheme(): void {
  chosenTheme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(STORAGE_KEY, chosenTheme.value);
}

export function watchTheme(): void {
  systemQuery.addEventListener('change', ({ matches }) => {
    systemTheme.value = matches ? 'dark' : 'light';
  });
  addEventListener('beforeprint', () => {
    isPrinting.value = true;
  });
  addEventListener('afterprint', () => {
    isPrinting.value = false;
  });
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}
