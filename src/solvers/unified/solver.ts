// Equations supplied by the caller: an expression, a chain of dependent equations, or a differential system.

import type { Law, SolverDefinition } from '../definition.ts';
import { defineSolver } from '../solver.ts';
import { parseAssignments, parseNumbers, parseTexts } from './entries.ts';
import { UNIFIED_FACE, type UnifiedFace } from './face.ts';
import { form } from './form.ts';
import { inputs, type UnifiedInput } from './inputs.ts';
import { dependenciesOf, lawLine, parseLines } from './lines.ts';
import { planWithVariants } from './plan.ts';
import { lawsInOrder, problemOf, scaleOf } from './problem.ts';
import { solutionOf } from './solution.ts';
import { unitInLaws } from './units.ts';
import { variedSources } from './variants.ts';
import { words } from './words.ts';

const DOMAIN = 'Multi-Domain Composition';
const PULSE = 'KO42';

function recordFor(input: UnifiedInput, laws: readonly Law[]): SolverDefinition<typeof inputs, UnifiedFace> {
  const problem = problemOf(input, laws);
  const sources = variedSources(input, laws);
  const [headline = ''] = problem.outputs;
  return {
    ...unified,
    operatorChain: [PULSE, ...lawsInOrder(problem).map(({ id }) => id)],
    unit: scaleOf(problem, headline).unit,
    plan: () => planWithVariants(input, problem, sources),
    collect: (outputs) => solutionOf(outputs, input, problem, sources),
  };
}

/** Symbols that accept numbers: every symbol without an equation, and every input of a law by its qualified name. */
function acceptedSymbols(input: UnifiedInput, laws: readonly Law[]): Record<string, string> {
  const units = parseTexts('units', input.units);
  const vars = parseNumbers('vars', input.vars);
  const { lines: ownLines } = parseLines(parseAssignments(input.equations));
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
  revision: 3,
  title: 'Equations of your own',
  summary: 'Expressions, chains and differential equations, with events, units and operators of the registry.',
  domain: DOMAIN,
  subject: 'Mathematics and logic',
  equations: [
    String.raw`\frac{\mathrm d y_i}{\mathrm d t} = f_i(t, y_1, \dots, y_n), \quad y_i(0) = y_{i0}, \quad z = g(y, t)`,
  ],
  method: {
    name: 'Dormand–Prince 5(4), RODAS 4(3), classical Runge–Kutta; expression machine',
    order: { time: 5 },
    stability: 'explicit methods: h |λ| < 3.3 and 2.8; RODAS is L-stable. rk4 and rodas4 have order 4',
  },
  operatorChain: [PULSE],
  unit: '1',
  inputs,
  form,
  words,
  kernel: UNIFIED_FACE,
  plan: (input) => recordFor(input, []).plan(input),
  collect: (outputs, input) => recordFor(input, []).collect(outputs, input),
  open: {
    acceptedSymbols: (input: UnifiedInput, laws) => acceptedSymbols(input, laws),
    defaultsWithLaws: { equations: [] },
    explicitValues: (input: UnifiedInput) => parseNumbers('vars', input.vars),
    withValues: (input: UnifiedInput, numbers) =>
      Object.keys(numbers).length === 0
        ? input
        : { ...input, vars: { ...numbers, ...Object.fromEntries(parseNumbers('vars', input.vars)) } },
    bind: (input: UnifiedInput, laws) => recordFor(input, laws),
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
