// Davis, Logemann & Loveland (1962): unit propagation by counters, chronological backtracking, no pure literals.
//
// Every clause counts its true literals and those that are not false. The scores that choose a branch change with the
// counters, so a decision costs a pass over the variables and never over the clauses. A refuted branch is one lemma, the
// negation of its decisions, so a refutation has one more lemma than decisions.
//
//   first  the variable of the lowest number, true first
//   moms   maximum occurrences in clauses of minimum size: f(x) f(¬x) 2^10 + f(x) + f(¬x) (Freeman 1995), where each
//          further free literal makes a clause count an eighth, so that longer clauses break ties
//   jw     Jeroslow & Wang (1990), two-sided: Σ 2^−size over open clauses
//   dlis   the literal in most open clauses (Marques-Silva 1999)
import { allocate, allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';
import {
  allocateWords,
  assign,
  assumption,
  clauseSize,
  countDecision,
  endLemma,
  Formula,
  finish,
  HEADER,
  levelStart,
  literalsOf,
  mayDecide,
  openLevel,
  proveLiteral,
  SATISFIABLE,
  Search,
  saveModel,
  setWord,
  trailAt,
  UNKNOWN,
  UNSATISFIABLE,
  unassign,
  value,
  word,
} from './formula';

const MOMS: i32 = 0;
const DLIS: i32 = 2;
const FIRST: i32 = 3;

/** Freeman's weight of the product of both polarities. */
const PRODUCT_WEIGHT: f64 = 1024;
const MAX_MOMS_SIZE: i32 = 10;
const MAX_JW_SIZE: i32 = 24; // the last of WEIGHTS
/** A sum of integers above this may be inexact. */
const MAX_COUNT: f64 = 9007199254740992;
// The work of a visit; more where it makes a clause true, or shortens it to two literals or more; of a word of a clause
// whose scores change; of a variable that a decision passes; and of a change between free and fixed ones on that way,
// which no branch prediction foresees. Fitted to the times of 125 searches.
const VISIT_WORK: f64 = 8;
const CLOSE_WORK: f64 = 20;
const SHORTEN_WORK: f64 = 56;
const SCORE_WORK: f64 = 2;
const PASS_WORK: f64 = 4;
const CHANGE_WORK: f64 = 48;

// A clause: how many of its literals are true, how many are not false, its size, and its literals.
const ENTRY: usize = 12;
let clauses: usize = 0;
let clausesEnd: usize = 0;
/** Clauses of each literal: i32[2 variables + 1] starts, and addresses of entries. */
let starts: usize = 0;
let occurrences: usize = 0;
/** u8 by literal: whether its falsehood has been propagated. */
let falsified: usize = 0;
/** f64 by literal: the sum of the weights of its open clauses. Only those of free literals are read. */
let scores: usize = 0;
/** f64 by the number of literals that are not false: what an open clause adds to the score of each of its literals. */
const WEIGHTS: usize = memory.data(8 * 25, 16);
let heuristic: i32 = MOMS;
let isCounting = false;
let open: i32 = 0;
let firstFree: i32 = 0;

export function allocateDpll(): bool {
  const variables = Formula.variables;
  const length = Formula.length;
  clauses = allocate(<usize>Formula.clauses * ENTRY + ((<usize>length) << 2));
  starts = allocateWords(2 * variables + 1);
  occurrences = allocateWords(length);
  falsified = allocate(<usize>(2 * variables));
  scores = allocateF64(2 * variables);
  return clauses !== 0 && starts !== 0 && occurrences !== 0 && falsified !== 0 && scores !== 0;
}

export function startDpll(rule: i32, countsModels: bool): void {
  heuristic = rule;
  isCounting = countsModels;
  open = Formula.clauses;
  firstFree = 0;
  for (let free = 0; free <= MAX_JW_SIZE; free++) set(WEIGHTS, free, weight(free));
  linkClauses();
  if (Formula.hasEmptyClause) {
    refute();
    return;
  }
  for (let entry = clauses; entry < clausesEnd; entry = nextEntry(entry)) {
    addScores(entry, weightOf(load<i32>(entry, 4)));
    if (load<i32>(entry, 8) === 1 && !assignRoot(load<i32>(entry, ENTRY))) {
      refute();
      return;
    }
  }
  for (let i = 0; i < Formula.assumptionCount; i++)
    if (!assignRoot(assumption(i))) {
      refute();
      return;
    }
}

function nextEntry(entry: usize): usize {
  return entry + ENTRY + ((<usize>load<i32>(entry, 8)) << 2);
}

function linkClauses(): void {
  let clause = 0;
  let entry = clauses;
  for (let c = 0; c < Formula.clauses; c++) {
    const size = clauseSize(clause);
    store<i32>(entry, 0);
    store<i32>(entry, size, 4);
    store<i32>(entry, size, 8);
    memory.copy(entry + ENTRY, literalsOf(clause), (<usize>size) << 2);
    for (let k = 0; k < size; k++) {
      const literal = word(entry + ENTRY, k);
      setWord(starts, literal + 1, word(starts, literal + 1) + 1);
    }
    clause += HEADER + size;
    entry = nextEntry(entry);
  }
  clausesEnd = entry;
  // The number of each literal's clauses becomes its start, one place further on, and returns as the lists are filled.
  let sum = 0;
  for (let literal = 0; literal < 2 * Formula.variables; literal++) {
    const count = word(starts, literal + 1);
    setWord(starts, literal + 1, sum);
    sum += count;
  }
  for (entry = clauses; entry < clausesEnd; entry = nextEntry(entry)) {
    const size = load<i32>(entry, 8);
    for (let k = 0; k < size; k++) {
      const next = word(entry + ENTRY, k) + 1;
      const at = word(starts, next);
      setWord(starts, next, at + 1);
      setWord(occurrences, at, <i32>entry);
    }
  }
}

function assignRoot(literal: i32): bool {
  const known = value(literal);
  if (known === 0) assign(literal);
  return known >= 0;
}

/** The branch has no model: adds the lemma, and flips its last decision. */
function refute(): void {
  for (let level = 1; level <= Search.level; level++) proveLiteral(trailAt(levelStart(level)) ^ 1);
  endLemma();
  Search.learnt += 1;
  flip();
}

/** Takes back the last decision and asserts its negation on the level below; ends the search at the root. */
function flip(): void {
  if (Search.level === 0) {
    finish(Search.models > 0 ? SATISFIABLE : UNSATISFIABLE);
    return;
  }
  const start = levelStart(Search.level);
  const decision = trailAt(start);
  for (let i = Search.trailSize - 1; i >= start; i--) {
    const literal = trailAt(i);
    if (i < Search.queueHead) undo(literal);
    unassign(literal);
  }
  Search.trailSize = start;
  Search.queueHead = start;
  Search.level--;
  firstFree = 0;
  assign(decision ^ 1);
}

/** One step: propagates, then takes back a refuted decision or makes a new one. */
export function stepDpll(): void {
  if (!propagate()) {
    Search.conflicts += 1;
    refute();
    return;
  }
  if (open === 0) {
    reachModel();
    return;
  }
  if (!mayDecide()) return;
  const literal = branch();
  openLevel();
  countDecision();
  assign(literal);
}

/** All clauses are true, whatever the free variables are. */
function reachModel(): void {
  if (Search.models === 0) saveModel();
  if (!isCounting) {
    finish(SATISFIABLE);
    return;
  }
  let models: f64 = 1;
  for (let k = Search.trailSize; k < Formula.variables; k++) models *= 2;
  Search.models += models;
  if (!(Search.models < MAX_COUNT)) {
    finish(UNKNOWN);
    return;
  }
  flip();
}

function propagate(): bool {
  let isConsistent = true;
  while (isConsistent && Search.queueHead < Search.trailSize) {
    const literal = trailAt(Search.queueHead);
    Search.queueHead++;
    Search.propagations += 1;
    isConsistent = propagateLiteral(literal);
  }
  return isConsistent;
}

function propagateLiteral(literal: i32): bool {
  let end = word(starts, literal + 1);
  let start = word(starts, literal);
  let visits = end - start;
  const openBefore = open;
  for (let i = start; i < end; i++) {
    const entry = <usize>word(occurrences, i);
    const trueCount = load<i32>(entry);
    store<i32>(entry, trueCount + 1);
    if (trueCount !== 0) continue;
    open--;
    addScores(entry, -weightOf(load<i32>(entry, 4)));
  }
  const negation = literal ^ 1;
  let isConsistent = true;
  let shortened = 0;
  end = word(starts, negation + 1);
  start = word(starts, negation);
  visits += end - start;
  for (let i = start; i < end; i++) {
    const entry = <usize>word(occurrences, i);
    const free = load<i32>(entry, 4);
    store<i32>(entry, free - 1, 4);
    if (load<i32>(entry) !== 0) continue;
    addScores(entry, weightOf(free - 1) - weightOf(free));
    if (free > 2) {
      shortened++;
      continue;
    }
    // The conflict is found when the last literal is propagated, or here if it is false already.
    const last = free === 2 ? lastFree(entry, negation) : negation;
    const known = value(last);
    if (known === 0) assign(last);
    else if (known < 0) isConsistent = false;
  }
  store<u8>(falsified + <usize>negation, 1);
  Search.visits += <f64>visits;
  Search.work += VISIT_WORK * <f64>visits + CLOSE_WORK * <f64>(openBefore - open) + SHORTEN_WORK * <f64>shortened;
  return isConsistent;
}

/** Takes back what `propagateLiteral` counted. */
function undo(literal: i32): void {
  const negation = literal ^ 1;
  store<u8>(falsified + <usize>negation, 0);
  let end = word(starts, negation + 1);
  for (let i = word(starts, negation); i < end; i++) {
    const entry = <usize>word(occurrences, i);
    const free = load<i32>(entry, 4);
    store<i32>(entry, free + 1, 4);
    if (load<i32>(entry) === 0) addScores(entry, weightOf(free + 1) - weightOf(free));
  }
  end = word(starts, literal + 1);
  for (let i = word(starts, literal); i < end; i++) {
    const entry = <usize>word(occurrences, i);
    const trueCount = load<i32>(entry) - 1;
    store<i32>(entry, trueCount);
    if (trueCount !== 0) continue;
    open++;
    addScores(entry, weightOf(load<i32>(entry, 4)));
  }
}

function lastFree(entry: usize, but: i32): i32 {
  let at = entry + ENTRY;
  let literal = load<i32>(at);
  while (literal === but || load<u8>(falsified + <usize>literal) !== 0) {
    at += 4;
    literal = load<i32>(at);
  }
  return literal;
}

function weight(free: i32): f64 {
  if (heuristic === FIRST || free < 2) return 0;
  if (heuristic === DLIS) return 1;
  // Powers of two of a range that f64 adds without rounding.
  const power = heuristic === MOMS ? 3 * (min(free, MAX_MOMS_SIZE) - 2) : min(free, MAX_JW_SIZE);
  return reinterpret<f64>((<u64>(1023 - power)) << 52);
}

function weightOf(free: i32): f64 {
  return get(WEIGHTS, min(free, MAX_JW_SIZE));
}

/** Also to false literals: to leave them out costs more than to add. */
function addScores(entry: usize, amount: f64): void {
  if (amount === 0) return;
  const end = nextEntry(entry);
  Search.work += SCORE_WORK * <f64>((end - entry) >> 2);
  for (let at = entry + ENTRY; at < end; at += 4) {
    const literal = load<i32>(at);
    set(scores, literal, get(scores, literal) + amount);
  }
}

function branch(): i32 {
  return heuristic === FIRST ? firstLiteral() : bestLiteral();
}

function firstLiteral(): i32 {
  const from = firstFree;
  while (value(2 * firstFree) !== 0) firstFree++;
  Search.work += PASS_WORK * <f64>(firstFree - from);
  return 2 * firstFree;
}

/** The free literal with the best score; an open clause has one. */
function bestLiteral(): i32 {
  let best = -1;
  let bestScore: f64 = 0;
  const changes = min(Search.trailSize, Formula.variables - Search.trailSize);
  Search.work += PASS_WORK * <f64>Formula.variables + CHANGE_WORK * <f64>changes;
  for (let v = 0; v < Formula.variables; v++) {
    const positive = 2 * v;
    if (value(positive) !== 0) continue;
    const a = get(scores, positive);
    const b = get(scores, positive + 1);
    const larger = Math.max(a, b);
    let score = a + b;
    if (heuristic === DLIS) score = larger;
    else if (heuristic === MOMS) score += a * b * PRODUCT_WEIGHT;
    if (score > bestScore) {
      bestScore = score;
      best = a >= b ? positive : positive + 1;
    }
  }
  return best;
}
