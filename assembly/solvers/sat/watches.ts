// Lists of the clauses that watch each literal, in blocks of one pool that double when they are full.
//
// An entry is a clause and a blocking literal: if that is true, the clause is not looked at. A clause of two literals is
// stored as ~clause, and its blocker is its other literal, so it never is.
import { allocateWords, setWord, word } from './formula';

/** Free share of the pool below which the lists are packed again at the next restart. */
const LOW = 4;

let starts: usize = 0;
let sizes: usize = 0;
let rooms: usize = 0;
let pool: usize = 0;
let literals = 0;
/** In entries of two words. */
let top = 0;
let capacity = 0;

export function allocateWatches(literalCount: i32, entries: i32): bool {
  literals = literalCount;
  capacity = entries;
  starts = allocateWords(literals);
  sizes = allocateWords(literals);
  rooms = allocateWords(literals);
  pool = allocateWords(2 * entries);
  return starts !== 0 && sizes !== 0 && rooms !== 0 && pool !== 0;
}

/** Begins anew: `announce` each entry, then `makeRoom`, then `watch` each. */
export function clearWatches(): void {
  memory.fill(sizes, 0, (<usize>literals) << 2);
}

export function announce(literal: i32): void {
  setWord(sizes, literal, word(sizes, literal) + 1);
}

export function makeRoom(): void {
  top = 0;
  for (let literal = 0; literal < literals; literal++) {
    const room = word(sizes, literal) + 4;
    setWord(starts, literal, top);
    setWord(rooms, literal, room);
    setWord(sizes, literal, 0);
    top += room;
  }
}

export function isPoolLow(): bool {
  return capacity - top < capacity / LOW;
}

/** @returns false if the pool is full */
export function watch(literal: i32, clause: i32, blocker: i32): bool {
  const size = word(sizes, literal);
  if (size === word(rooms, literal) && !grow(literal, size)) return false;
  const at = entryAt(word(starts, literal) + size);
  store<i32>(at, clause);
  store<i32>(at, blocker, 4);
  setWord(sizes, literal, size + 1);
  return true;
}

function grow(literal: i32, size: i32): bool {
  const room = 2 * size;
  if (top + room > capacity) return false;
  memory.copy(entryAt(top), entryAt(word(starts, literal)), (<usize>size) << 3);
  setWord(starts, literal, top);
  setWord(rooms, literal, room);
  top += room;
  return true;
}

function entryAt(i: i32): usize {
  return pool + ((<usize>i) << 3);
}

/** Address of the first entry of a literal, and one past its last. */
export function watchesOf(literal: i32): usize {
  return entryAt(word(starts, literal));
}

export function watchesEnd(literal: i32): usize {
  return entryAt(word(starts, literal) + word(sizes, literal));
}

/** Keeps the entries before this address. */
export function cutWatches(literal: i32, end: usize): void {
  setWord(sizes, literal, <i32>((end - watchesOf(literal)) >> 3));
}
