// Boolean satisfiability: DPLL, and conflict-driven clause learning.
//
// Exact: an answer is a model, a refutation, or none if the budget of decisions or of work is spent. One step is one
// decision or one conflict; the search ends early, so the number of steps is a bound. The proof of a refutation is a list
// of lemmas by reverse unit propagation with deletions, the part of DRAT without resolution asymmetric tautologies
// (Wetzler, Heule & Hunt 2014), in the order of derivation. Biere, Heule, van Maaren & Walsh (eds.), Handbook of
// Satisfiability (2nd ed., 2021), chapters 3 and 4.
//
// Calls in inner loops: a literal implies or is learnt once for many that are only read, and those are read inline.
import { INFO_OK, INFO_OUT_OF_MEMORY, parameter, resetArena, resetControl, setDone, setStatistic } from '../kernel';
import { illegal, isFlag, isIntegerBetween, isPositive } from '../parameters';
import { allocateCdcl, startCdcl, stepCdcl } from './sat/cdcl';
import { allocateDpll, startDpll, stepDpll } from './sat/dpll';
import {
  allocateFormula,
  coreView,
  depthsView,
  Formula,
  isLegalInput,
  loadClauses,
  modelView,
  proofView,
  resetSearch,
  Search,
} from './sat/formula';

export { abi, control } from '../kernel';

/**
 * variables >= 0; clauses >= 0; words, the length of `literals`; assumptions, how many; isLearning 0 | 1: DPLL or CDCL;
 * heuristic of DPLL: 0 moms, 1 jw, 2 dlis, 3 first; isCounting 0 | 1: counts all models, by DPLL; maxDecisions >= 0;
 * maxWork > 0; learntWords, room for learnt clauses; proofWords, room for the proof.
 */
export enum Parameter {
  variables,
  clauses,
  words,
  assumptions,
  isLearning,
  heuristic,
  isCounting,
  maxDecisions,
  maxWork,
  learntWords,
  proofWords,
}

/**
 * In: literals i32[words] as in DIMACS, each clause ended by 0; assumptions i32[assumptions]. Out: model f64[variables],
 * 1 or −1, 0 without a model; depths f64[variables + 1]: decisions by depth; proof f64[length]: lemmas ended by 0, after
 * 2^31 a deletion; core f64[length]: assumptions that cannot all hold.
 */
export enum View {
  literals,
  assumptions,
  model,
  depths,
  proof,
  core,
}

/** status: 10 satisfiable, 20 unsatisfiable, 0 unknown. */
export enum Statistic {
  status,
  decisions,
  propagations,
  conflicts,
  restarts,
  learnt,
  deleted,
  models,
  visits,
  maxDepth,
  isProofComplete,
  work,
}

const MAX_WORDS: f64 = 16777216;

let isLearning = false;
let done: f64 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  resetSearch();
  if (!isIntegerBetween(parameter(Parameter.variables), 0, MAX_WORDS)) return illegal(Parameter.variables);
  if (!isIntegerBetween(parameter(Parameter.clauses), 0, MAX_WORDS)) return illegal(Parameter.clauses);
  if (!isIntegerBetween(parameter(Parameter.words), 0, MAX_WORDS)) return illegal(Parameter.words);
  if (!isIntegerBetween(parameter(Parameter.assumptions), 0, MAX_WORDS)) return illegal(Parameter.assumptions);
  if (!isFlag(parameter(Parameter.isLearning))) return illegal(Parameter.isLearning);
  if (!isIntegerBetween(parameter(Parameter.heuristic), 0, 3)) return illegal(Parameter.heuristic);
  if (!isFlag(parameter(Parameter.isCounting))) return illegal(Parameter.isCounting);
  if (!isIntegerBetween(parameter(Parameter.maxDecisions), 0, f64.MAX_SAFE_INTEGER))
    return illegal(Parameter.maxDecisions);
  if (!isPositive(parameter(Parameter.maxWork))) return illegal(Parameter.maxWork);
  if (!isIntegerBetween(parameter(Parameter.learntWords), 0, MAX_WORDS)) return illegal(Parameter.learntWords);
  if (!isIntegerBetween(parameter(Parameter.proofWords), 0, MAX_WORDS)) return illegal(Parameter.proofWords);
  Formula.variables = <i32>parameter(Parameter.variables);
  Formula.clauses = <i32>parameter(Parameter.clauses);
  Formula.length = <i32>parameter(Parameter.words);
  Formula.assumptionCount = <i32>parameter(Parameter.assumptions);
  isLearning = parameter(Parameter.isLearning) === 1;
  Search.maxDecisions = parameter(Parameter.maxDecisions);
  Search.maxWork = parameter(Parameter.maxWork);
  const learntWords = isLearning ? <i32>parameter(Parameter.learntWords) : 0;
  const hasRoom = allocateFormula(learntWords, <i32>parameter(Parameter.proofWords));
  return hasRoom && (isLearning ? allocateCdcl() : allocateDpll()) ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  if (!isLegalInput()) return illegal(Parameter.words);
  done = 0;
  loadClauses();
  if (isLearning) startCdcl();
  else startDpll(<i32>parameter(Parameter.heuristic), parameter(Parameter.isCounting) === 1);
  writeStatistics();
  return INFO_OK;
}

/** At most `count` decisions or conflicts. How they are grouped into calls does not affect the result. */
export function advance(count: i32): i32 {
  for (let k = 0; k < count && !Search.isOver; k++) {
    if (isLearning) stepCdcl();
    else stepDpll();
    done += 1;
  }
  setDone(done);
  writeStatistics();
  return INFO_OK;
}

function writeStatistics(): void {
  setStatistic(Statistic.status, <f64>Search.status);
  setStatistic(Statistic.decisions, Search.decisions);
  setStatistic(Statistic.propagations, Search.propagations);
  setStatistic(Statistic.conflicts, Search.conflicts);
  setStatistic(Statistic.restarts, Search.restarts);
  setStatistic(Statistic.learnt, Search.learnt);
  setStatistic(Statistic.deleted, Search.deleted);
  setStatistic(Statistic.models, Search.models);
  setStatistic(Statistic.visits, Search.visits);
  setStatistic(Statistic.maxDepth, <f64>Search.maxDepth);
  setStatistic(Statistic.isProofComplete, Search.isProofComplete ? 1 : 0);
  setStatistic(Statistic.work, Search.work);
}

export function view(i: i32): usize {
  if (i === View.literals) return Formula.literals;
  if (i === View.assumptions) return Formula.assumptions;
  if (i === View.model) return modelView();
  if (i === View.depths) return depthsView();
  if (i === View.proof) return proofView();
  return i === View.core ? coreView() : 0;
}

export function extent(i: i32): i32 {
  if (i === View.literals) return Formula.length;
  if (i === View.assumptions) return Formula.assumptionCount;
  if (i === View.model) return Formula.variables;
  if (i === View.depths) return Formula.variables + 1;
  if (i === View.proof) return Search.proofLength;
  return i === View.core ? Search.coreLength : 0;
}
