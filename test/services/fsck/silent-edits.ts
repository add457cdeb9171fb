// Edits that fsck cannot see: the list in docs/fsck.md.

/** Kinds of edits of one column or table, and whether all or only some of them are silent. */
export type SilentEdits = ReadonlyMap<string, 'all' | 'some'>;

const ROW = /^\| `([a-z_]+(?:\.[a-z0-9_]+)?)` \| ([^|]+) \| [^|]+ \|$/gm;

const CHANGES = ['flip', 'null', 'other', 'swap'];
const WORDS: Readonly<Record<string, { readonly kinds: readonly string[]; readonly extent: 'all' | 'some' }>> = {
  'every change': { kinds: CHANGES, extent: 'all' },
  'some changes': { kinds: CHANGES, extent: 'some' },
  'some exchanges': { kinds: ['swap'], extent: 'some' },
  deletion: { kinds: ['delete'], extent: 'all' },
  'some deletions': { kinds: ['delete'], extent: 'some' },
  copy: { kinds: ['copy'], extent: 'all' },
  'some copies': { kinds: ['copy'], extent: 'some' },
};

/** Reads the list of a document: columns or tables, and their silent edits. */
export function silentEditsIn(document: string): Map<string, SilentEdits> {
  return new Map([...document.matchAll(ROW)].map(([, subject = '', words = '']) => [subject, silent(words)]));
}

function silent(words: string): SilentEdits {
  return new Map(
    words.split(',').flatMap((word) => {
      const { kinds, extent } = WORDS[word.trim()] ?? unknown(word);
      return kinds.map((kind) => [kind, extent] as const);
    }),
  );
}

function unknown(word: string): never {
  throw new Error(`Unknown kind of edits: ${word}.`);
}
