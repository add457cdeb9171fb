// Equations supplied by the caller: an expression, a chain of dependent equations, or a differential system.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import type { Law, SolverDefinition } from '../definition.ts';
import { defineSolver } from '../solver.ts';
import { MAX_EQUATIONS } from './checks.ts';
import { parseList, parseNumbers, parseTexts } from './entries.ts';
import { UNIFIED_FACE, type UnifiedFace } from './face.ts';
import type { UnifiedInput } from './input.ts';
import { dependenciesOf, lawLine, parseLines } from './lines.ts';
import { planOf } from './plan.ts';
import { problemOf } from './problem.ts';
import { lawsInOrder, scaleOf } from './results.ts';
import { tableSolution } from './table.ts';
import { trajectorySolution } from './trajectory.ts';
import { unitInLaws } from './units.ts';

const MAX_LINES = 2 * MAX_EQUATIONS;
const Line = multiLine(LIMITS.expression.characters);
const Lines = (max: number) => z.union([multiLine(max * 200), z.array(Line).max(max)]);
const Name = singleLine(LIMITS.keyCharacters, 0);
const Numbers = z.union([multiLine(4_000), z.record(Name, z.number())]);
const Texts = z.union([multiLine(4_000), z.record(Name, singleLine(LIMITS.unit.characters, 0))]);
const time = () => z.number().min(-1e30).max(1e30);

const OSCILLATOR = ["x' = v", "v' = -omega^2*x - 2*zeta*omega*v", 'omega = 2', 'zeta = 0.1', 'x(0) = 1', 'v(0) = 0'];

const inputs = z.strictObject({
  mode: z
    .enum(['auto', 'expression', 'chain', 'ode'])
    .default('auto')
    .describe(
      'auto: detected from the equations; expression: independent lines; chain: one uses another; ode: derivatives x′ on the left',
    )
    .meta({ unit: '1' }),
  equations: Lines(MAX_LINES)
    .default(OSCILLATOR.join('\n'))
    .describe("One per line: y = …, x' = …, x(0) = …")
    .meta({ unit: '1', rows: 7 }),
  vars: Numbers.optional().describe('Numbers for symbols: k = 4; c = 0.3').meta({ unit: '1' }),
  initial: Numbers.optional().describe('Initial values: x = 1; v = 0').meta({ unit: '1' }),
  units: Texts.optional()
    .describe('Units of symbols: x = m; v = m/s. With any, dimensions are checked and all is computed in SI')
    .meta({ unit: '1' }),
  t0: time().default(0).describe('Start of t').meta({ unit: 't', symbol: 't_0' }),
  t_end: time()
    .optional()
    .describe('End of t; t0 + 20 by default. Without derivatives the result is a table over t')
    .meta({ unit: 't' }),
  method: z
    .enum(['auto', 'dopri5', 'rodas4', 'rk4'])
    .default('auto')
    .describe('auto: Dormand–Prince 5(4), and RODAS 4(3) once the problem is stiff; rk4: fixed steps')
    .meta({ unit: '1' }),
  rtol: z.number().min(1e-13).max(1e-2).default(1e-9).describe('Relative tolerance').meta({ unit: '1' }),
  atol: z
    .number()
    .min(1e-300)
    .max(1e30)
    .optional()
    .describe('Absolute tolerance, at least rtol/100 of the largest magnitude of a state so far')
    .meta({ unit: 'state' }),
  dt: z
    .number()
    .min(1e-30)
    .max(1e30)
    .optional()
    .describe('First step; with rk4 every step')
    .meta({ unit: 't', symbol: 'Δt' }),
  steps: z.int().min(1).max(10_000_000).optional().describe('rk4: step count; 1000 by default').meta({ unit: '1' }),
  max_step: z
    .number()
    .min(1e-30)
    .max(1e30)
    .optional()
    .describe('Maximum step; 1/200 of the span by default. Shorter features may be skipped')
    .meta({ unit: 't' }),
  max_steps: z.int().min(1).max(10_000_000).optional().describe('Maximum step attempts').meta({ unit: '1' }),
  points: z.int().min(2).max(2_001).default(201).describe('Samples from t0 to t_end').meta({ unit: '1' }),
  events: Lines(16)
    .optional()
    .describe(
      'y = 0 down -> stop; x = 1 up -> v = -0.8*v; x > 2 is counted. Simultaneous events happen in the given order',
    )
    .meta({ unit: '1' }),
  invariants: Lines(16).optional().describe('Expressions that stay constant').meta({ unit: '1' }),
  invariant_tol: z.number().min(0).max(1).default(1e-6).describe('Allowed drift').meta({ unit: '1' }),
  outputs: Lines(64).optional().describe('Symbols to show; the first is the value').meta({ unit: '1' }),
});

type Input = z.output<typeof inputs>;

const DOMAIN = 'Multi-Domain Composition';
const PULSE = 'KO42';

function recordFor(input: UnifiedInput, laws: readonly Law[]): SolverDefinition<typeof inputs, UnifiedFace> {
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
        : tableSolution(onlyOutput(outputs), input, problem),
  };
}

function onlyOutput<Output>([first]: readonly Output[]): Output {
  if (first === undefined) throw new Error('The kernel output of a table is missing.');
  return first;
}

/** Symbols that accept numbers: every symbol without an equation, and every input of a law by its qualified name. */
function acceptedSymbols(input: UnifiedInput, laws: readonly Law[]): Record<string, string> {
  const units = parseTexts('units', input.units);
  const vars = parseNumbers('vars', input.vars);
  const { lines: ownLines } = parseLines(parseList(input.equations));
  const lines = [...ownLines, ...laws.map((law) => lawLine(law, (name) => vars.has(name)))];
  const leftSides = new Set(lines.map(({ symbol }) => symbol));
  const constants = new Set(
    laws.flatMap(({ id, constants: entries = {} }) => Object.keys(entries).map((name) => `${id}.${name}`)),
  );
  const free = [...new Set(lines.flatMap((line) => [...dependenciesOf(line)]))].filter(
    (name) => !leftSides.has(name) && !constants.has(name),
  );
  const qualifiedNames = laws.flatMap(({ id, inputs: entries }) =>
    Object.entries(entries).map(([name, { unit }]) => [`${id}.${name}`, unit] as const),
  );
  return Object.fromEntries([
    ...free.map((name) => [name, units.get(name) ?? unitInLaws(name, lines) ?? '1'] as const),
    ...qualifiedNames,
  ]);
}

export const unified = defineSolver({
  id: 'unified',
  revision: 1,
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
  kernel: UNIFIED_FACE,
  plan: (input) => planOf(input, problemOf(input, [])),
  collect: (outputs, input) => recordFor(input, []).collect(outputs, input),
  open: {
    acceptedSymbols: (input: Input, laws) => acceptedSymbols(input, laws),
    defaultsWithLaws: { equations: [] },
    explicitValues: (input: Input) => parseNumbers('vars', input.vars),
    withValues: (input: Input, numbers) =>
      Object.keys(numbers).length === 0
        ? input
        : { ...input, vars: { ...numbers, ...Object.fromEntries(parseNumbers('vars', input.vars)) } },
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
