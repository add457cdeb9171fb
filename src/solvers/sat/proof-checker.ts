// Reverse unit propagation: whether a lemma follows from clauses, in the manner of DRAT-trim but forwards.
//
// The negation of a lemma is assumed literal by literal. The next lemma keeps the assumptions that it shares with the one
// before, from the first on, so a refutation by backtracking is checked in about the time of its search. Lemmas whose
// prefix a later lemma is are dropped. What was once implied stays implied when a clause is removed, since every lemma
// follows from the formula: removing clauses only saves time.

const DROPPED = -1;

export class ProofChecker {
  /** A clause: its size, then its literals 2 v + sign; the first two are watched. */
  readonly #store: Int32Array;
  #top = 0;
  /** By literal: clauses that watch it. */
  readonly #watches: number[][];
  readonly #values: Int8Array;
  readonly #levels: Int32Array;
  readonly #trail: number[] = [];
  #head = 0;
  /** Assumed literals, and the length of the trail before each. */
  readonly #assumed: number[] = [];
  readonly #starts: number[] = [];
  /** The clauses contradict what is assumed now. */
  #isConflict = false;
  readonly #maxVisits: number;
  #visits = 0;
  readonly #bySum = new Map<number, number[]>();
  /** Lemmas that may be dropped, the last on top: their literals as given, and where they are stored. */
  readonly #stack: { readonly literals: Int32Array; readonly at: number }[] = [];

  /** @param words  literals of all clauses together, with one more for each clause */
  constructor(variables: number, words: number, maxVisits: number) {
    this.#store = new Int32Array(words);
    this.#watches = Array.from({ length: 2 * variables }, () => []);
    this.#values = new Int8Array(2 * variables);
    this.#levels = new Int32Array(variables);
    this.#maxVisits = maxVisits;
  }

  get isExhausted(): boolean {
    return this.#visits > this.#maxVisits;
  }

