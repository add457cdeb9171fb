import { expect, test } from 'vitest';
import { epi } from '../../src/solvers/epi/solver.ts';
import { kalman } from '../../src/solvers/kalman/solver.ts';
import { opt } from '../../src/solvers/opt/solver.ts';
import { reactor } from '../../src/solvers/reactor/solver.ts';

const MILLION_ROWS = '1 1\n'.repeat(1_000_000);

// Of the dynamics solvers, which read data from a text.
test.each([
  [epi, 'cases', { cases: MILLION_ROWS }],
  [kalman, 'measurements', { measurements: MILLION_ROWS }],
  [opt, 'data', { data: MILLION_ROWS, model: 'a*x' }],
  [reactor, 'power', { power: MILLION_ROWS }],
  [reactor, 'reactivity.table', { reactivity: { kind: 'table', table: MILLION_ROWS } }],
])('$id refuses a million rows by the length of the text', ({ inputs }, field, input) => {
  const { error } = inputs.safeParse(input);
  expect(error?.issues.map(({ code, path }) => [code, path.join('.')])).toContainEqual(['too_big', field]);
});
