// A word for a POSIX shell, in quotes where it needs them.

export const shellQuote = (word: string) => (/^[\w=.+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
