// Sentences about the motion from this start.

import type { LotkaInput } from './inputs.ts';
import type { Problem } from './problem.ts';

export function wordsOf({ regime, equilibrium, alpha, gamma }: Problem, input: LotkaInput): readonly string[] {
  const where = equilibrium === undefined ? '' : ` at (${short(equilibrium.prey)}, ${short(equilibrium.predators)})`;
  const about = equilibrium === undefined ? '' : ` about (${short(equilibrium.prey)}, ${short(equilibrium.predators)})`;
  const said: Readonly<Record<Problem['regime'], string>> = {
    'closed orbit': `Closed orbit${about}.`,
    equilibrium: `The start is the equilibrium${where}: T is T0 = 2π/√(α γ), the limit of small cycles.`,
    'limit cycle': `Limit cycle${about}: every start but the equilibrium, which is unstable, tends to it.`,
    'stable focus': `No cycle: a stable focus${where}. Swings die away; T0 is the time of one.`,
    'stable node': `No cycle: a stable node${where}. Both species tend to it without swings.`,
    'growing oscillation': `No cycle: predators that are satisfied and prey without limit swing ever wider${about}.`,
    'predators die out': 'No cycle: too little prey to live on, so the predators die out.',
    'both die out': `No cycle: the harvest of ${input.harvest} takes what the prey grow by, so both die out.`,
    'no predators': 'No cycle: no predators at the start.',
    'no prey': 'No cycle: no prey at the start, so the predators starve.',
    nobody: 'No cycle: nobody at the start.',
  };
  return [
    said[regime],
    ...(input.harvest > 0 && equilibrium !== undefined
      ? [`With the harvest the prey grow at ${short(alpha)} and the predators die at ${short(gamma)}.`]
      : []),
  ];
}

const short = (x: number): string => String(Number(x.toPrecision(5)));
