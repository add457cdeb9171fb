// Tool answers as a model reads them: sentences to quote, and a structure without proofs and long arrays.

import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { sentencesOf, summaryText } from '../../src/mcp/summary.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { arraySha256 } from '../../src/protocol/array-digest.ts';
import { verifyEnvelope } from '../../src/protocol/replay.ts';
import { withShortArrays } from '../../src/protocol/short-arrays.ts';
import { startService } from '../http/service-fixture.ts';
import { RpcClient } from './rpc-client.ts';

const service = await startService();
const { url } = service.running;
const mcp = new RpcClient(url);
const { admin, other } = service.keys;

type Json = Record<string, unknown>;

async function call(tool: string, given: Json = {}, key = admin) {
  const { content, structuredContent, isError } = await mcp.call(tool, given, { key });
  return { text: content[0]?.text ?? '', content, structure: structuredContent, isError };
}

const { toolSummaryCharacters: max, toolNumbers } = LIMITS;

/** Fields of a computation that the specification names. */
const SPECIFIED = [
  ...['operatorChain', 'masterSum', 'R_t', 'phase', 'svcond', 'svcProof', 'precisionBound', 'value', 'unit'],
  ...['uncertainty', 'operator_id', 'equations', 'master_sum', 'series', 'quantities', 'E', 'errorPct'],
];

test('every tool has sentences of its own', () => {
  const tools = OPERATIONS.filter(({ mcp: tool }) => tool !== undefined);
  expect(tools.length).toBeGreaterThan(20);
  for (const { name, brief } of tools) expect(brief, name).toBeDefined();
});

describe('a computation', () => {
  const plate = { nx: 16, ny: 16, alpha: 1e-4, lx: 0.2, ly: 0.2 };

  test('is a text that names solver, value ± unit, check, inputs with units, and the receipt', async () => {
    const { text, structure } = await call('svc_heat', plate);
    expect(text.length).toBeLessThanOrEqual(max);
    const { value, unit, complete } = structure as { value: number; unit: string; complete: { href: string } };
    expect(text).toMatch(/^Heat conduction in a rod or plate \(heat\): /);
    for (const part of [`${value} ${unit} (≈ `, ' ± ', 'Converged.', 'Checked a second way: ', 'alpha = 0.0001 m^2/s'])
      expect(text).toContain(part);
    expect(text.endsWith(`Receipt: ${complete.href}`)).toBe(true);
  });

  test('of a law names the law and its equation', async () => {
    const inputs = { n: 3, m: 9.1093837139e-31, L: 2.5e-9 };
    const { text } = await call('svc_compute', { domain: 'QM', operators: ['QM5'], inputs });
    expect(text).toMatch(/^E = 8\.67552\d+e-20 J /);
    expect(text).toContain('Law QM5 (Particle-in-a-box eigenenergy): E = n^2*pi^2*hbar^2/(2*m*L^2).');
    expect(text).toContain('Inputs: n = 3, m = 9.1093837139e-31 kg, L = 2.5e-9 m.');
  });

  test('that the gate refused names the accepted keys, and has no receipt', async () => {
    const { text, structure } = await call('svc_compute', { domain: 'QM', operators: ['QM5'], inputs: { mm: 1 } });
    expect(text).toMatch(/^No number, .* mm\. Accepted keys: /);
    expect(structure).not.toHaveProperty('complete');
  });

  test('keeps every field that the specification names, and its link has the sealed rest', async () => {
    const { structure, content } = await call('svc_heat', plate);
    for (const name of SPECIFIED) expect(structure, name).toHaveProperty(name);
    for (const name of ['runs', 'outcomes', 'definitions', 'seal', 'plots']) expect(structure).not.toHaveProperty(name);
    const { href } = structure.complete as { href: string };
    expect(content[1]).toMatchObject({ type: 'resource_link', uri: href });
    const envelope = (await (await fetch(href)).json()) as Json;
    expect(verifyEnvelope(envelope).filter(({ ok }) => !ok)).toEqual([]);
    expect(envelope.value).toBe(structure.value);
  });

  test('has at most 64 numbers of series and fields inline; a pointer says where the others are', async () => {
    const { structure } = await call('svc_heat', plate);
    const { href } = structure.complete as { href: string };
    const envelope = (await (await fetch(href)).json()) as Json;
    const arrays = [structure.series, structure.fields].flat() as {
      data?: number[];
      pointer?: string;
      sha256: string;
    }[];
    expect(arrays.flatMap(({ data = [] }) => data).length).toBeLessThanOrEqual(toolNumbers);
    const linked = arrays.filter(({ pointer }) => pointer !== undefined);
    expect(linked.length).toBeGreaterThan(2);
    for (const { pointer = '', sha256 } of linked) {
      const numbers = pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((at, key) => (at as Json)[key], envelope);
      expect(arraySha256(Float64Array.from(numbers as number[])), pointer).toBe(sha256);
    }
  });

  test('is complete as text and structure with detail full', async () => {
    const { text, structure } = await call('svc_heat', { dim: 1, nx: 8, steps: 3, detail: 'full' });
    expect(JSON.parse(text)).toEqual(structure);
    expect(structure).toHaveProperty('runs');
    expect(verifyEnvelope(structure).filter(({ ok }) => !ok)).toEqual([]);
    const unknown = await call('svc_heat', { detail: 'all' });
    expect([unknown.isError, unknown.text]).toEqual([true, expect.stringContaining('summary, full')]);
  });

  test('without a key is not stored, so its structure is whole', async () => {
    const body = { domain: 'QM', operators: ['QM5'], inputs: { n: 3, m: 9.1e-31, L: 2.5e-9 } };
    const given = { method: 'POST', path: '/api/playground/compute', body };
    const { content, structuredContent } = await mcp.call('svc_http', given);
    expect(structuredContent).not.toHaveProperty('complete');
    expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/^E = 8\.68/) }]);
    expect(verifyEnvelope(structuredContent.body as Json).filter(({ ok }) => !ok)).toEqual([]);
  });

  test('that is filed can be verified by its run id, by its own account only', async () => {
    const { structure } = await call('svc_heat', { ...plate, folder: 'plates' });
    const { run_id: id } = structure;
    for (const receipt of [id, `${url}/api/svc/runs/${id}`])
      expect((await call('svc_verify', { receipt })).structure).toMatchObject({ valid: true });
    expect(await call('svc_verify', { receipt: id }, other)).toMatchObject({
      isError: true,
      structure: { code: 'RUN_NOT_FOUND' },
    });
  });
});

