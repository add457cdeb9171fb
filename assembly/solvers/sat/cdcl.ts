// Conflict-driven clause learning (Marques-Silva & Sakallah 1999; Eén & Sörensson 2003).
//
// Two watched literals with blockers, first unique implication points with recursive minimisation, activities that decay
// (VSIDS), saved phases, Luby restarts. Every few thousand conflicts the worse half of the learnt clauses is deleted at a
// restart, by the number of decision levels in them (LBD, Audemard & Simon 2009) and whether they were used since. All is
// deterministic: no clock, no random numbers.
import { allocate } from '../../kernel';
import {
  addToCore,
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
  proveDeletion,
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
import { allocateHeap, bump, decay, fillHeap, isHeapEmpty, popMostActive, pushVariable } from './heap';
import {
  allocateWatches,
  announce,
  clearWatches,
  cutWatches,
  isPoolLow,
  makeRoom,
  watch,
  watchesEnd,
  watchesOf,
} from './watches';

const RESTART_CONFLICTS: f64 = 100;
const FIRST_REDUCTION: f64 = 2000;
const NEXT_REDUCTION: f64 = 300;
// Where a false literal has so many clauses to visit, as in pigeonholes, learnt clauses cost more than they help: they
// are reduced at the next restart, after at least so many conflicts.
const CROWDED: f64 = 64;
const MIN_CONFLICTS: f64 = 300;
const DECAY: f64 = 1 / 0.95;
// The work of a literal that is propagated, of a clause that its other literal does not answer, of each literal read
// there, and of a word that a reduction moves. Fitted to the times of 33 formulas.
const PROPAGATION_WORK: f64 = 120;
const OPEN_WORK: f64 = 100;
const LITERAL_WORK: f64 = 3;
const MOVE_WORK: f64 = 24;
/** Clauses of at most this many levels are kept for ever. */
const GLUE: i32 = 2;
const MAX_LBD: i32 = 1023;
/** Mark of a clause: its LBD, LEARNT, and USED since the last reduction. */
const LEARNT: i32 = 0x10000;
const USED: i32 = 0x20000;
const NONE: i32 = -1;

/** By variable: the clause that implied it, its level, its last phase, and marks of the analysis. */
let reasons: usize = 0;
let levels: usize = 0;
let phases: usize = 0;
let seen: usize = 0;
let levelStamps: usize = 0;
let stamp = 0;
let learntClause: usize = 0;
let learntSize = 0;
let stack: usize = 0;
let cleared: usize = 0;
let clearedCount = 0;
/** Learnt clauses by LBD, those not used since in the upper half. */
let histogram: usize = 0;

let originalTop = 0;
let conflictsAtRestart: f64 = 0;
let restartLimit: f64 = 0;
let conflictsAtReduction: f64 = 0;
let reductionLimit: f64 = 0;
let visitsAtReduction: f64 = 0;
let propagationsAtReduction: f64 = 0;
let hasFailed = false;

export function allocateCdcl(): bool {
  const variables = Formula.variables;
  reasons = allocateWords(variables);
  levels = allocateWords(variables);
  phases = allocate(<usize>variables);
  seen = allocate(<usize>variables);
  levelStamps = allocateWords(variables + Formula.assumptionCount + 2);
  learntClause = allocateWords(variables + 1);
  stack = allocateWords(variables + 1);
  cleared = allocateWords(variables + 1);
  histogram = allocateWords(2 * (MAX_LBD + 1));
  // A clause has two watches and at least four words; a list has at most twice the room that it needs, and four more.
  const isReserved = allocateHeap(variables) && allocateWatches(2 * variables, Formula.capacity + 16 * variables + 64);
  return (
    isReserved &&
    reasons !== 0 &&
    levels !== 0 &&
    phases !== 0 &&
    seen !== 0 &&
    levelStamps !== 0 &&
    learntClause !== 0 &&
    stack !== 0 &&
    cleared !== 0 &&
    histogram !== 0
  );
}

export function startCdcl(): void {
  originalTop = Formula.top;
  stamp = 0;
  hasFailed = false;
  conflictsAtRestart = 0;
  restartLimit = RESTART_CONFLICTS;
  conflictsAtReduction = 0;
  reductionLimit = FIRST_REDUCTION;
  visitsAtReduction = 0;
  propagationsAtReduction = 0;
  fillHeap();
  for (let v = 0; v < Formula.variables; v++) setWord(reasons, v, NONE);
  if (Formula.hasEmptyClause) {
    refuteAll();
    return;
  }
  for (let clause = 0; clause < originalTop; clause += HEADER + clauseSize(clause)) {
    if (clauseSize(clause) !== 1) continue;
    const literal = word(literalsOf(clause), 0);
    const known = value(literal);
    if (known < 0) {
      refuteAll();
      return;
    }
    if (known === 0) imply(literal, NONE);
  }
  attachAll();
}

/** Watches the first two literals of every clause of two or more. */
function attachAll(): void {
  clearWatches();
  for (let clause = 0; clause < Formula.top; clause += HEADER + clauseSize(clause)) {
    if (clauseSize(clause) < 2) continue;
    announce(word(literalsOf(clause), 0));
    announce(word(literalsOf(clause), 1));
  }
  makeRoom();
  for (let clause = 0; clause < Formula.top; clause += HEADER + clauseSize(clause))
    if (clauseSize(clause) >= 2) attach(clause);
}

function attach(clause: i32): void {
  const literals = literalsOf(clause);
  const a = word(literals, 0);
  const b = word(literals, 1);
  const stored = clauseSize(clause) === 2 ? ~clause : clause;
  if (!watch(a, stored, b) || !watch(b, stored, a)) hasFailed = true;
}

function refuteAll(): void {
  endLemma();
  finish(UNSATISFIABLE);
}

function imply(literal: i32, reason: i32): void {
  setWord(reasons, literal >> 1, reason);
  setWord(levels, literal >> 1, Search.level);
  assign(literal);
}

/** One step: propagates, then learns from a conflict or decides. */
export function stepCdcl(): void {
  for (;;) {
    const conflict = propagate();
    // A full pool loses watches: what follows is no answer.
    if (hasFailed) {
      finish(UNKNOWN);
      return;
    }
    if (conflict !== NONE) {
      learnFrom(conflict);
      return;
    }
    if (isRestartDue()) restart();
    else if (Search.level >= Formula.assumptionCount) break;
    else if (!assume()) return;
  }
  decide();
}

function decide(): void {
  let v = NONE;
  while (!isHeapEmpty()) {
    v = popMostActive();
    if (value(2 * v) === 0) break;
    v = NONE;
  }
  if (v === NONE) {
    saveModel();
    finish(SATISFIABLE);
    return;
  }
  if (!mayDecide()) return;
  openLevel();
  countDecision();
  imply(2 * v + (load<u8>(phases + <usize>v) === 0 ? 1 : 0), NONE);
}

/** Opens a level for the next assumption. @returns false if it contradicts the others */
function assume(): bool {
  const literal = assumption(Search.level);
  if (value(literal) < 0) {
    explain(literal);
    finish(UNSATISFIABLE);
    return false;
  }
  openLevel();
  if (value(literal) === 0) imply(literal, NONE);
  return true;
}

function learnFrom(conflict: i32): void {
  Search.conflicts += 1;
  if (Search.level === 0) {
    refuteAll();
    return;
  }
  const backLevel = analyse(conflict);
  backtrack(backLevel);
  for (let k = 0; k < learntSize; k++) proveLiteral(word(learntClause, k));
  endLemma();
  Search.learnt += 1;
  const first = word(learntClause, 0);
  if (learntSize === 1) imply(first, NONE);
  else imply(first, addLearnt());
  decay(DECAY);
}

/** Adds the learnt clause: its first literal is implied, its second is of the level below. */
function addLearnt(): i32 {
  const clause = Formula.top;
  if (clause + HEADER + learntSize > Formula.capacity) {
    hasFailed = true;
    return NONE;
  }
  setWord(Formula.arena, clause, learntSize);
  setWord(Formula.arena, clause + 1, LEARNT | USED | countLevels(learntClause, learntSize));
  const literals = literalsOf(clause);
  memory.copy(literals, learntClause, (<usize>learntSize) << 2);
  Formula.top += HEADER + learntSize;
  attach(clause);
  return clause;
}

/** @returns a clause that is false, or NONE */
function propagate(): i32 {
  while (Search.queueHead < Search.trailSize) {
    const literal = trailAt(Search.queueHead) ^ 1;
    Search.queueHead++;
    Search.propagations += 1;
    Search.work += PROPAGATION_WORK;
    const conflict = visitWatches(literal);
    if (conflict !== NONE) return conflict;
  }
  return NONE;
}

/** Visits the clauses that watch a literal which is now false. @returns a clause that is false, or NONE */
function visitWatches(literal: i32): i32 {
  let from = watchesOf(literal);
  let to = from;
  const end = watchesEnd(literal);
  Search.visits += <f64>((end - from) >> 3);
  let conflict = NONE;
  let opened = 0;
  let read = 0;
  while (from < end) {
    const stored = load<i32>(from);
    const blocker = load<i32>(from, 4);
    from += 8;
    const known = value(blocker);
    if (known > 0) {
      store<i32>(to, stored);
      store<i32>(to, blocker, 4);
      to += 8;
      continue;
    }
    if (stored < 0) {
      store<i32>(to, stored);
      store<i32>(to, blocker, 4);
      to += 8;
      if (known < 0) {
        conflict = ~stored;
        break;
      }
      imply(blocker, ~stored);
      continue;
    }
    opened++;
    const literals = literalsOf(stored);
    if (load<i32>(literals) === literal) {
      store<i32>(literals, load<i32>(literals, 4));
      store<i32>(literals, literal, 4);
    }
    const other = load<i32>(literals);
    const otherValue = value(other);
    if (otherValue <= 0) {
      const size = clauseSize(stored);
      let k = 2;
      while (k < size && value(word(literals, k)) < 0) k++;
      read += k;
      if (k < size) {
        const next = word(literals, k);
        store<i32>(literals, next, 4);
        setWord(literals, k, literal);
        if (watch(next, stored, other)) continue;
        hasFailed = true;
        break;
      }
    }
    store<i32>(to, stored);
    store<i32>(to, other, 4);
    to += 8;
    if (otherValue > 0) continue;
    if (otherValue < 0) {
      conflict = stored;
      break;
    }
    imply(other, stored);
  }
  Search.work += OPEN_WORK * <f64>opened + LITERAL_WORK * <f64>read;
  if (to !== from) {
    memory.copy(to, from, end - from);
    cutWatches(literal, to + (end - from));
  }
  return conflict;
}

function isSeen(v: i32): bool {
  return load<u8>(seen + <usize>v) !== 0;
}

function mark(v: i32): void {
  store<u8>(seen + <usize>v, 1);
  setWord(cleared, clearedCount, v);
  clearedCount++;
}

/** The first unique implication point, into `learntClause`. @returns the level to return to */
function analyse(conflict: i32): i32 {
  clearedCount = 0;
  learntSize = 1;
  let open = 0;
  let clause = conflict;
  let at = Search.trailSize - 1;
  let literal = NONE;
  for (;;) {
    use(clause);
    const literals = literalsOf(clause);
    const size = clauseSize(clause);
    for (let k = 0; k < size; k++) {
      const one = word(literals, k);
      const v = one >> 1;
      if (one === literal || isSeen(v) || word(levels, v) === 0) continue;
      mark(v);
      bump(v);
      if (word(levels, v) === Search.level) open++;
      else {
        setWord(learntClause, learntSize, one);
        learntSize++;
      }
    }
    while (!isSeen(trailAt(at) >> 1)) at--;
    literal = trailAt(at);
    at--;
    open--;
    if (open === 0) break;
    clause = word(reasons, literal >> 1);
  }
  setWord(learntClause, 0, literal ^ 1);
  minimise();
  for (let k = 0; k < clearedCount; k++) store<u8>(seen + <usize>word(cleared, k), 0);
  return orderSecond();
}

/** A learnt clause took part in a conflict. */
function use(clause: i32): void {
  const note = word(Formula.arena, clause + 1);
  if ((note & LEARNT) === 0) return;
  let lbd = note & 0xffff;
  if (lbd > GLUE) {
    const now = countLevels(literalsOf(clause), clauseSize(clause));
    if (now < lbd) lbd = now;
  }
  setWord(Formula.arena, clause + 1, LEARNT | USED | lbd);
}

/** Number of different levels in a clause. */
function countLevels(literals: usize, size: i32): i32 {
  stamp++;
  let count = 0;
  for (let k = 0; k < size; k++) {
    const level = word(levels, word(literals, k) >> 1);
    if (word(levelStamps, level) === stamp) continue;
    setWord(levelStamps, level, stamp);
    count++;
  }
  return min(count, MAX_LBD);
}

/** Drops each literal that the others imply (Sörensson & Biere 2009). */
function minimise(): void {
  let kept = 1;
  stamp++;
  for (let k = 1; k < learntSize; k++) setWord(levelStamps, word(levels, word(learntClause, k) >> 1), stamp);
  for (let k = 1; k < learntSize; k++) {
    const literal = word(learntClause, k);
    if (word(reasons, literal >> 1) !== NONE && isRedundant(literal)) continue;
    setWord(learntClause, kept, literal);
    kept++;
  }
  learntSize = kept;
}

function isRedundant(literal: i32): bool {
  const before = clearedCount;
  setWord(stack, 0, literal);
  let height = 1;
  while (height > 0) {
    height--;
    const v = word(stack, height) >> 1;
    const clause = word(reasons, v);
    const literals = literalsOf(clause);
    const size = clauseSize(clause);
    for (let k = 0; k < size; k++) {
      const one = word(literals, k);
      const w = one >> 1;
      if (w === v || isSeen(w) || word(levels, w) === 0) continue;
      if (word(reasons, w) !== NONE && word(levelStamps, word(levels, w)) === stamp) {
        mark(w);
        setWord(stack, height, one);
        height++;
        continue;
      }
      while (clearedCount > before) {
        clearedCount--;
        store<u8>(seen + <usize>word(cleared, clearedCount), 0);
      }
      return false;
    }
  }
  return true;
}

/** Moves a literal of the highest remaining level to the second place. @returns that level */
function orderSecond(): i32 {
  if (learntSize === 1) return 0;
  let best = 1;
  for (let k = 2; k < learntSize; k++) if (levelOf(word(learntClause, k)) > levelOf(word(learntClause, best))) best = k;
  const literal = word(learntClause, best);
  setWord(learntClause, best, word(learntClause, 1));
  setWord(learntClause, 1, literal);
  return levelOf(literal);
}

function levelOf(literal: i32): i32 {
  return word(levels, literal >> 1);
}

/** The assumptions that imply the negation of this one: the core, whose negation is the last lemma. */
function explain(literal: i32): void {
  clearedCount = 0;
  addToCoreAndProof(literal);
  if (Search.level > 0) {
    mark(literal >> 1);
    for (let i = Search.trailSize - 1; i >= levelStart(1); i--) {
      const one = trailAt(i);
      const v = one >> 1;
      if (!isSeen(v)) continue;
      const reason = word(reasons, v);
      if (reason === NONE) {
        addToCoreAndProof(one);
        continue;
      }
      const literals = literalsOf(reason);
      for (let k = 0; k < clauseSize(reason); k++) {
        const w = word(literals, k) >> 1;
        if (!isSeen(w) && word(levels, w) > 0) mark(w);
      }
    }
    for (let k = 0; k < clearedCount; k++) store<u8>(seen + <usize>word(cleared, k), 0);
  }
  endLemma();
  // With the assumptions, nothing is left of it.
  endLemma();
}

function addToCoreAndProof(literal: i32): void {
  addToCore(literal);
  proveLiteral(literal ^ 1);
}

function backtrack(level: i32): void {
  if (Search.level <= level) return;
  const start = levelStart(level + 1);
  for (let i = Search.trailSize - 1; i >= start; i--) {
    const literal = trailAt(i);
    store<u8>(phases + <usize>(literal >> 1), (literal & 1) === 0 ? 1 : 0);
    unassign(literal);
    pushVariable(literal >> 1);
  }
  Search.trailSize = start;
  Search.queueHead = start;
  Search.level = level;
}

function isRestartDue(): bool {
  return Search.level > 0 && (Search.conflicts - conflictsAtRestart >= restartLimit || isMemoryLow());
}

function isMemoryLow(): bool {
  return Formula.top - originalTop > ((Formula.capacity - originalTop) / 4) * 3 || isPoolLow();
}

function restart(): void {
  backtrack(0);
  Search.restarts += 1;
  conflictsAtRestart = Search.conflicts;
  restartLimit = RESTART_CONFLICTS * luby(Search.restarts);
  const isDue = Search.conflicts - conflictsAtReduction >= reductionLimit || isMemoryLow();
  if (isDue) reductionLimit += NEXT_REDUCTION;
  if (isDue || isCrowded()) reduce();
}

function isCrowded(): bool {
  if (Search.conflicts - conflictsAtReduction < MIN_CONFLICTS) return false;
  return Search.visits - visitsAtReduction > CROWDED * (Search.propagations - propagationsAtReduction);
}

/** 1, 1, 2, 1, 1, 2, 4, … (Luby, Sinclair & Zuckerman 1993), counted from 0. */
function luby(i: f64): f64 {
  let size: f64 = 1;
  let power: f64 = 1;
  while (size < i + 1) {
    size = 2 * size + 1;
    power *= 2;
  }
  while (size - 1 !== i) {
    size = (size - 1) / 2;
    power /= 2;
    if (i >= size) i -= size;
  }
  return power;
}

/** At the root: deletes satisfied learnt clauses and the worse half of the others, and packs arena and watches. */
function reduce(): void {
  conflictsAtReduction = Search.conflicts;
  // Reasons of the root are never read, and their clauses may move.
  for (let i = 0; i < Search.trailSize; i++) setWord(reasons, trailAt(i) >> 1, NONE);
  let surplus = countLearnt() / 2;
  let limit = 2 * MAX_LBD + 1;
  while (limit > 0 && surplus > word(histogram, limit)) {
    surplus -= word(histogram, limit);
    limit--;
  }
  let to = originalTop;
  let clause = originalTop;
  while (clause < Formula.top) {
    const words = HEADER + clauseSize(clause);
    const rank = rankOf(clause);
    let isDropped = isSatisfied(clause) || rank > limit;
    if (!isDropped && rank === limit && rank > GLUE && surplus > 0) {
      isDropped = true;
      surplus--;
    }
    if (isDropped) {
      proveDeletion(clause);
      Search.deleted += 1;
    } else {
      const at = (<usize>clause) << 2;
      memory.copy(Formula.arena + ((<usize>to) << 2), Formula.arena + at, (<usize>words) << 2);
      setWord(Formula.arena, to + 1, word(Formula.arena, to + 1) & ~USED);
      to += words;
    }
    clause += words;
  }
  Search.visits += <f64>(Formula.top - originalTop);
  Search.work += MOVE_WORK * <f64>Formula.top;
  Formula.top = to;
  attachAll();
  visitsAtReduction = Search.visits;
  propagationsAtReduction = Search.propagations;
  // Watches may be false now: all literals of the root are propagated again.
  Search.queueHead = 0;
}

/** Fills the histogram of ranks. @returns how many there are above glue */
function countLearnt(): i32 {
  memory.fill(histogram, 0, (<usize>(2 * (MAX_LBD + 1))) << 2);
  let count = 0;
  for (let clause = originalTop; clause < Formula.top; clause += HEADER + clauseSize(clause)) {
    const rank = rankOf(clause);
    if (rank <= GLUE) continue;
    setWord(histogram, rank, word(histogram, rank) + 1);
    count++;
  }
  return count;
}

/** The order of deletion, the highest first. */
function rankOf(clause: i32): i32 {
  const note = word(Formula.arena, clause + 1);
  const lbd = note & 0xffff;
  return lbd <= GLUE || (note & USED) !== 0 || clauseSize(clause) === 2 ? lbd : MAX_LBD + lbd;
}

function isSatisfied(clause: i32): bool {
  const literals = literalsOf(clause);
  for (let k = 0; k < clauseSize(clause); k++) if (value(word(literals, k)) > 0) return true;
  return false;
}
