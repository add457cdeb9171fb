// Every receipt of the museum replays as it was pinned: kernel, stamps and seal for ever, plan and answer within the
// revision of its solver. test/http, test/cli and test/browser ask the same of their faces.

import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findKernel } from '../../src/kernels/load-node.ts';
import { replayEnvelope } from '../../src/protocol/replay.ts';
import type { PublicJwk } from '../../src/protocol/signing.ts';
import type { Invariant, Solution, SolverDefinition } from '../../src/solvers/definition.ts';
import { findSolver, SOLVERS } from '../../src/solvers/index.ts';
import { replayTools } from '../protocol/sealed-case.ts';
import { SOLVER_CASES } from './cases.ts';
import { currentRevision, type Exhibit, expectedClaims, isOfToday, MUSEUM } from './museum.ts';
import { readWaiting } from './waiting.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const toolsOf = ({ keys }: Exhibit, change: (solver: SolverDefinition) => SolverDefinition = (solver) => solver) =>
  replayTools({
    kernel: async (sha256) => {
      const image = await findKernel(sha256);
      if (image === undefined) throw new Error(`Kernel ${sha256} is not in the archive.`);
      return image;
    },
    solver: (id) => {
      const solver = findSolver(id);
      return solver && change(solver);
    },
    trusted: (JSON.parse(readFileSync(keys, 'utf8')) as { keys: PublicJwk[] }).keys,
  });

const claimsOf = async (exhibit: Exhibit, change?: (solver: SolverDefinition) => SolverDefinition) => {
  const { claims } = await replayEnvelope(exhibit.receipt, toolsOf(exhibit, change));
  return Object.fromEntries(claims.map(({ claim, ok }) => [claim, ok]));
};

test('the museum holds receipts of compute and of every solver, but for those that waiting.json names', () => {
  const solvers = new Set(MUSEUM.map(({ receipt }) => String(receipt.solver)));
  expect(solvers.size).toBeGreaterThan(4);
  expect([...solvers, ...readWaiting()].sort()).toEqual([...SOLVERS.map(({ id }) => id), 'compute'].sort());
});

test('the museum holds a receipt of compute and of every solver by the kernels and revisions of this program', () => {
  const solvers = new Set(MUSEUM.filter(isOfToday).map(({ receipt }) => String(receipt.solver)));
  expect([...solvers, ...readWaiting()].sort()).toEqual([...SOLVERS.map(({ id }) => id), 'compute'].sort());
});

test('the next room holds a receipt of every solver', () => {
  const sealed = new Set(Object.values(SOLVER_CASES).map(({ solver }) => solver));
  expect([...sealed].sort()).toEqual(SOLVERS.map(({ id }) => id).sort());
});

describe.each(MUSEUM)('$name', (exhibit) => {
  test('replays as it was pinned', async () => {
    expect(await claimsOf(exhibit)).toEqual(expectedClaims(exhibit, currentRevision(exhibit)));
  });
});

const allOfSolvers = MUSEUM.filter(({ name, receipt }) => receipt.solver !== 'compute' && !name.includes('forged'));
/** All in the slow suite; in the short run a sixth, another for each test. */
const ofSolvers = (test: number) =>
  process.env.SVC_SLOW === '1' ? allOfSolvers : allOfSolvers.filter((_, index) => index % 6 === test % 6);

/** The solver with another solution. */
const derived =
  (change: (solution: Solution) => Solution) =>
  (solver: SolverDefinition): SolverDefinition => {
    const changed: SolverDefinition = {
      ...solver,
      collect: (outputs, input) => change(solver.collect(outputs, input)),
    };
    const { open } = solver;
    return open === undefined
      ? changed
      : { ...changed, open: { ...open, bind: (input, laws) => derived(change)(open.bind(input, laws)) } };
  };

test('kernel and stamps need no code of the day: the receipt and the archived kernel are enough', async () => {
  for (const exhibit of ofSolvers(0)) {
    const tools = { ...toolsOf(exhibit), solver: () => undefined };
    const { claims } = await replayEnvelope(exhibit.receipt, tools);
    const outcomes = Object.fromEntries(claims.map(({ claim, ok }) => [claim, ok]));
    expect(outcomes, exhibit.name).toEqual({ ...exhibit.verdicts.claims, plan: null, answer: null });
  }
});

test('the archive holds every kernel of the museum', async () => {
  const hashes = new Set(MUSEUM.map(({ receipt }) => String(receipt.kernel_sha256)));
  const archived = globSync('kernels/*/*.wasm', { cwd: ROOT }).map((path) => basename(path, '.wasm'));
  expect(archived).toEqual(expect.arrayContaining([...hashes]));
  for (const sha256 of archived) expect((await findKernel(sha256))?.sha256).toBe(sha256);
});

