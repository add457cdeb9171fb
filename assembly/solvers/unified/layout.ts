// Layout of a run: the number of programs of each kind. Set once in `reserve`.
//
// Order of the programs: constant algebraic values, algebraic values that the derivatives need, the other algebraic
// values, derivatives, events, assignments of events, invariants, initial values of states.

/** Number of states. */
export let n: i32 = 0;
/** End index of each range of programs. */
export let fixedEnd: i32 = 0;
export let neededEnd: i32 = 0;
export let algebraicEnd: i32 = 0;
export let derivativeEnd: i32 = 0;
export let eventEnd: i32 = 0;
export let assignmentEnd: i32 = 0;
export let invariantEnd: i32 = 0;

export function setLayout(
  states: i32,
  fixed: i32,
  needed: i32,
  algebraic: i32,
  events: i32,
  assignments: i32,
  invariants: i32,
): void {
  n = states;
  fixedEnd = fixed;
  neededEnd = fixed + needed;
  algebraicEnd = algebraic;
  derivativeEnd = algebraicEnd + states;
  eventEnd = derivativeEnd + events;
  assignmentEnd = eventEnd + assignments;
  invariantEnd = assignmentEnd + invariants;
}

export function eventCount(): i32 {
  return eventEnd - derivativeEnd;
}

/** Number of algebraic values that vary during the run. */
export function varyingCount(): i32 {
  return algebraicEnd - fixedEnd;
}

export function invariantCount(): i32 {
  return invariantEnd - assignmentEnd;
}
