// Replay of envelopes of solvers: honest ones are reproduced, and every change is found.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { compare } from '../../src/protocol/difference.ts';
import type { Envelope } from '../../src/protocol/envelope.ts';
import { buildGate } from '../../src/protocol/gate.ts';
import { type ReplayReport, replayEnvelope, verifyEnvelope } from '../../src/protocol/replay.ts';
import type { Untrusted } from '../../src/protocol/untrusted.ts';
import {
  envelopeOf,
  forge,
  issuer,
  PLATE,
  ROD,
  replayTools,
  SLOW_STAMPS,
  type Solved,
  STAMPS,
  signer,
  solve,
} from './sealed-case.ts';
import { changed, isWord, leavesOf, nameOf, type Path, sealedLeaves, withLeaf } from './tamper.ts';

const CLAIMS = ['keyid', 'signature', 'statement', 'key pinned', 'kernel', 'plan', 'answer', 'stamps', 'laws'];
const untrusted = (envelope: unknown) => envelope as Untrusted;
const replay = (envelope: unknown, tools = replayTools()) => replayEnvelope(untrusted(envelope), tools);

const failedClaims = ({ claims }: ReplayReport) => claims.filter(({ ok }) => ok === false).map(({ claim }) => claim);

let rod: Solved;
let envelope: Envelope;
beforeAll(async () => {
  rod = await solve('heat', ROD);
  envelope = envelopeOf(rod);
});

describe('an honest envelope replays to the same bits', () => {
  test.each([
    ['of a fast run', 'heat', ROD, STAMPS],
    ['under the parity rule', 'heat', ROD, SLOW_STAMPS],
    ['with a linked field', 'heat', PLATE, STAMPS],
    ['with rough initial data', 'heat', { ...ROD, mode: 'step', boundary: 'neumann' }, STAMPS],
    ['of another solver', 'schrodinger', {}, STAMPS],
  ])('%s', async (_, id, fields, stamps) => {
    const solved = await solve(id, fields);
    const report = await replay(envelopeOf(solved, stamps));
    expect(report).toEqual({
      ok: true,
      equal: true,
      kernel_sha256: solved.image.sha256,
      revision: { sealed: solved.solver.revision, current: solved.solver.revision },
      laws: {
        verdict: 'registered',
        by_id: Object.fromEntries(solved.computation.operatorChain.map((law) => [law, 'registered'])),
      },
      claims: CLAIMS.map((claim) => ({ claim, ok: true })),
    });
  });
});

// Fields that only the seal covers.
const ISSUED = /^(svcProof|version|keyPrefix|epoch|billing|run_id|public_key|consts|seal|trajectory_sha256)\b/;
// Fields that decide what is run: a change of one shows in other fields.
const CAUSES = /^(solver|revision|kernel_sha256|inputs|stamps|definitions|runs|outcomes)\b|\.(data|base64)\b/;
const NAMES = /\]\.(name|operator_id)$/;
const isDerived = (path: Path) => !isWord(path) && !ISSUED.test(nameOf(path)) && !CAUSES.test(nameOf(path));

describe('a forger who changes one leaf and signs again', () => {
  test('gets a report that names the field', async () => {
    const leaves = leavesOf(envelope).filter(({ path }) => isDerived(path));
    expect(leaves.length).toBeGreaterThan(100);
    for (const { path, value } of leaves) {
      const report = await replay(forge(withLeaf(envelope, path, changed(value))), replayTools({ trusted: [] }));
      expect(report.equal).toBe(false);
      const { field = '?', stored, recomputed } = report.first_difference ?? {};
      // Elements of lists belong together by name, so a changed name is that of another element.
      if (NAMES.test(nameOf(path))) expect(nameOf(path)).toContain(field);
      else expect([field, stored, recomputed]).toEqual([nameOf(path), changed(value), value]);
    }
  });

  test('is detected for inputs and stamps', async () => {
    const leaves = leavesOf(envelope).filter(({ path }) => /^(inputs|stamps)\b/.test(nameOf(path)));
    expect(leaves.length).toBeGreaterThan(15);
    for (const { path, value } of leaves) {
      const report = await replay(forge(withLeaf(envelope, path, changed(value))), replayTools());
      expect([report.equal, report.claims.find(({ claim }) => claim === 'key pinned')?.ok]).toEqual([false, false]);
    }
  });

  test('is detected for the runs of the kernel and the revision', async () => {
    const leaves = leavesOf(envelope).filter(({ path }) => /^(runs|outcomes|revision)\b/.test(nameOf(path)));
    expect(leaves.length).toBeGreaterThan(20);
    for (const { path, value } of leaves) {
      const forged = forge(withLeaf(envelope, path, changed(value)));
      const report = await replay(forged).catch((error: unknown) => error);
      if (report instanceof DomainError) expect(report.code, nameOf(path)).toBe('VALIDATION_FAILED');
      else expect(failedClaims(report as ReplayReport), nameOf(path)).not.toEqual([]);
    }
  });

  test('is detected for a definition: it is no law of the registry', async () => {
    const leaves = leavesOf(envelope).filter(({ path }) => path[0] === 'definitions' && !isWord(path));
    expect(leaves.length).toBeGreaterThan(20);
    for (const { path, value } of leaves) {
      const forged = forge(withLeaf(envelope, path, changed(value)));
      const { laws, claims } = await replay(forged, replayTools({ trusted: [] }));
      expect([laws.verdict, claims.find(({ claim }) => claim === 'laws')?.ok], nameOf(path)).toEqual([
        'not registered',
        false,
      ]);
    }
  });

  test('is detected by the key for fields of the issuer', async () => {
    const report = await replay(forge({ ...envelope, keyPrefix: 'svc_ak_ministry' }));
    expect(failedClaims(report)).toEqual(['key pinned']);
  });
});

