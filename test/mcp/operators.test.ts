// Search for operators and domains over MCP: no key, and results that fit into a context.

import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { DOMAINS } from '../../src/operators/find-domain.ts';
import { startService } from '../http/service-fixture.ts';
import { type Generation, RpcClient } from './rpc-client.ts';

const service = await startService();
const mcp = new RpcClient(service.running.url);
const GENERATIONS: readonly Generation[] = ['2025-11-25', '2026-07-28'];

interface Hit {
  readonly id: string;
  readonly domain: string;
  readonly prefix: string;
  readonly tier: number;
  readonly equation: string;
  readonly accepted: Readonly<Record<string, string>>;
}

describe.each(GENERATIONS)('%s', (generation) => {
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { structuredContent, content, isError } = await mcp.call(name, given, { generation });
    return { answer: structuredContent, bytes: Buffer.byteLength(content[0]?.text ?? ''), isError };
  };

  test('a hit can be computed directly, with the value of the registry', async () => {
    const { answer, isError } = await call('svc_find_operator', { term: 'particle in a box energy', limit: 3 });
    expect(isError).toBeUndefined();
    const [hit] = answer.rows as Hit[];
    expect(hit).toMatchObject({ id: 'QM5', prefix: 'QM', tier: 1, accepted: { n: '1', m: 'kg', L: 'm' } });
    const inputs = { n: 3, m: 9.1093837139e-31, L: 2.5e-9 };
    expect(Object.keys(inputs)).toEqual(Object.keys(hit?.accepted ?? {}));
    const computed = await mcp.call(
      'svc_compute',
      { domain: hit?.domain, operators: [hit?.id], inputs },
      { generation, key: service.keys.write },
    );
    // mpmath, 40 digits, as the registry's example.
    expect(computed.structuredContent.value).toBeCloseTo(8.675521047412691e-20, 30);
  });

  test('forty hits, and every domain, fit into a result without truncation', async () => {
    const found = await call('svc_find_operator', { term: 'energy temperature speed pressure', limit: 40 });
    expect(found.answer).toMatchObject({ count: 40 });
    const answers = [found, await call('svc_list_operators'), await call('svc_science_domains')];
    for (const { prefix } of DOMAINS) answers.push(await call('svc_list_operators', { domain: prefix }));
    for (const { answer, bytes } of answers) {
      expect(bytes).toBeLessThanOrEqual(LIMITS.toolResultBytes);
      expect(answer.complete).not.toBeTypeOf('object');
    }
    expect(answers.slice(1, 3).map(({ answer }) => answer.count)).toEqual([67, 67]);
  });

  test('svc_domain_match returns five matches by default, with a note that a match is not a proof', async () => {
    const { answer } = await call('svc_domain_match', { text: 'energy of a wave in a heated fluid' });
    expect(answer).toMatchObject({ ok: true, count: 5, note: expect.stringContaining('not a proof') });
  });

  test.each([
    ['svc_find_operator', {}, 'VALIDATION_FAILED', 'term is missing'],
    ['svc_find_operator', { term: 'wave', limit: 41 }, 'VALIDATION_FAILED', 'at most 40'],
    ['svc_find_operator', { trem: 'wave' }, 'VALIDATION_FAILED', 'Did you mean term?'],
    ['svc_list_operators', { domain: 'Alchemy' }, 'DOMAIN_UNKNOWN', 'the nearest are'],
    ['svc_science_domains', { domain: 'QM' }, 'VALIDATION_FAILED', 'Unknown field'],
    ['svc_domain_match', {}, 'VALIDATION_FAILED', 'at least one of them'],
    ['svc_domain_match', { id: 'QM55' }, 'OPERATOR_UNKNOWN', 'Did you mean EM55?'],
    ['svc_domain_match', { text: 'beam', limit: 13 }, 'VALIDATION_FAILED', 'at most 12'],
  ])('%s with %j is refused as %s', async (name, given, code, words) => {
    const { content, structuredContent, isError } = await mcp.call(name, given, { generation });
    expect([isError, structuredContent.code]).toEqual([true, code]);
    expect(content[0]?.text).toContain(words);
  });
});
