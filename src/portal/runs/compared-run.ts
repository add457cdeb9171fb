// Runs side by side: what they computed, and the inputs in which they differ.

import type { Solution } from '../../solvers/definition.ts';

export type Inputs = Readonly<Record<string, unknown>>;

export interface ComparedRun {
  readonly id: string;
  /** Page that holds the inputs, if one can. */
  readonly href: string | undefined;
  readonly inputs: Inputs;
  readonly value: number;
  readonly uncertainty: number;
  readonly unit: string;
  /** With the arrays, where they are here. */
  readonly solution?: Solution | undefined;
  /** SHA-256 over all that was computed. */
  readonly sha256?: string | undefined;
  /** Whether the server had computed the same bits, where that was compared. */
  readonly isEqual?: boolean | undefined;
}

/** An input in which runs differ, with the text of each run. */
export interface InputDifference {
  readonly name: string;
  readonly texts: readonly string[];
}

const MAX_TEXT = 40;

/** Inputs that are not the same in all runs, in the order in which the runs list them. */
export function inputDifferences(runs: readonly Pick<ComparedRun, 'inputs'>[]): readonly InputDifference[] {
  const names = new Set(runs.flatMap(({ inputs }) => Object.keys(inputs)));
  return [...names].flatMap((name) => {
    const exact = runs.map(({ inputs }) => JSON.stringify(inputs[name]) ?? '');
    return new Set(exact).size < 2 ? [] : [{ name, texts: runs.map(({ inputs }) => inputText(inputs[name])) }];
  });
}

/** A name for each run: the inputs that tell it from the others; its number where they do not. */
export function runNames(runs: readonly Pick<ComparedRun, 'inputs'>[]): readonly string[] {
  const differences = inputDifferences(runs).slice(0, 2);
  const names = runs.map((_, k) => differences.map(({ name, texts }) => `${name} ${texts[k]}`).join(', '));
  return names.map((name, k) =>
    name !== '' && names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${k + 1})`.trim(),
  );
}

function inputText(value: unknown): string {
  if (value === undefined) return 'by default';
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\n', '; ').replaceAll('-', '−');
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 2)} …` : text;
}
