// The formula, the assignment and the results that both searches share.
//
// Literals are 2 v for the variable v, counted from 0, and 2 v + 1 for its negation. A clause in the arena is two words of
// header, its size and its mark, and its literals.
import { allocate, allocateF64 } from '../../kernel';
import { set } from '../../numerics/vector';

export const SATISFIABLE: i32 = 10;
export const UNSATISFIABLE: i32 = 20;
export const UNKNOWN: i32 = 0;

export const HEADER: i32 = 2;
/** Begins a clause of the proof that is deleted: no literal is as large. */
const DELETION: f64 = 2147483648;

export function word(base: usize, i: i32): i32 {
  return load<i32>(base + ((<usize>i) << 2));
}

export function setWord(base: usize, i: i32, value: i32): void {
  store<i32>(base + ((<usize>i) << 2), value);
}

/** i32[n], zeroed. */
export function allocateWords(n: i32): usize {
  return allocate((<usize>n) << 2);
}

export namespace Formula {
  export let variables: i32 = 0;
  export let clauses: i32 = 0;
  /** Words of the input: literals as in DIMACS, each clause ended by 0. */
  export let length: i32 = 0;
  export let literals: usize = 0;
  export let arena: usize = 0;
  /** Words of the arena that are used, and all. */
  export let top: i32 = 0;
  export let capacity: i32 = 0;
  export let assumptionCount: i32 = 0;
  export let assumptions: usize = 0;
  export let hasEmptyClause: bool = false;
}

export namespace Search {
  export let status: i32 = 0;
  export let isOver: bool = false;
  export let decisions: f64 = 0;
  export let propagations: f64 = 0;
  export let conflicts: f64 = 0;
  export let restarts: f64 = 0;
  export let learnt: f64 = 0;
  export let deleted: f64 = 0;
  export let models: f64 = 0;
  /** Clauses looked at. */
  export let visits: f64 = 0;
  /** The measure of time, the same on every machine: a third of a nanosecond where both searches were measured. */
  export let work: f64 = 0;
  export let maxWork: f64 = 0;
  export let maxDecisions: f64 = 0;
  export let maxDepth: i32 = 0;
  export let trailSize: i32 = 0;
  export let queueHead: i32 = 0;
  export let level: i32 = 0;
  export let proofLength: i32 = 0;
  export let proofCapacity: i32 = 0;
  export let isProofComplete: bool = true;
  export let coreLength: i32 = 0;
}

/** i8 by literal: 1 true, −1 false, 0 free. */
let values: usize = 0;
/** i32[variables]: literals in the order of assignment; i32[variables + 1]: where each level starts. */
let trail: usize = 0;
let levelStarts: usize = 0;
let model: usize = 0;
let depths: usize = 0;
let proof: usize = 0;
let core: usize = 0;

export function modelView(): usize {
  return model;
}
export function depthsView(): usize {
  return depths;
}
export function proofView(): usize {
  return proof;
}
export function coreView(): usize {
  return core;
}

export function allocateFormula(extraWords: i32, proofCapacity: i32): bool {
  const variables = Formula.variables;
  const clauses = Formula.clauses;
  const length = Formula.length;
  Formula.capacity = length + clauses + extraWords + HEADER;
  Search.proofCapacity = proofCapacity;
  Formula.literals = allocateWords(length);
  Formula.assumptions = allocateWords(Formula.assumptionCount);
  Formula.arena = allocateWords(Formula.capacity);
  values = allocate(<usize>(2 * variables));
  trail = allocateWords(variables + 1);
  levelStarts = allocateWords(variables + Formula.assumptionCount + 2);
  model = allocateF64(variables);
  depths = allocateF64(variables + 1);
  proof = allocateF64(proofCapacity);
  core = allocateF64(Formula.assumptionCount);
  return (
    Formula.literals !== 0 &&
    Formula.assumptions !== 0 &&
    Formula.arena !== 0 &&
    values !== 0 &&
    trail !== 0 &&
    levelStarts !== 0 &&
    model !== 0 &&
    depths !== 0 &&
    proof !== 0 &&
    core !== 0
  );
}

/** Whether each literal is one of a variable, and the clauses are as many as announced. */
export function isLegalInput(): bool {
  let ends = 0;
  const variables = Formula.variables;
  const length = Formula.length;
  for (let i = 0; i < length; i++) {
    const literal = word(Formula.literals, i);
    if (literal === 0) ends++;
    if (literal > variables || literal < -variables) return false;
  }
  if (length > 0 && word(Formula.literals, length - 1) !== 0) return false;
  for (let i = 0; i < Formula.assumptionCount; i++) {
    const literal = word(Formula.assumptions, i);
    if (literal === 0 || literal > variables || literal < -variables) return false;
  }
  return ends === Formula.clauses;
}