test('a solver is described by a resource at the same address over HTTP', async () => {
  const uri = `${url}/api/svc/solvers/heat`;
  const read = await mcp.result('2026-07-28', 'resources/read', { uri });
  const [{ text = '' } = {}] = read.contents as { text?: string }[];
  expect(JSON.parse(text)).toEqual(await (await fetch(uri)).json());
  const { solver } = JSON.parse(text) as { solver: { inputs: { properties: Json } } };
  expect(solver.inputs.properties.alpha).toMatchObject({ unit: 'm^2/s', default: 1 });
  expect(solver.inputs.properties.nx).toMatchObject({ minimum: 8, maximum: 128 });
  const { resourceTemplates } = await mcp.result('2026-07-28', 'resources/templates/list');
  expect(resourceTemplates).toContainEqual(expect.objectContaining({ uriTemplate: `${url}/api/svc/solvers/{solver}` }));
  const missing = await service.call('GET /api/svc/solvers/heet');
  expect([missing.status, missing.json().error]).toEqual([404, expect.stringContaining('nearest are heat')]);
  // Nothing is near: the list does not end in nothing.
  const strange = await service.call('GET /api/svc/solvers/nosuch');
  expect(strange.json().error).toMatch(/^No solver has the id nosuch\. The nearest are [a-z]+, [a-z]+, [a-z]+\.$/);
});

/** A door that its keeper opens. */
const SHARED_DOOR = {
  name: 'shared_door',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'closed',
  parties: { keeper: {} },
  events: { push: { from: 'keeper' } },
  states: { closed: { role: 'initial' }, open: { role: 'terminal' } },
  transitions: [
    {
      id: 'open',
      from: 'closed',
      to: 'open',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'push' },
    },
  ],
};

