// Ten tasks of an agent that knows only tools/list: every call succeeds at once, or after what its error says. The pin
// counts the characters that the agent reads and writes (transcripts.json), since it pays for each of them.
//
// `vitest run test/mcp/transcripts.test.ts -u` accepts other counts; docs/mcp.md quotes them.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mapValues } from '../../src/core/map-values.ts';
import { startService } from '../http/service-fixture.ts';
import { RpcClient, type ToolResult } from './rpc-client.ts';

const service = await startService();
const mcp = new RpcClient(service.running.url);

type Json = Record<string, unknown>;
/** The next call, from the answers so far. */
type Step = readonly [tool: string, input: (answers: readonly Json[]) => Json];

interface Task {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Checks the last answer. */
  readonly expected: Json;
}

const at = (answers: readonly Json[], index: number) => answers.at(index) ?? {};
/** The link that the last answer gives. */
const receiptOf = (answers: readonly Json[]) => (at(answers, -1).complete as Json).href;
const HEAT = { nx: 48, ny: 48, alpha: 1.1e-4, lx: 0.2, ly: 0.2 };
const heat: Step = ['svc_heat', () => HEAT];
const contractId = (answers: readonly Json[]) => {
  const contracts = answers.flatMap(({ contract }) => (contract === undefined ? [] : [contract as Json]));
  return at(contracts, 0).id;
};
const PENDULUM = "theta' = w\nw' = -9.81/L*sin(theta)\nL = 1\ntheta(0) = 1\nw(0) = 0";

const TASKS: readonly Task[] = [
  { name: 'the temperature in a heated plate', steps: [heat], expected: { ok: true, solver: 'heat', unit: 'T' } },
  {
    name: 'find a law and compute it',
    steps: [
      ['svc_find_operator', () => ({ term: 'particle in a box energy', limit: 5 })],
      [
        'svc_compute',
        ([found = {}]) => {
          const [{ domain, id }] = found.rows as [Json];
          return { domain, operators: [id], inputs: { n: 3, m: 9.1093837139e-31, L: 2.5e-9 } };
        },
      ],
    ],
    expected: { ok: true, operator_id: 'QM5', unit: 'J' },
  },
  {
    name: 'levels of a potential of its own',
    steps: [
      [
        'svc_schrodinger',
        () => ({ potential: 'custom', expression: '0.5*x^2 + 0.1*x^4', xmin: -6, xmax: 6, states: 3 }),
      ],
    ],
    expected: { ok: true, solver: 'schrodinger', converged: true },
  },
  {
    name: 'a pendulum as a differential equation',
    steps: [['svc_unified', () => ({ equations: PENDULUM, t_end: 10, outputs: 'theta' })]],
    expected: { ok: true, solver: 'unified', converged: true },
  },
  {
    name: 'compute and verify the receipt',
    steps: [heat, ['svc_verify', (answers) => ({ receipt: receiptOf(answers) })]],
    expected: { ok: true, valid: true, kind: 'computation' },
  },
  {
    name: 'compute and replay the receipt',
    steps: [
      heat,
      ['svc_http', (answers) => ({ method: 'POST', path: '/api/svc/replay', body: { receipt: receiptOf(answers) } })],
    ],
    expected: { ok: true, status: 200, body: expect.objectContaining({ ok: true, equal: true }) },
  },
  {
    name: 'deploy a contract and let an event fire it',
    steps: [
      ['svc_contract_templates', () => ({})],
      ['svc_spin_up', () => ({ displayName: 'gate' })],
      ['svc_contract_deploy', () => ({ templateId: 'rate-limiter', parameters: { threshold: 1 } })],
      ...[1, 2].map(
        (): Step => [
          'svc_http',
          (answers) => {
            const { slug } = at(answers, 1).machine as Json;
            return { method: 'POST', path: `/api/chain/${slug}/event`, body: { name: 'request' } };
          },
        ],
      ),
      ['svc_contract_get', (answers) => ({ id: contractId(answers) })],
    ],
    expected: { ok: true, contract: expect.objectContaining({ currentState: 'limiting', fire_count: 1 }) },
  },
  {
    name: 'spin up a machine and watch it',
    steps: [
      ['svc_spin_up', () => ({})],
      ['svc_observer', () => ({ limit: 5 })],
    ],
    expected: { ok: true, feed: 'own' },
  },
  {
    name: 'find a route and call it',
    steps: [
      ['svc_api_catalog', () => ({ q: 'operators', method: 'GET' })],
      ['svc_http', () => ({ method: 'GET', path: '/api/svc/operators/QM5' })],
    ],
    expected: { ok: true, status: 200 },
  },
  {
    name: 'correct a wrong argument',
    steps: [['svc_heat', () => ({ nx: 4, alhpa: 1e-4 })], heat],
    expected: { ok: true, solver: 'heat' },
  },
];

interface Count {
  readonly written: number;
  readonly text: number;
  readonly structure: number;
}

const lengthOf = (value: unknown) => JSON.stringify(value).length;
/** All content that a client may show: text and links. */
const textOf = ({ content }: ToolResult) =>
  content.reduce((sum, item) => sum + (item.type === 'text' ? (item.text ?? '').length : lengthOf(item)), 0);

async function carryOut({ name, steps, expected }: Task): Promise<Count> {
  const answers: Json[] = [];
  const counted = { written: 0, text: 0, structure: 0 };
  for (const [tool, input] of steps) {
    const given = input(answers);
    const answer = await mcp.call(tool, given, { key: service.keys.admin });
    counted.written += lengthOf(given);
    counted.text += textOf(answer);
    counted.structure += lengthOf(answer.structuredContent);
    answers.push(answer.structuredContent);
  }
  expect(at(answers, -1), name).toMatchObject(expected);
  return counted;
}

const PIN = fileURLToPath(new URL('transcripts.json', import.meta.url));

/** The shift of the metric, about 130 characters, stands only in computations of odd ticks. */
const VARYING = 150;

/** Lengths of clock readings, fractions and ports differ from run to run, so a count near the pinned one is that. */
function nearPinned(counts: Readonly<Record<string, Count>>): Readonly<Record<string, Count>> {
  const pinned = existsSync(PIN) ? (JSON.parse(readFileSync(PIN, 'utf8')) as Record<string, Count>) : {};
  const near = (count: number, before = count) =>
    Math.abs(count - before) <= 0.03 * before + VARYING ? before : count;
  return mapValues(counts, ({ written, text, structure }, name) => {
    const before = pinned[name];
    return {
      written: near(written, before?.written),
      text: near(text, before?.text),
      structure: near(structure, before?.structure),
    };
  });
}

test('characters of ten tasks', async () => {
  const list = lengthOf((await mcp.result('2026-07-28', 'tools/list')).tools);
  const counts: Record<string, Count> = { 'tools/list': { written: 0, text: list, structure: 0 } };
  for (const task of TASKS) counts[task.name] = await carryOut(task);
  expect(Object.keys(counts)).toHaveLength(11);
  await expect(`${JSON.stringify(nearPinned(counts), null, 2)}\n`).toMatchFileSnapshot(PIN);
});
