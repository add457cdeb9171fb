// Guards of a few hundred characters whose types took time that doubles with each summand or bracket: one deployment of
// 400 characters stopped a node for ever. Work is counted in reads of names.

import { describe, expect, test } from 'vitest';
import { compileTyped, DATA_SYNTAX, type Type, type Types } from '../../src/contracts/typed-expressions.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { ownMachines } from '../http/machine-fixture.ts';
import { startService } from '../http/service-fixture.ts';

class CountedNames extends Map<string, Type> {
  reads = 0;
  override get(name: string): Type | undefined {
    this.reads++;
    return super.get(name);
  }
}

const SHAPES: readonly (readonly [string, Type, (levels: number) => string])[] = [
  ['a sum', 'number', (levels) => Array(levels).fill('x').join('+')],
  ['a sum to the right', 'number', (levels) => `${'(x+'.repeat(levels)}x${')'.repeat(levels)}`],
  ['a sum of money', 'money<EUR>', (levels) => Array(levels).fill('x').join('-')],
  ['negations', 'number', (levels) => `${'-('.repeat(levels)}x${')'.repeat(levels)}`],
  ['absolute values', 'number', (levels) => `${'abs('.repeat(levels)}x${')'.repeat(levels)}`],
  ['minima of money', 'money<EUR>', (levels) => `${'min(x,'.repeat(levels)}x${')'.repeat(levels)}`],
  ['portions', 'money<EUR>', (levels) => `${'portion('.repeat(levels)}x${',1,2)'.repeat(levels)}`],
];

describe.each(SHAPES)('%s', (_, type, textOf) => {
  const readsOf = (levels: number) => {
    const names = new CountedNames([['x', type]]);
    compileTyped(textOf(levels), names as Types, undefined, undefined, DATA_SYNTAX);
    return names.reads;
  };

  test('costs as much per level when nested deeper', () => {
    const [few, many] = [readsOf(6), readsOf(12)];
    expect(few).toBeGreaterThan(0);
    expect(many).toBeLessThan(few * 4);
  });
});

test('the longest sums are deployed, and no request waits for them', async () => {
  const service = await startService();
  const own = ownMachines(service, 'nested');
  const slug = await own.machine();
  const levels = LIMITS.expression.depth - 4;
  const guard = `${Array(levels).fill('n').join('+')} < 0`;
  const transition = (i: number) => ({
    id: `t${i}`,
    from: 'a',
    to: 'b',
    operator: 'KO42',
    proof: false,
    trigger: { kind: 'event', event: 'push' },
    fires_when: guard,
  });
  const definition = {
    name: 'sums',
    version: '1.0',
    operators: ['KO42'],
    initial: 'a',
    context: { n: { type: 'number', initial: 0 } },
    events: { push: {} },
    states: { a: { role: 'initial' }, b: { role: 'terminal', outcome: 'success' } },
    transitions: Array.from({ length: 16 }, (_, i) => transition(i)),
  };
  await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition }, 201);
});