  /** Adds a clause of literals as in DIMACS, without repeated ones. */
  add(literals: Int32Array): void {
    this.#dropExtensions(literals);
    const at = this.#top;
    const size = literals.length;
    this.#store[at] = size;
    const codes = Array.from(literals, encode).sort((a, b) => this.#rank(b) - this.#rank(a));
    this.#store.set(codes, at + 1);
    this.#top += 1 + size;
    this.#stack.push({ literals, at });
    const key = sumOf(literals);
    const same = this.#bySum.get(key);
    if (same) same.push(at);
    else this.#bySum.set(key, [at]);
    if (size >= 2) {
      this.#watches[codes[0] ?? 0]?.push(at);
      this.#watches[codes[1] ?? 0]?.push(at);
    }
    this.#settle(codes);
  }

  /** A clause that is unit or false as things are: implies its literal, or is a conflict, on the level where it became so. */
  #settle(codes: readonly number[]): void {
    const [first, second] = codes;
    if (second !== undefined && this.#value(second) >= 0) return;
    if (first === undefined || this.#value(first) < 0) {
      // No literal is left: the level of the last one cannot stand.
      this.#cut(first === undefined ? 0 : (this.#levels[first >> 1] ?? 0));
      this.#isConflict = true;
      return;
    }
    const level = second === undefined ? 0 : (this.#levels[second >> 1] ?? 0);
    if (this.#value(first) > 0) {
      if ((this.#levels[first >> 1] ?? 0) <= level) return;
    }
    this.#cut(level);
    if (this.#isConflict || this.#value(first) > 0) return;
    this.#imply(first);
    this.#isConflict = !this.#propagate();
  }

  /** Free and true literals first, then those that became false last. */
  #rank(code: number): number {
    return this.#value(code) >= 0 ? Number.MAX_SAFE_INTEGER : (this.#levels[code >> 1] ?? 0);
  }

  /** Removes a clause of these literals, in any order, if there is one. */
  remove(literals: Int32Array): void {
    const same = this.#bySum.get(sumOf(literals)) ?? [];
    const wanted = Int32Array.from(literals, encode).sort();
    const place = same.findIndex((at) => {
      const size = this.#store[at] ?? 0;
      if (size !== wanted.length) return false;
      const codes = this.#store.slice(at + 1, at + 1 + size).sort();
      return codes.every((code, k) => code === wanted[k]);
    });
    const at = same[place];
    if (at === undefined) return;
    same.splice(place, 1);
    this.#store[at] = DROPPED;
  }

  #dropExtensions(literals: Int32Array): void {
    for (;;) {
      const last = this.#stack.at(-1);
      if (!last || last.literals.length <= literals.length) return;
      if (!literals.every((literal, k) => literal === last.literals[k])) return;
      this.#store[last.at] = DROPPED;
      this.#stack.pop();
    }
  }

  /** Whether the negation of the lemma leads to a conflict by unit propagation. */
  follows(lemma: Int32Array): boolean {
    let shared = 0;
    while (
      shared < this.#assumed.length &&
      encode(lemma[shared] ?? 0) === ((this.#assumed[shared] ?? 0) ^ 1) &&
      shared < lemma.length
    )
      shared++;
    if (shared < this.#assumed.length) this.#cut(shared);
    for (let k = shared; !this.#isConflict; k++) {
      if (k === lemma.length) return false;
      const code = encode(lemma[k] ?? 0);
      this.#starts.push(this.#trail.length);
      this.#assumed.push(code ^ 1);
      if (this.#value(code) > 0) this.#isConflict = true;
      else {
        if (this.#value(code) === 0) this.#imply(code ^ 1);
        this.#isConflict = !this.#propagate();
        if (this.isExhausted) return false;
      }
    }
    // The level of the conflict is not propagated to its end.
    if (this.#assumed.length > 0) this.#cut(this.#assumed.length - 1);
    return true;
  }

  /** Takes back all assumptions but the first few. */
  #cut(level: number): void {
    if (level >= this.#assumed.length) return;
    const start = this.#starts[level] ?? 0;
    for (const code of this.#trail.splice(start)) {
      this.#values[code] = 0;
      this.#values[code ^ 1] = 0;
    }
    this.#starts.length = level;
    this.#assumed.length = level;
    this.#head = start;
    this.#isConflict = false;
  }

  #value(code: number): number {
    return this.#values[code] ?? 0;
  }

  #imply(code: number): void {
    this.#values[code] = 1;
    this.#values[code ^ 1] = -1;
    this.#levels[code >> 1] = this.#assumed.length;
    this.#trail.push(code);
  }

  /** @returns false after a conflict */
  #propagate(): boolean {
    while (this.#head < this.#trail.length) {
      const code = this.#trail[this.#head++] ?? 0;
      if (!this.#visit(code ^ 1)) return false;
    }
    return true;
  }

  /** Visits the clauses that watch a literal which is false now. */
  #visit(code: number): boolean {
    const store = this.#store;
    const values = this.#values;
    const list = this.#watches[code] ?? [];
    let kept = 0;
    let isConsistent = true;
    this.#visits += list.length;
    for (let i = 0; i < list.length; i++) {
      const at = list[i] ?? 0;
      const size = store[at] ?? 0;
      if (size === DROPPED) continue;
      if (!isConsistent) {
        list[kept++] = at;
        continue;
      }
      if (store[at + 1] === code) {
        store[at + 1] = store[at + 2] ?? 0;
        store[at + 2] = code;
      }
      const other = store[at + 1] ?? 0;
      const otherValue = values[other] ?? 0;
      let next = size + 1;
      if (otherValue <= 0) for (next = 3; next <= size && (values[store[at + next] ?? 0] ?? 0) < 0; next++);
      if (next <= size) {
        const watched = store[at + next] ?? 0;
        store[at + 2] = watched;
        store[at + next] = code;
        this.#watches[watched]?.push(at);
        continue;
      }
      list[kept++] = at;
      if (otherValue < 0) isConsistent = false;
      else if (otherValue === 0) this.#imply(other);
    }
    list.length = kept;
    return isConsistent;
  }
}

const encode = (literal: number): number => (literal > 0 ? 2 * literal - 2 : -2 * literal - 1);

const sumOf = (literals: Int32Array): number => literals.reduce((sum, literal) => sum + literal * literal * literal, 0);
