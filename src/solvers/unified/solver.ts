// Equations of the caller's: an expression, a chain of equations that feed each other, or a system of differential ones.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { defineSolver, type Law, type SolverDefinition } from '../solver.ts';
import { MOST_EQUATIONS } from './checks.ts';
import type { UnifiedInput } from './input.ts';
import { lineOf, needsOf, readLines } from './lines.ts';
import { listOf, numbersOf, textsOf } from './lists.ts';
import { PARAMETERS, planOf } from './plan.ts';
import { problemOf } from './problem.ts';
import { lawsInOrder, scaleOf } from './results.ts';
import { tableSolution } from './table.ts';
import { trajectorySolution } from './trajectory.ts';
import { unitInLaws } from './units.ts';

const LONGEST = 2 * MOST_EQUATIONS;
const Line = z.string().max(LIMITS.expression.characters);
const Lines = (most: number) => z.union([z.string().max(most * 200), z.array(Line).max(most)]);
const Name = z.string().max(LIMITS.keyCharacters);
const Numbers = z.union([z.string().max(4_000), z.record(Name, z.number())]);
const Texts = z.union([z.string().max(4_000), z.record(Name, z.string().max(LIMITS.unit.characters))]);
const time = () => z.number().min(-1e30).max(1e30);

const OSCILLATOR = ["x' = v", "v' = -omega^2*x - 2*zeta*omega*v", 'omega = 2', 'zeta = 0.1', 'x(0) = 1', 'v(0) = 0'];

const inputs = z.strictObject({
  mode: z
    .enum(['auto', 'expression', 'chain', 'ode'])
    .default('auto')
    .describe(
      'auto takes what the equations say; expression: each by itself; chain: they feed each other; ode: some have x′ on the left',
    )
    .meta({ unit: '1' }),
  equations: Lines(LONGEST)
    .default(OSCILLATOR.join('\n'))
    .describe("One a line: y = …, x' = …, x(0) = …")
    .meta({ unit: '1', rows: 7 }),
  vars: Numbers.optional().describe('Numbers for symbols: k = 4; c = 0.3').meta({ unit: '1' }),
  initial: Numbers.optional().describe('Initial values: x = 1; v = 0').meta({ unit: '1' }),
  units: Texts.optional()
    .describe('Units of symbols: x = m; v = m/s. With any, dimensions are checked and all is computed in SI')
    .meta({ unit: '1' }),
  t0: time().default(0).describe('Start of t').meta({ unit: 't', symbol: 't_0' }),
  t_end: time()
    .optional()
    .describe('End of t, t0 + 20 by default; makes a table of what is no ode')
    .meta({ unit: 't' }),
  method: z
    .enum(['auto', 'dopri5', 'rodas4', 'rk4'])
    .default('auto')
    .describe('auto: Dormand–Prince 5(4), and RODAS 4(3) once the problem is stiff; rk4: fixed steps')
    .meta({ unit: '1' }),
  rtol: z.number().min(1e-13).max(1e-2).default(1e-9).describe('Relative tolerance of a step').meta({ unit: '1' }),
  atol: z
    .number()
    .min(1e-300)
    .max(1e30)
    .optional()
    .describe('Absolute tolerance, at least rtol/100 of the largest size of a state so far')
    .meta({ unit: 'state' }),
  dt: z
    .number()
    .min(1e-30)
    .max(1e30)
    .optional()
    .describe('Step of rk4, first step of the others')
    .meta({ unit: 't', symbol: 'Δt' }),
  steps: z.int().min(1).max(10_000_000).optional().describe('rk4: how many; 1000 by default').meta({ unit: '1' }),
  max_step: z
    .number()
    .min(1e-30)
    .max(1e30)
    .optional()
    .describe('Longest step; 1/200 of the way by default: what is shorter may be stepped over')
    .meta({ unit: 't' }),
  max_steps: z.int().min(1).max(10_000_000).optional().describe('Most tries of a step').meta({ unit: '1' }),
  points: z.int().min(2).max(2_001).default(201).describe('Samples from t0 to t_end').meta({ unit: '1' }),
  events: Lines(16)
    .optional()
    .describe(
      'y = 0 down -> stop; x = 1 up -> v = -0.8*v; x > 2 is counted. Those at one time happen in the order written',
    )
    .meta({ unit: '1' }),
  invariants: Lines(16).optional().describe('What must stay constant along t').meta({ unit: '1' }),
  invariant_tol: z.number().min(0).max(1).default(1e-6).describe('Drift allowed').meta({ unit: '1' }),
  outputs: Lines(64).optional().describe('Symbols to show; the first is the value').meta({ unit: '1' }),
});

