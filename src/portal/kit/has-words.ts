// Search in short lists that are on the page: letter case and the order of words do not matter.

/** True if every word of the term occurs in one of the texts. */
export function hasWords(texts: readonly string[], term: string): boolean {
  const text = texts.join(' ').toLowerCase();
  return term
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
