// What a run consists of: how many programs of which kind, and where its arrays stand. Set once in `reserve`.
//
// Programs stand in this order: algebraic values that never change, those that the derivatives need, the other algebraic
// values, derivatives, events, what events assign, invariants, initial values of states.

/** States. */
export let n: i32 = 0;
/** Ends of the ranges of programs. */
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

/** Events, algebraic values that change along the way, and invariants. */
export function eventCount(): i32 {
  return eventEnd - derivativeEnd;
}

export function movingCount(): i32 {
  return algebraicEnd - fixedEnd;
}

export function invariantCount(): i32 {
  return invariantEnd - assignmentEnd;
}