type Input = z.output<typeof inputs>;

const DOMAIN = 'Multi-Domain Composition';
const PULSE = 'KO42';

function recordFor(input: UnifiedInput, laws: readonly Law[]): SolverDefinition<typeof inputs> {
  const problem = problemOf(input, laws);
  const [headline = ''] = problem.outputs;
  return {
    ...unified,
    operatorChain: [PULSE, ...lawsInOrder(problem).map(({ id }) => id)],
    unit: scaleOf(problem, headline).unit,
    plan: () => planOf(input, problem),
    collect: (outputs) =>
      problem.mode === 'ode'
        ? trajectorySolution(outputs, input, problem)
        : tableSolution(firstOf(outputs), input, problem),
  };
}

function firstOf<One>([first]: readonly One[]): One {
  if (first === undefined) throw new Error('The run of a table is missing.');
  return first;
}

/** What numbers may stand for: every symbol that no equation gives, and every input of a law by its own name too. */
function acceptedSymbols(input: UnifiedInput, laws: readonly Law[]): Record<string, string> {
  const units = textsOf('units', input.units);
  const vars = numbersOf('vars', input.vars);
  const { lines: own } = readLines(listOf(input.equations));
  const lines = [...own, ...laws.map((law) => lineOf(law, (name) => vars.has(name)))];
  const left = new Set(lines.map(({ symbol }) => symbol));
  const constants = new Set(
    laws.flatMap(({ id, constants: all = {} }) => Object.keys(all).map((name) => `${id}.${name}`)),
  );
  const free = [...new Set(lines.flatMap((line) => [...needsOf(line)]))].filter(
    (name) => !left.has(name) && !constants.has(name),
  );
  const qualified = laws.flatMap(({ id, inputs: all }) =>
    Object.entries(all).map(([name, { unit }]) => [`${id}.${name}`, unit] as const),
  );
  return Object.fromEntries([
    ...free.map((name) => [name, units.get(name) ?? unitInLaws(name, lines) ?? '1'] as const),
    ...qualified,
  ]);
}

export const unified = defineSolver({
  id: 'unified',
  title: 'Equations of your own',
  summary: 'Expressions, chains and differential equations, with events, units and operators of the registry.',
  domain: DOMAIN,
  method: {
    name: 'Dormand–Prince 5(4), RODAS 4(3), classical Runge–Kutta; expression machine',
    order: { time: 5 },
    stability: 'explicit methods: h |λ| < 3.3 and 2.8; RODAS is L-stable. rk4 and rodas4 have order 4',
  },
  operatorChain: [PULSE],
  unit: '1',
  inputs,
  parameters: PARAMETERS,
  plan: (input) => planOf(input, problemOf(input, [])),
  collect: (outputs, input) => recordFor(input, []).collect(outputs, input),
  open: {
    accepts: (input: Input, laws) => acceptedSymbols(input, laws),
    besideLaws: { equations: [] },
    numbersIn: (input: Input) => numbersOf('vars', input.vars),
    give: (input: Input, numbers) =>
      Object.keys(numbers).length === 0
        ? input
        : { ...input, vars: { ...numbers, ...Object.fromEntries(numbersOf('vars', input.vars)) } },
    bind: (input: Input, laws) => recordFor(input, laws),
  },
  references: [
    {
      cite: 'Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I (2nd ed.)',
      at: 'chapter II',
      doi: '10.1007/978-3-540-78862-1',
    },
    {
      cite: 'Hairer & Wanner, Solving Ordinary Differential Equations II (2nd ed.)',
      at: '§§IV.2 and IV.7',
      doi: '10.1007/978-3-642-05221-7',
    },
    { cite: 'Dormand & Prince, J. Comput. Appl. Math. 6 (1980)', at: 'pp. 19–26', doi: '10.1016/0771-050X(80)90013-3' },
    { cite: 'Enright & Pryce, ACM Trans. Math. Softw. 13 (1987)', at: 'pp. 1–27', doi: '10.1145/23002.27645' },
  ],
});