test('a linked field is compared by its hash', async () => {
  const plate = envelopeOf(await solve('heat', PLATE));
  const at = plate.fields.findIndex((field) => field.sha256 !== undefined);
  const changedHash = withLeaf(plate, ['fields', at, 'sha256'], 'f'.repeat(64));
  expect((await replay(forge(changedHash))).first_difference?.field).toBe(`fields[${at}].sha256`);
});

test('arrays that the receipt holds only by hash come from the plan, if their hash agrees', async () => {
  const withoutBytes = JSON.parse(JSON.stringify(envelope, (name, value) => (name === 'base64' ? undefined : value)));
  expect(JSON.stringify(envelope)).toContain('base64');
  expect((await replay(withoutBytes)).claims).toEqual(CLAIMS.map((claim) => ({ claim, ok: true })));
  const { claims } = await replay(withoutBytes, replayTools({ solver: () => undefined }));
  expect(claims.find(({ claim }) => claim === 'kernel')).toMatchObject({
    ok: null,
    reason: expect.stringContaining('holds only the hash of an array of runs[0]'),
  });
});

test('other bytes of an input array are found by their hash, and never reach the kernel', async () => {
  const [name = '', array] = Object.entries(envelope.runs[0]?.inputs ?? {})[0] ?? [];
  const bytes = Buffer.from(array?.base64 ?? '', 'base64');
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  const path = ['runs', 0, 'inputs', name, 'base64'];
  const report = await replay(withLeaf(envelope, path, bytes.toString('base64')));
  expect(failedClaims(report)).toEqual(['statement']);
  expect(report.claims.find(({ claim }) => claim === 'statement')?.reason).toContain(`The bytes of the input ${name}`);
  expect(report.claims.find(({ claim }) => claim === 'kernel')?.ok).toBe(true);
});

test('minus zero is not zero', async () => {
  const report = await replay(withLeaf(envelope, ['series', 0, 'data', 0], -0));
  expect(failedClaims(report)).toEqual(['statement']);
  expect(report.claims.find(({ claim }) => claim === 'statement')?.reason).toContain('The numbers of t differ');
});

test('a sealed 0 that is written as −0 has the same signature, and is neither valid nor replayed', async () => {
  const zeros = leavesOf(envelope).filter(
    ({ path, value }) => value === 0 && !isWord(path) && !path.includes('data') && path[0] !== 'value',
  );
  expect(zeros.map(({ path }) => nameOf(path))).toEqual(expect.arrayContaining(['outcomes[0].info']));
  for (const { path } of zeros) {
    const written = withLeaf(envelope, path, -0);
    const claims = verifyEnvelope(untrusted(written), [signer.publicKey]);
    expect(
      claims.filter(({ ok }) => ok !== true).map(({ claim }) => claim),
      nameOf(path),
    ).toEqual(['statement']);
    expect(failedClaims(await replay(written)), nameOf(path)).toContain('statement');
  }
});

test('a field that the receipt does not have is no difference; one that is not sealed is ignored', async () => {
  const { quantities: _, verification, ...without } = envelope;
  const { observed_order: __, ...less } = verification;
  const report = await replay({ ...without, verification: less, extra: 1, equations: ['E = m c^3'] });
  expect(failedClaims(report)).toEqual(['statement']);
  expect(report.claims.find(({ claim }) => claim === 'answer')?.ok).toBe(true);
});

test('the first difference is the first in the order of the schema', async () => {
  const both = { ...envelope, svcond: 1, value: 1, uncertainty: 1 };
  expect((await replay(both)).first_difference?.field).toBe('value');
});

