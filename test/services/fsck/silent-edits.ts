// Edits that fsck cannot see: the list in docs/fsck.md, and what it will see soon.

/** Kinds of edits of one column or table, and whether all or only some of them are silent. */
export type SilentEdits = ReadonlyMap<string, 'all' | 'some'>;

const ROW = /^\| `([a-z_]+(?:\.[a-z0-9_]+)?)` \| ([^|]+) \| [^|]+ \|$/gm;

const CHANGES = ['flip', 'null', 'other', 'swap'];
const WORDS: Readonly<Record<string, { readonly kinds: readonly string[]; readonly extent: 'all' | 'some' }>> = {
  'every change': { kinds: CHANGES, extent: 'all' },
  'some changes': { kinds: CHANGES, extent: 'some' },
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

/** A column, and a condition on its rows. */
interface SilentRows {
  readonly edits: SilentEdits;
  readonly where: string;
}

const NEVER_SET = 'settings_version = 0';

/**
 * Silent until the chain commits visibility, settings and sealing keys of machines from their first row. Then these
 * edits are found, the test fails, and this list is to be emptied.
 */
export const SILENT_UNTIL_MACHINES_COMMIT_SETTINGS: ReadonlyMap<string, SilentRows> = new Map(
  [
    ['machine.name', 'every change', NEVER_SET],
    ['machine.description', 'every change', NEVER_SET],
    ['machine.is_public', 'every change', NEVER_SET],
    ['machine.settings', 'every change', NEVER_SET],
    ['machine.sealing_key', 'every change', 'true'],
    ['sealing_key.public_key', 'every change', 'true'],
    ['sealing_key.zid', 'every change', 'true'],
    ['sealing_key.salt', 'every change', 'true'],
    ['sealing_key', 'deletion, some copies', 'true'],
  ].map(([subject = '', words = '', where = '']) => [subject, { edits: silent(words), where }]),
);
