// Listing and searching operators and domains over HTTP.

import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { DOMAINS } from '../../src/operators/find-domain.ts';
import { findOperator, OPERATORS } from '../../src/operators/load.ts';
import { relatedLaws } from '../../src/operators/related.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
const get = async (path: string) => {
  const answer = await service.call(`GET ${path}`);
  return { status: answer.status, body: answer.json() };
};
const rowsOf = ({ rows }: Json) => rows as Json[];
const search = (term: string, more = '') => get(`/api/svc/operators/search?term=${encodeURIComponent(term)}${more}`);

describe('GET /api/svc/operators', () => {
  test('lists all 67 domains with how many operators each has, and whether it is complete', async () => {
    const { status, body } = await get('/api/svc/operators');
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, count: 67, operators: OPERATORS.size, budget: 1_654 });
    expect(rowsOf(body).map(({ prefix }) => prefix)).toEqual(DOMAINS.map(({ prefix }) => prefix));
    for (const row of rowsOf(body)) {
      const own = [...OPERATORS.values()].filter(({ prefix }) => prefix === row.prefix);
      expect(row.operators, String(row.prefix)).toBe(own.length);
      expect(row.complete, String(row.prefix)).toBe(own.length >= Number(row.budget));
    }
    expect(rowsOf(body).find(({ prefix }) => prefix === 'QM')).toEqual({
      prefix: 'QM',
      name: 'Quantum Mechanics',
      operators: 28,
      budget: 28,
      complete: true,
    });
  });

  test.each(['QM', 'qm', 'Quantum Mechanics', 'quantum-mechanics'])('lists the operators of %s', async (domain) => {
    const { status, body } = await get(`/api/svc/operators?domain=${encodeURIComponent(domain)}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, prefix: 'QM', name: 'Quantum Mechanics', operators: 28, complete: true });
    expect(rowsOf(body)).toHaveLength(28);
    expect(rowsOf(body)[4]).toEqual({
      id: 'QM5',
      name: 'Particle-in-a-box eigenenergy',
      domain: 'Quantum Mechanics',
      prefix: 'QM',
      tier: 1,
      equation: 'E = n^2*pi^2*hbar^2/(2*m*L^2)',
      accepted: { n: '1', m: 'kg', L: 'm' },
      output: { symbol: 'E', unit: 'J' },
    });
  });

  test('an alias resolves to its domain, and an unwritten domain is empty', async () => {
    expect((await get('/api/svc/operators?domain=Molecular%20Docking')).body).toMatchObject({ prefix: 'PHA' });
    const open = DOMAINS.find(({ operators }) => operators.length === 0);
    if (open === undefined) return;
    const { status, body } = await get(`/api/svc/operators?domain=${open.prefix}`);
    expect([status, body.operators, body.complete, body.rows]).toEqual([200, 0, false, []]);
  });

  test('an unknown domain is rejected with the three nearest', async () => {
    const { status, body } = await get('/api/svc/operators?domain=Quantum%20Chemistry');
    expect([status, body.code]).toEqual([404, 'DOMAIN_UNKNOWN']);
    const nearest = body.nearest as { prefix: string; name: string }[];
    expect(nearest).toHaveLength(3);
    for (const { prefix, name } of nearest) expect(String(body.error)).toContain(`${name} (${prefix})`);
    expect(nearest.map(({ prefix }) => prefix)).toContain('QM');
  });
});

describe('GET /api/svc/operators/{id}', () => {
  test('returns the complete record of an operator, with the values of its constants', async () => {
    const { status, body } = await get('/api/svc/operators/QM5');
    expect(status).toBe(200);
    expect(body.operator).toEqual({
      ...OPERATORS.get('QM5'),
      domain: 'Quantum Mechanics',
      related: relatedLaws(findOperator('QM5'), OPERATORS.values()),
      constants: {
        hbar: { value: 1.0545718176461565e-34, unit: 'J*s', note: 'CODATA 2022, reduced Planck constant' },
      },
    });
  });

  test('every operator matches the schema', async () => {
    for (const id of OPERATORS.keys()) {
      const { status, body } = await get(`/api/svc/operators/${id}`);
      expect([status, (body.operator as Json).id]).toEqual([200, id]);
    }
    // Answers are checked against their schemas in every test; a misfit is logged.
    expect(service.produced.filter((line) => line.includes('does not fit its schema'))).toEqual([]);
  });

  test('an unknown id is rejected with the nearest ids', async () => {
    const { status, body } = await get('/api/svc/operators/QM99');
    expect([status, body.code]).toEqual([404, 'OPERATOR_UNKNOWN']);
    expect(body.nearest).toHaveLength(3);
    expect(body.error).toContain(`Did you mean ${(body.nearest as string[])[0]}?`);
    expect((await get('/api/svc/operators/qm5')).body.error).toContain('Did you mean QM5?');
    for (const id of ['__proto__', 'search%20', '%F0%9F%92%A5'])
      expect((await get(`/api/svc/operators/${id}`)).body.code, id).toBe('OPERATOR_UNKNOWN');
  });
});

describe('GET /api/svc/operators/search', () => {
  test('finds by id, name, symbol and formula, the best first', async () => {
    for (const [term, first] of [
      ['qm5', 'QM5'],
      ['particle in a box', 'QM5'],
      ['n^2*pi^2*hbar^2', 'QM5'],
      ['Coulomb force', 'EM1'],
      ['energy of a photon', 'QM1'],
    ] as const)
      expect(rowsOf((await search(term)).body)[0]?.id, term).toBe(first);
  });

  test('returns 12 rows by default, up to 40 on request', async () => {
    const { body } = await search('energy temperature speed');
    expect([body.count, rowsOf(body).length]).toEqual([12, 12]);
    expect(body.total).toBeGreaterThan(40);
    const more = (await search('energy temperature speed', '&limit=40')).body;
    expect(rowsOf(more)).toHaveLength(40);
    expect(rowsOf(more).slice(0, 12)).toEqual(rowsOf(body));
    for (const limit of ['0', '41', '1.5', 'all'])
      expect((await search('energy temperature speed', `&limit=${limit}`)).status, limit).toBe(422);
  });

  test('reports the correction of a misspelt word', async () => {
    const { body } = await search('oscilator');
    expect(body.read_as).toEqual({ oscilator: ['oscillator'] });
    expect(rowsOf(body)[0]?.name).toMatch(/oscillator/i);
  });

  test('needs a term, and one that is not too long', async () => {
    for (const path of ['', '?term=', `?term=${'a'.repeat(LIMITS.search.characters + 1)}`]) {
      const { status, body } = await get(`/api/svc/operators/search${path}`);
      expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED']);
      expect(body.error).toContain('term');
    }
    expect((await search('qqqqqq')).body).toEqual({ ok: true, matches: {}, count: 0, total: 0, rows: [] });
  });
});

describe('GET /api/svc/operators/search with a domain', () => {
  test.each(['QM', 'qm', 'Quantum Mechanics'])('finds only its operators: %s', async (domain) => {
    const all = rowsOf((await search('energy', '&limit=40')).body);
    const { status, body } = await search('energy', `&limit=40&domain=${encodeURIComponent(domain)}`);
    expect(status).toBe(200);
    const rows = rowsOf(body);
    expect(new Set(rows.map(({ domain: name }) => name))).toEqual(new Set(['Quantum Mechanics']));
    expect(body.total).toBe(rows.length);
    const kept = all.filter((row) => row.domain === 'Quantum Mechanics').map(({ id }) => id);
    expect(rows.map(({ id }) => id).filter((id) => kept.includes(id))).toEqual(kept);
  });

  test.each([
    ['Quantum Mechanic', 'Quantum Mechanics (QM)'],
    ['Alchemy', 'the nearest are'],
    ['', 'at least 1 character is'],
    ['toString', 'the nearest are'],
  ])('rejects the unknown domain %j', async (domain, hint) => {
    const { status, body } = await search('energy', `&domain=${encodeURIComponent(domain)}`);
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(body.error).toContain(`domain is ${JSON.stringify(domain)}`);
    expect(body.error).toContain(hint);
    expect((body.details as Json[])[0]).toMatchObject({ path: 'domain' });
  });
});

describe('filters with known values', () => {
  test.each([
    ['/api/svc/runs?solver=heet', 'solver is "heet"', 'perhaps heat'],
    ['/api/contracts/templates?category=Reliability%20enginering', 'category is', 'perhaps Reliability engineering'],
    ['/api/contracts/templates?category=', 'category is ""', 'one of '],
    ['/api/endpoints?auth=keys', 'auth is "keys"', 'perhaps key'],
    ['/api/contracts?status=activ', 'status is "activ"', 'perhaps active'],
    ['/api/chain/recent?type=evnt', 'type is "evnt"', 'perhaps event'],
  ])('%s is rejected with the allowed values', async (path, given, hint) => {
    const answer = await service.call(`GET ${path}`, { as: 'admin' });
    expect([answer.status, answer.json().code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(answer.json().error).toContain(given);
    expect(answer.json().error).toContain(hint);
  });

  test('every solver that files runs, and every category of a template, can be asked for', async () => {
    for (const solver of ['compute', ...SOLVERS.map(({ id }) => id)])
      expect((await service.call(`GET /api/svc/runs?solver=${solver}`, { as: 'admin' })).status, solver).toBe(200);
    const templates = rowsOf((await get('/api/contracts/templates')).body);
    for (const { category } of templates) {
      const { status, body } = await get(`/api/contracts/templates?category=${encodeURIComponent(String(category))}`);
      expect([status, rowsOf(body)]).toEqual([200, templates.filter((template) => template.category === category)]);
    }
  });
});

describe('GET /api/svc/domains', () => {
  test('returns scope, completeness and solvers of every domain', async () => {
    const { body } = await get('/api/svc/domains');
    expect(body.count).toBe(67);
    const rows = rowsOf(body);
    expect(rows.map(({ description }) => description)).toEqual(DOMAINS.map(({ description }) => description));
    // One composes laws of several domains and is filed under none.
    const filed = SOLVERS.map(({ id }) => id).filter((id) => id !== 'unified');
    expect(rows.flatMap(({ solvers }) => solvers as string[]).sort()).toEqual(filed.sort());
    expect(rows.find(({ prefix }) => prefix === 'CHE')).toMatchObject({
      aliases: ['Thermal Diffusion'],
      solvers: ['heat'],
    });
  });
});

describe('GET /api/svc/domains/match', () => {
  const match = (query: string) => get(`/api/svc/domains/match?${query}`);

  test('ranks domains by shared terms, and states its limits', async () => {
    const { status, body } = await match(`text=${encodeURIComponent('deflection of a cantilever beam')}`);
    expect(status).toBe(200);
    expect(body.note).toMatch(/^Term overlap only/);
    expect(rowsOf(body)).toHaveLength(5);
    expect(rowsOf(body)[0]).toMatchObject({ prefix: 'STR', terms: ['cantilever', 'beam', 'deflection'] });
    const scores = rowsOf(body).map(({ score }) => Number(score));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test('uses the text of an operator by its id', async () => {
    const { body } = await match('id=BLACK_SCHOLES&limit=1');
    expect(rowsOf(body).map(({ prefix }) => prefix)).toEqual(['FIN']);
    expect((await match('id=FIN999')).body).toMatchObject({ code: 'OPERATOR_UNKNOWN', nearest: expect.any(Array) });
  });

  test('needs a text or an id, and a limit from 1 to 12', async () => {
    const { status, body } = await match('');
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(body.details).toMatchObject([{ path: 'text', code: 'MISSING' }]);
    for (const limit of [0, 13]) expect((await match(`text=beam&limit=${limit}`)).status).toBe(422);
    expect(rowsOf((await match('text=energy&limit=12')).body)).toHaveLength(12);
  });

  test('takes a whole abstract with QUERY', async () => {
    const text = 'We measure the overpotential of an electrode. '.repeat(150);
    const answer = await service.call('QUERY /api/svc/domains/match', { json: { text, limit: 1 } });
    expect(rowsOf(answer.json())[0]?.name).toBe('Electrochemistry');
  });
});
