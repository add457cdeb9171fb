// Quantities of a result in words, by the names that the receipt gives them.

/** Words by name. In a name and its words, `#` stands for a number and `*` for any symbol; longer names come first. */
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
    if (!pattern.includes('*')) continue;
    const [, ...symbols] = new RegExp(`^${pattern.replaceAll('*', '(.+)')}$`).exec(name) ?? [];
    if (symbols.length > 0) return text.replaceAll('*', () => symbols.shift() ?? '*');
  }
  return undefined;
}