test('every tool of the list answers with at most 800 characters', async () => {
  const given: Readonly<Record<string, Json>> = {
    svc_find_operator: { term: 'energy', limit: 40 },
    svc_list_operators: { domain: 'QM' },
    svc_domain_match: { text: 'heat in a beam', limit: 12 },
    svc_api_catalog: { limit: 200 },
    svc_contract_check: { definition: SHARED_DOOR },
    svc_contract_generate: { query: 'every day at 09:00 Europe/Berlin emit report' },
    svc_compute: { domain: 'QM', operators: ['QM5'], inputs: { n: 3, m: 9.1e-31, L: 2.5e-9 } },
    svc_http: { method: 'GET', path: '/openapi.json' },
    svc_contract_deploy: { templateId: 'circuit-breaker' },
    svc_evolve: { N: 32, steps: 50 },
    svc_auto: { query: 'kinetic energy of 1200 kg at 30 m/s' },
    svc_stream: { solver: 'heat', input: { nx: 8, ny: 8 } },
  };
  const { machine, zid } = (await call('svc_spin_up')).structure as { machine: Json; zid: string };
  const shared = await call('svc_contract_deploy', { definition: SHARED_DOOR, bindings: { keeper: { zid } } });
  const path = { slug: machine.slug, id: (shared.structure.contract as Json).id };
  const ofParties: Readonly<Record<string, Json>> = {
    svc_contract_parties: path,
    svc_contract_send: { ...path, name: 'push' },
  };
  const deployed = await call('svc_contract_deploy', given.svc_contract_deploy);
  const { id } = deployed.structure.contract as Json;
  const { complete } = (await call('svc_heat', { nx: 8, ny: 8 })).structure as { complete: { href: string } };
  const { tools } = (await mcp.result('2026-07-28', 'tools/list')) as { tools: { name: string }[] };
  for (const { name } of tools) {
    // It needs a proposal, which no tool makes; its answer is one sentence.
    if (name === 'svc_contract_accept') continue;
    const needsId = name === 'svc_contract_get' || name === 'svc_contract_fire';
    const answer = await call(
      name,
      needsId ? { id } : name === 'svc_verify' ? { receipt: complete.href } : (ofParties[name] ?? given[name]),
    );
    expect(answer.isError, `${name}: ${answer.text}`).toBeUndefined();
    expect(answer.text.length, name).toBeLessThanOrEqual(max);
    expect(answer.text, name).toMatch(/^[^{].{20}/);
  }
});

describe('sentences', () => {
  test('are cut between words before the last one, which is always shown', () => {
    const text = summaryText(Array(40).fill('A sentence of nine words that fills the room.'), 'Receipt: here');
    expect(text.length).toBeLessThanOrEqual(max);
    expect(text).toMatch(/\w … \(more with detail "full"\) Receipt: here$/);
  });

  test('hold no control characters and nothing that changes the direction of text', () => {
    expect(summaryText(['a\u0007b\u202ec'])).toBe('a\\u{7}b\\u{202e}c');
  });

  test('of an operation without its own words list its facts, those of the top level first', () => {
    const answer = { ok: true, inner: { state: 'idle' }, key: 'svc_ak_1', rows: [{ id: 1, name: 'a' }, 2, 3, 4] };
    expect(sentencesOf({ summary: 'Make a key.' }, answer).join(' ')).toBe(
      'Make a key. key: svc_ak_1; rows: 4 (1 a, 2, 3, …); inner.state: idle;',
    );
  });
});

test('a long numeric array outside of series and fields becomes its hash and place', () => {
  const positions = Array.from({ length: 30 }, (_, i) => [i, 2 * i, 3 * i]);
  const short = withShortArrays({ inputs: { 'a/b': positions, few: [1, 2] }, value: 1 });
  expect(short).toEqual({
    inputs: {
      'a/b': { numbers: 90, sha256: arraySha256(Float64Array.from(positions.flat())), pointer: '/inputs/a~1b' },
      few: [1, 2],
    },
    value: 1,
  });
});
