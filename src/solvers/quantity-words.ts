// Quantities of a result in words, by the names that the receipt gives them.

/** Words by name. In a name and its words, `#` stands for a number; a name that begins with `*` is one of any symbol. */
export type QuantityWords = Readonly<Record<string, string>>;

/** The words of a quantity; undefined if its solver has none for it. */
export function quantityWords(words: QuantityWords, name: string): string | undefined {
  if (Object.hasOwn(words, name)) return words[name];
  const numbers = name.match(/\d+/g) ?? [];
  const numbered = name.replaceAll(/\d+/g, '#');
  if (Object.hasOwn(words, numbered)) {
    const rest = [...numbers];
    return words[numbered]?.replaceAll('#', () => rest.shift() ?? '#');
  }
  for (const [pattern, text] of Object.entries(words)) {
    const ending = pattern.slice(1);
    if (pattern.startsWith('*') && name.endsWith(ending)) return text.replace('*', name.slice(0, -ending.length));
  }
  return undefined;
}