/** Copies the clauses into the arena, and the assumptions in place, as literals counted from 0. */
export function loadClauses(): void {
  Formula.top = 0;
  let start = 0;
  for (let i = 0; i < Formula.length; i++) {
    const literal = word(Formula.literals, i);
    if (literal !== 0) {
      setWord(Formula.arena, Formula.top + HEADER + i - start, encode(literal));
      continue;
    }
    const size = i - start;
    if (size === 0) Formula.hasEmptyClause = true;
    setWord(Formula.arena, Formula.top, size);
    setWord(Formula.arena, Formula.top + 1, 0);
    Formula.top += HEADER + size;
    start = i + 1;
  }
}

export function assumption(i: i32): i32 {
  return encode(word(Formula.assumptions, i));
}

function encode(literal: i32): i32 {
  return literal > 0 ? 2 * (literal - 1) : 2 * (-literal - 1) + 1;
}

function decode(literal: i32): f64 {
  const variable = <f64>((literal >> 1) + 1);
  return (literal & 1) === 0 ? variable : -variable;
}

export function clauseSize(clause: i32): i32 {
  return word(Formula.arena, clause);
}

/** Address of the first literal of a clause. */
export function literalsOf(clause: i32): usize {
  return Formula.arena + ((<usize>(clause + HEADER)) << 2);
}

export function value(literal: i32): i32 {
  return load<i8>(values + <usize>literal);
}

export function assign(literal: i32): void {
  store<i8>(values + <usize>literal, 1);
  store<i8>(values + <usize>(literal ^ 1), -1);
  setWord(trail, Search.trailSize, literal);
  Search.trailSize++;
}

export function unassign(literal: i32): void {
  store<i8>(values + <usize>literal, 0);
  store<i8>(values + <usize>(literal ^ 1), 0);
}

export function trailAt(i: i32): i32 {
  return word(trail, i);
}

export function openLevel(): void {
  setWord(levelStarts, Search.level, Search.trailSize);
  Search.level++;
}

/** Position in the trail of the first literal of a level, counted from 1. */
export function levelStart(level: i32): i32 {
  return word(levelStarts, level - 1);
}

/** Counts a decision at the depth that it opens. */
export function countDecision(): void {
  Search.decisions += 1;
  if (Search.level > Search.maxDepth) Search.maxDepth = Search.level;
  const at = depths + ((<usize>(Search.level - 1)) << 3);
  store<f64>(at, load<f64>(at) + 1);
}

/** Whether another decision is allowed; if not, the search ends without an answer. */
export function mayDecide(): bool {
  if (Search.decisions < Search.maxDecisions && Search.work < Search.maxWork) return true;
  finish(UNKNOWN);
  return false;
}

export function finish(status: i32): void {
  Search.status = status;
  Search.isOver = true;
}

export function saveModel(): void {
  for (let v = 0; v < Formula.variables; v++) set(model, v, value(2 * v) > 0 ? 1 : -1);
}

export function addToCore(literal: i32): void {
  set(core, Search.coreLength, decode(literal));
  Search.coreLength++;
}

function writeProof(entry: f64): void {
  if (Search.proofLength >= Search.proofCapacity) {
    Search.isProofComplete = false;
    return;
  }
  set(proof, Search.proofLength, entry);
  Search.proofLength++;
}

export function proveLiteral(literal: i32): void {
  if (Search.isProofComplete) writeProof(decode(literal));
}

export function endLemma(): void {
  if (Search.isProofComplete) writeProof(0);
}

export function proveDeletion(clause: i32): void {
  if (!Search.isProofComplete) return;
  writeProof(DELETION);
  const literals = literalsOf(clause);
  for (let k = 0; k < clauseSize(clause); k++) proveLiteral(word(literals, k));
  endLemma();
}

export function resetSearch(): void {
  Search.status = UNKNOWN;
  Search.isOver = false;
  Search.decisions = 0;
  Search.propagations = 0;
  Search.conflicts = 0;
  Search.restarts = 0;
  Search.learnt = 0;
  Search.deleted = 0;
  Search.models = 0;
  Search.visits = 0;
  Search.work = 0;
  Search.maxDepth = 0;
  Search.trailSize = 0;
  Search.queueHead = 0;
  Search.level = 0;
  Search.proofLength = 0;
  Search.isProofComplete = true;
  Search.coreLength = 0;
  Formula.hasEmptyClause = false;
}
