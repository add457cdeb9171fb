// Sentences of a solution: the equations with numbers, and how to read the score.

import type { LatticeInput } from './inputs.ts';
import type { Problem } from './problem.ts';

/** `θ1' = 1 + 0.5 sin(θ2 − θ1); θ2' = …` */
export function equationOf({ omega, K, topology }: Problem): string {
  const n = omega.length;
  const isCoupled = (i: number, j: number) => {
    const distance = Math.abs(i - j);
    return i !== j && (topology === 'all' || distance === 1 || (topology === 'ring' && n > 2 && distance === n - 1));
  };
  const lines = omega.map((one, i) => {
    const sines = omega.flatMap((_, j) => (isCoupled(i, j) ? [`sin(θ${j + 1} − θ${i + 1})`] : []));
    const pull = sines.length === 1 ? sines.join('') : `(${sines.join(' + ')})`;
    return `θ${i + 1}' = ${one} + ${K} ${pull}`;
  });
  return lines.join('; ');
}

export function notesOf(
  { nodes }: LatticeInput,
  { relative, locked, critical, K, tMax, topology }: Problem,
  value: number,
  isLocked: boolean,
  hasWitness: boolean,
): readonly string[] {
  const n = relative.length;
  const isIdentical = relative.every((one) => one === 0);
  const rate = locked?.slowestRate ?? 0;
  return [
    `Coherence ${value.toPrecision(6)}: mean of r over the second half of ${tMax.toPrecision(6)} s. Random phases of ${n} nodes have the mean r of the quantity random_phases.`,
    ...(isIdentical ? ['All nodes have the same frequency, so a coherence near 1 says nothing about them.'] : []),
    ...(critical === undefined
      ? [`${isLocked ? 'Locked' : 'Not locked'}, by the mean frequencies of the second half (${topology}).`]
      : [`${isLocked ? 'Locked' : 'Not locked'}: K is ${K} rad/s, K_c ${critical} rad/s.`]),
    ...(locked !== undefined && 0.5 * tMax * rate > -25
      ? [`Transients decay with ${-rate} 1/s; half of the run is too short for them to be gone.`]
      : []),
    ...(nodes.some(({ domain, computed }) => domain !== undefined && computed === undefined)
      ? ['A node with a domain and no inputs of a law has no result of its own.']
      : []),
    ...(hasWitness ? [] : ['Two methods do not agree on this run, so its coherence is not certain.']),
  ];
}