test('other bytes of the same kernel are a difference in the kernel', async () => {
  const image = await loadKernel('heat');
  const other = { ...image, sha256: '0'.repeat(64) };
  const report = await replay(envelope, replayTools({ kernel: async () => other }));
  expect(report.first_difference).toMatchObject({ field: 'kernel_sha256', stored: image.sha256 });
});

test("another solver's kernel is a difference, not an error", async () => {
  const image = await loadKernel('schrodinger');
  const report = await replay({ ...envelope, kernel_sha256: image.sha256 }, replayTools({ kernel: async () => image }));
  expect(report.first_difference?.field).toBe('kernel_sha256');
});

test('a solver that this program does not have: its kernel still speaks for the outputs, if it is its own', async () => {
  const tools = replayTools({ solver: () => undefined });
  const { claims } = await replay(envelope, tools);
  const outcome = (name: string) => claims.find(({ claim }) => claim === name);
  expect([outcome('kernel')?.ok, outcome('plan')?.ok, outcome('answer')?.ok, outcome('stamps')?.ok]).toEqual([
    true,
    null,
    null,
    true,
  ]);
  expect(outcome('plan')?.reason).toBe('This program has no solver heat.');
  const image = await loadKernel('heat');
  const renamed = { ...envelope, solver: 'no_such_solver' };
  const report = await replay(renamed, replayTools({ kernel: async () => image }));
  expect(failedClaims(report)).toEqual(['statement', 'kernel']);
});

test('a replay fails without the bytes of the kernel', async () => {
  const unavailable = new DomainError('KERNEL_UNAVAILABLE', 'The bytes are gone.');
  const tools = replayTools({ kernel: () => Promise.reject(unavailable) });
  await expect(replay(envelope, tools)).rejects.toBe(unavailable);
});

test('a run that exceeds the budget is refused before it starts', async () => {
  const solver = { ...rod.solver, plan: () => ({ runs: [], estimateNs: 1e15, estimateBytes: 0 }) };
  await expect(replay(envelope, replayTools({ solver: () => solver }))).rejects.toMatchObject({
    code: 'BUDGET_EXCEEDED',
  });
});

test.each([
  ['solver', 7],
  ['kernel_sha256', 'ABC'],
  ['inputs', [1]],
  ['inputs', null],
  ['consts', { g: '9.81' }],
  ['stamps', 'now'],
  ['verification', null],
  ['revision', 0],
  ['runs', []],
  ['outcomes', 'none'],
  ['definitions', undefined],
  ['value', 'NaN'],
])('an object that is not an envelope is refused, and the field is named: %s %o', async (field, value) => {
  await expect(replay({ ...envelope, [field]: value })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: [{ path: field, code: 'NOT_AN_ENVELOPE' }],
  });
});

test("the dimensional gate's answer is refused, since there is nothing to replay", async () => {
  const gate = buildGate(
    rod.solver,
    { reason: 'heat takes no voltage', unrecognised: ['voltage'], accepted: { alpha: 'm^2/s' } },
    STAMPS,
    issuer,
  );
  await expect(replay(gate)).rejects.toThrow(/nothing was computed/);
});

test.each([
  [['1', '2']],
  [[...envelopeStamps().slice(0, 6), '1']],
  [[...envelopeStamps().slice(0, 6), '1e30']],
  [[...envelopeStamps().slice(0, 6), 17900]],
  [[...envelopeStamps().slice(0, 6), '9'.repeat(400)]],
])('stamps other than seven times in order are a difference: %o', async (stamps) => {
  expect((await replay({ ...envelope, stamps })).first_difference?.field).toBe('stamps');
});

function envelopeStamps(): string[] {
  return STAMPS.map(String);
}

test('any replacement of any part gives a report or a refusal', async () => {
  const nodes = nodesOf(envelope);
  const json = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' });
  const tools = replayTools();
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: nodes.length - 1 }), json, async (index, value) => {
      const path = nodes[index] ?? [];
      const tampered = path.length === 0 ? { value } : withLeaf(envelope, path, value);
      fc.pre(!isWord(path) && compare(sealedLeaves(tampered), sealedLeaves(envelope), '') !== undefined);
      try {
        expect((await replay(tampered, tools)).equal).toBe(false);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        expect(['VALIDATION_FAILED', 'KERNEL_UNAVAILABLE', 'BUDGET_EXCEEDED', 'UNSTABLE_SCHEME']).toContain(error.code);
      }
    }),
    { numRuns: 300 },
  );
});

/** The paths of all parts, including objects and arrays. */
function nodesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...parts.flatMap(([name, one]) => nodesOf(one, [...path, name]))];
}

test('the seal is checked without running the kernel', () => {
  expect(verifyEnvelope(untrusted(envelope), [signer.publicKey]).every((claim) => claim.ok)).toBe(true);
});
