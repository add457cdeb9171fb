// Counts what the scenarios of a contract have tried: every transition from each of its states, every guard true and false.

import type { CompiledContract } from '../compiled.ts';
import type { StepReport } from '../simulate.ts';

export interface TransitionCoverage {
  readonly transition: string;
  /** States from which it has fired, and from which it has not. */
  readonly fired_from: readonly string[];
  readonly missed_from: readonly string[];
  /** Null without a guard. */
  readonly guard: { readonly seen_true: boolean; readonly seen_false: boolean } | null;
}

export interface Coverage {
  /** Pairs of a transition and a state that it leaves. */
  readonly transitions: { readonly covered: number; readonly total: number };
  /** Outcomes of guards: each may be true or false. */
  readonly guards: { readonly covered: number; readonly total: number };
  readonly rows: readonly TransitionCoverage[];
}

/** Counts over the reports of all scenarios of one definition; the parameters may differ. */
export function coverageOf(contract: CompiledContract, reports: Iterable<StepReport>): Coverage {
  const fired = new Map<string, Set<string>>();
  const seenFalse = new Set<string>();
  for (const report of reports) {
    for (const { transition, from } of report.fired) {
      const states = fired.get(transition) ?? new Set();
      fired.set(transition, states.add(from));
    }
    for (const { transition, code } of report.refusals)
      if (code === 'CONDITION' && transition !== null) seenFalse.add(transition);
  }
  const { definition } = contract;
  const rows = definition.transitions.map((transition) => {
    const { id, from, fires_when: guard } = transition;
    const states = fired.get(id) ?? new Set();
    const all = typeof from === 'string' ? [from] : from;
    return {
      transition: id,
      fired_from: all.filter((state) => states.has(state)),
      missed_from: all.filter((state) => !states.has(state)),
      guard: guard === undefined ? null : { seen_true: states.size > 0, seen_false: seenFalse.has(id) },
    };
  });
  const outcomes = rows.flatMap(({ guard }) => (guard === null ? [] : [guard.seen_true, guard.seen_false]));
  const covered = rows.reduce((sum, row) => sum + row.fired_from.length, 0);
  return {
    transitions: { covered, total: covered + rows.reduce((sum, row) => sum + row.missed_from.length, 0) },
    guards: { covered: outcomes.filter(Boolean).length, total: outcomes.length },
    rows,
  };
}
