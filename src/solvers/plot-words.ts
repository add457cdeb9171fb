// Words for the arrays that a plot shows. Arrays are sealed by name and keep it; pictures show the words.

import type { Field } from './field.ts';
import { arrayNames, type Plot } from './plot.ts';

/** Words by the name of an array. */
export type ArrayWords = Readonly<Record<string, string>>;

/** Plots with the words for their arrays; the words of a plot itself come first. */
export function withWords(plots: readonly Plot[], words: ArrayWords): readonly Plot[] {
  return plots.map((plot) => {
    const known = arrayNames(plot).flatMap((name) => {
      const text = plot.words?.[name] ?? words[name];
      return text === undefined ? [] : [[name, text] as const];
    });
    return known.length === 0 ? plot : { ...plot, words: Object.fromEntries(known) };
  });
}

/** A plot and its own arrays, named by its words, for those who show it to people. */
export function inWords(plot: Plot, arrays: readonly Field[]): { readonly plot: Plot; readonly arrays: Field[] } {
  const { words = {} } = plot;
  const nameOf = (name: string) => (Object.hasOwn(words, name) ? (words[name] ?? name) : name);
  const shown = new Set(arrayNames(plot));
  return {
    plot: renamed(plot, nameOf),
    arrays: arrays.filter(({ name }) => shown.has(name)).map((field) => ({ ...field, name: nameOf(field.name) })),
  };
}

/** Properties of plots that name no array. */
const OTHER_PROPERTIES: ReadonlySet<string> = new Set([
  'kind',
  'title',
  'marks',
  'labels',
  'names',
  'blank',
  'range',
  'words',
]);

/** The plot with other names of its arrays; its kind, and so its type, stay. */
function renamed(plot: Plot, nameOf: (name: string) => string): Plot {
  const inValue = (value: unknown): unknown => {
    if (typeof value === 'string') return nameOf(value);
    if (Array.isArray(value)) return value.map(inValue);
    return typeof value === 'object' && value !== null ? inProperties(value) : value;
  };
  const inProperties = (properties: object) =>
    Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, OTHER_PROPERTIES.has(key) ? value : inValue(value)]),
    );
  return inProperties(plot) as unknown as Plot;
}
