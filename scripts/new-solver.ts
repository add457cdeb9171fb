// Writes a small working solver, and registers it in src/solvers/index.ts.
//
//   node scripts/new-solver.ts <slug> "<Title>"

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SLUG = /^[a-z][a-z0-9]{1,23}$/;
const TITLE = /^[\p{L}\p{N} \-–,.()']{3,60}$/u;

/** A string literal as the formatter writes it. */
const quoted = (text: string) => (text.includes("'") ? `"${text}"` : `'${text}'`);

function kernel(title: string): string {
  return `// ${title}: u' = -k u by the implicit midpoint rule.
//
// Second order, unconditionally stable, and positive for k dt < 2. Replace it by your method; keep the
// header: method, order, stability, where it fails, and the book.
import { INFO_NON_FINITE, INFO_OK, INFO_OUT_OF_MEMORY, allocateF64, parameter, resetArena, resetControl, setDone } from '../kernel';
import { set } from '../numerics/vector';
import { illegal, isIntegerBetween, isNonNegative, isPositive } from '../parameters';

export { abi, control } from '../kernel';

/** u0; k >= 0 in 1/s; dt > 0 in s; steps >= 1. */
export enum Parameter {
  u0,
  k,
  dt,
  steps,
}

/** history f64[steps + 1]: u at every step. */
export enum View {
  history,
}

const MAX_STEPS: f64 = 1e6;

let k: f64 = 0;
let dt: f64 = 0;
let u: f64 = 0;
let done: i32 = 0;
let steps: i32 = 0;
let history: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isFinite(parameter(Parameter.u0))) return illegal(Parameter.u0);
  if (!isNonNegative(parameter(Parameter.k))) return illegal(Parameter.k);
  if (!isPositive(parameter(Parameter.dt))) return illegal(Parameter.dt);
  if (!isIntegerBetween(parameter(Parameter.steps), 1, MAX_STEPS)) return illegal(Parameter.steps);
  u = parameter(Parameter.u0);
  k = parameter(Parameter.k);
  dt = parameter(Parameter.dt);
  steps = <i32>parameter(Parameter.steps);
  history = allocateF64(steps + 1);
  return history ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  done = 0;
  set(history, 0, u);
  return INFO_OK;
}

export function advance(count: i32): i32 {
  const half = 0.5 * k * dt;
  const factor = (1 - half) / (1 + half);
  for (let i = 0; i < count && done < steps; i++) {
    u *= factor;
    done++;
    set(history, done, u);
  }
  setDone(done);
  return isFinite(u) ? INFO_OK : INFO_NON_FINITE;
}

export function view(i: i32): usize {
  return i === View.history ? history : 0;
}

export function extent(i: i32): i32 {
  return i === View.history ? steps + 1 : 0;
}
`;
}

function face(slug: string): string {
  return `// Names of assembly/solvers/${slug}.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const ${slug.toUpperCase()}_FACE = {
  parameters: ['u0', 'k', 'dt', 'steps'],
  views: ['history'],
  statistics: [],
  columns: {},
} as const satisfies KernelFace;
`;
}

function solverRecord(slug: string, title: string): string {
  return `// ${title}: inputs, runs and results.

import { z } from 'zod';
import { defineSolver } from '../solver.ts';
import { ${slug.toUpperCase()}_FACE } from './face.ts';
import { exactValue } from './reference.ts';

export const ${slug} = defineSolver({
  id: '${slug}',
  revision: 1,
  title: ${quoted(title)},
  summary: "u' = -k u from u0, by the implicit midpoint rule.",
  domain: 'Kernel Modulation',
  method: { name: 'implicit midpoint', order: { time: 2 }, stability: 'unconditional' },
  operatorChain: ['KO42'],
  unit: '1',
  inputs: z.strictObject({
    u0: z.number().min(-1e6).max(1e6).default(1).describe('Initial value.').meta({ unit: '1' }),
    k: z.number().min(0).max(1e3).default(1).describe('Decay rate.').meta({ unit: '1/s' }),
    dt: z.number().min(1e-6).max(1).default(0.01).describe('Time step.').meta({ unit: 's' }),
    steps: z.int().min(1).max(100_000).default(100).describe('Number of steps.').meta({ unit: '1' }),
  }),
  kernel: ${slug.toUpperCase()}_FACE,
  plan: ({ u0, k, dt, steps }) => ({
    runs: [{ parameters: { u0, k, dt, steps }, steps, outputs: ['history'] }],
    estimateNs: 10 * steps,
    estimateBytes: 8 * (steps + 1),
  }),
  collect([output], { u0, k, dt, steps }) {
    const history = output?.views.history ?? new Float64Array();
    const value = history.at(-1) ?? u0;
    const reference = exactValue(u0, k, dt * steps);
    const uncertainty = Math.abs(value - reference);
    const scale = Math.abs(u0);
    return {
      value,
      uncertainty,
      bound: scale === 0 ? 0 : uncertainty / scale,
      converged: output?.info === 0,
      witness: { method: 'closed form u0 exp(-k t)', reference, scale },
      invariants: [],
      series: [
        { name: 't', unit: 's', shape: [steps + 1], data: Float64Array.from(history, (_, i) => i * dt) },
        { name: 'u', unit: '1', shape: [steps + 1], data: history },
      ],
      fields: [],
      plots: [{ kind: 'line', title: 'decay', x: 't', y: ['u'] }],
      quantities: [{ name: 'k·dt', value: k * dt, unit: '1' }],
      operatorInputs: {},
      functional: value,
      notes: [],
    };
  },
  references: [{ cite: 'Hairer, Lubich, Wanner, Geometric Numerical Integration (2nd ed., 2006)', at: 'II.1.1, implicit midpoint rule' }],
});
`;
}

const REFERENCE = `// The exact value in closed form.

import { exp } from '../../core/elementary.ts';

/** u0 exp(-k t). */
export function exactValue(u0: number, k: number, t: number): number {
  return u0 * exp(-k * t);
}
`;

function testFile(slug: string): string {
  return `import { expect, test } from 'vitest';
import { ${slug} } from '../../src/solvers/${slug}/solver.ts';

async function errorAt(steps: number): Promise<number> {
  const { value, witness } = await ${slug}.solve({ dt: 1 / steps, steps });
  return Math.abs(value - witness.reference);
}

test('the error falls with the square of the step', async () => {
  const order = Math.log2((await errorAt(50)) / (await errorAt(100)));
  expect(order).toBeGreaterThan(1.95);
  expect(order).toBeLessThan(2.05);
});
`;
}

/** All files of a new solver, by path. */
export function solverFiles(slug: string, title: string): Record<string, string> {
  return {
    [`assembly/solvers/${slug}.ts`]: kernel(title),
    [`src/solvers/${slug}/face.ts`]: face(slug),
    [`src/solvers/${slug}/solver.ts`]: solverRecord(slug, title),
    [`src/solvers/${slug}/reference.ts`]: REFERENCE,
    [`test/solvers/${slug}.test.ts`]: testFile(slug),
  };
}

/** The registry with the solver in it: one import and one element, each before the first that comes after it. */
export function register(index: string, slug: string): string {
  const line = `import { ${slug} } from './${slug}/solver.ts';`;
  const lines = index.split('\n');
  const solverImport = (one: string) => /^import \{ \w+ \} from '\.\/\w+\/solver\.ts';$/.test(one);
  const next = lines.findIndex((one) => solverImport(one) && one > line);
  lines.splice(next === -1 ? lines.findLastIndex(solverImport) + 1 : next, 0, line);
  return lines.join('\n').replace(/(SOLVERS: [^=]*= \[)([^\]]*)\]/, (_, head: string, list: string) => {
    const names = list.split(',').map((name) => name.trim());
    const all = [...names.filter((name) => name !== ''), slug].sort();
    return `${head}${all.join(', ')}]`;
  });
}

function main(): void {
  const [slug = '', title = ''] = process.argv.slice(2);
  if (!SLUG.test(slug) || !TITLE.test(title)) {
    console.error('usage: node scripts/new-solver.ts <slug> "<Title>"');
    console.error("  slug: 2 to 24 of a-z 0-9, a letter first; title: 3 to 60 letters, digits, spaces and -–,.()'");
    process.exit(2);
  }
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = solverFiles(slug, title);
  const taken = Object.keys(files).find((path) => existsSync(join(root, path)));
  if (taken !== undefined) {
    console.error(`${taken} exists; nothing was written.`);
    process.exit(1);
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(path);
  }
  const index = join(root, 'src/solvers/index.ts');
  writeFileSync(index, register(readFileSync(index, 'utf8'), slug));
  console.log('src/solvers/index.ts (one line)');
  // The formatter sets line breaks and the order of imports.
  const written = [...Object.keys(files), 'src/solvers/index.ts'];
  execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', ...written], {
    cwd: root,
    stdio: 'inherit',
  });
}

if (import.meta.main) main();