describe('every stored receipt still replays after', () => {
  const allHold = async (test: number, change: (solver: SolverDefinition) => SolverDefinition) => {
    for (const exhibit of ofSolvers(test))
      expect(await claimsOf(exhibit, change), exhibit.name).toEqual(expectedClaims(exhibit, currentRevision(exhibit)));
  };

  test('a reworded title, summary, method, plot, note and witness', async () => {
    await allHold(1, (solver) => ({
      ...derived((solution) => ({
        ...solution,
        notes: ['In other words.'],
        plots: solution.plots.map((plot) => ({ ...plot, title: `About ${plot.title}` })).reverse(),
        witness: { ...solution.witness, method: 'another word for the same' },
      }))(solver),
      title: 'Another title',
      summary: 'Another summary.',
      method: { ...solver.method, name: 'another name' },
    }));
  });

  test('an added quantity, series and invariant', async () => {
    const added: Invariant = { name: 'added_later', value: 1, drift: 0, bound: 1e-9 };
    await allHold(
      2,
      derived((solution) => ({
        ...solution,
        quantities: [{ name: 'added_later', value: 2, unit: '1' }, ...solution.quantities],
        series: [...solution.series, { name: 'added_later', unit: '1', shape: [2], data: Float64Array.of(1, 2) }],
        invariants: [added, ...solution.invariants],
      })),
    );
  });

  test('an added input with a default', async () => {
    await allHold(3, (solver) => ({
      ...solver,
      inputs: solver.inputs.extend({ added_later: z.number().default(1) }),
    }));
  });

  test('a renamed label of an invariant', async () => {
    await allHold(
      4,
      derived((solution) => ({
        ...solution,
        invariants: solution.invariants.map((one) => ({ ...one, label: `renamed ${one.label ?? one.name}` })),
      })),
    );
  });
});

describe('a sealed number that moves', () => {
  const moved = derived((solution) => ({
    ...solution,
    quantities: solution.quantities.map((one, at) => (at === 0 ? { ...one, value: one.value + 1e-9 } : one)),
  }));

  test('turns the claim about the answer red without another revision, and no other claim', async () => {
    const compared = ofSolvers(5).filter((exhibit) => currentRevision(exhibit) === exhibit.verdicts.revision);
    expect(compared.length).toBeGreaterThan(0);
    for (const exhibit of compared.filter(({ receipt }) => (receipt.quantities as unknown[]).length > 0)) {
      const expected = expectedClaims(exhibit, currentRevision(exhibit));
      expect(await claimsOf(exhibit, moved), exhibit.name).toEqual({ ...expected, answer: false });
    }
  });

  test('is not compared with another revision, and both numbers are shown', async () => {
    for (const exhibit of ofSolvers(6)) {
      const raised = (solver: SolverDefinition) => ({ ...moved(solver), revision: solver.revision + 1 });
      const report = await replayEnvelope(exhibit.receipt, toolsOf(exhibit, raised));
      const claims = Object.fromEntries(report.claims.map(({ claim, ok }) => [claim, ok]));
      expect(claims, exhibit.name).toEqual({ ...exhibit.verdicts.claims, plan: null, answer: null });
      const current = (findSolver(String(exhibit.receipt.solver))?.revision ?? 0) + 1;
      expect(report.revision).toMatchObject({ sealed: exhibit.verdicts.revision, current });
      // A later revision may have no number for outputs of the former plan.
      if (currentRevision(exhibit) === exhibit.verdicts.revision)
        expect(report.revision.derived).toMatchObject({ unit: exhibit.receipt.unit });
    }
  });

  test('a later revision that fails on old inputs or outputs fails no receipt', async () => {
    const failing = (): never => {
      throw new TypeError('The code of a later revision does not know this.');
    };
    const broken = [
      (solver: SolverDefinition) => ({ ...solver, plan: failing }),
      (solver: SolverDefinition) => ({ ...solver, collect: failing }),
      (solver: SolverDefinition) => ({ ...solver, plan: () => ({ runs: [], estimateNs: 1e30, estimateBytes: 0 }) }),
    ];
    for (const exhibit of ofSolvers(7))
      for (const [at, breakIt] of broken.entries()) {
        const later = (solver: SolverDefinition): SolverDefinition => {
          const { open, revision } = solver;
          const changed = { ...breakIt(solver), revision: revision + 1 };
          return open === undefined ? changed : { ...changed, open: { ...open, bind: () => changed } };
        };
        const claims = await claimsOf(exhibit, later);
        expect(claims, `${exhibit.name} ${at}`).toEqual({ ...exhibit.verdicts.claims, plan: null, answer: null });
      }
  });

  test('an input that no longer exists is named', async () => {
    const [exhibit] = allOfSolvers.filter(({ receipt }) => receipt.solver === 'heat');
    if (exhibit === undefined) throw new Error('The museum has no receipt of heat.');
    const gone = (revision: number) => (solver: SolverDefinition) => {
      const { kx: _, ...shape } = solver.inputs.shape;
      return { ...solver, revision, inputs: z.strictObject(shape) as unknown as SolverDefinition['inputs'] };
    };
    const within = await replayEnvelope(exhibit.receipt, toolsOf(exhibit, gone(exhibit.verdicts.revision)));
    expect(within.first_difference).toMatchObject({
      field: 'inputs.kx',
      recomputed: 'no input of this name in this version',
    });
    const later = await replayEnvelope(exhibit.receipt, toolsOf(exhibit, gone(9)));
    expect(later.equal).toBe(true);
    expect(later.claims.find(({ claim }) => claim === 'plan')?.reason).toContain('inputs.kx');
  });
});
