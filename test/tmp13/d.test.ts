import { createHash } from 'node:crypto';
import { test } from 'vitest';
import { searchOperators } from '../../src/operators/search.ts';
import { answerOf } from '../dispatch/questions.ts';
import plain from '../dispatch/questions-plain.json' with { type: 'json' };
import everyday from '../dispatch/questions-everyday.json' with { type: 'json' };
const isOdd = (q: string) => (createHash('sha256').update(q).digest()[0] ?? 0) % 2 === 1;
test('x', () => {
  for (const { query, answered, search, found } of everyday.questions as any[]) {
    const o = answerOf({ query, target: null });
    const id = o.kind === 'chosen' ? o.dispatch.target.id + (o.dispatch.unused.length ? ` unused ${o.dispatch.unused}` : '') : `refused ${o.refusal.reason} ${o.refusal.nearest?.target.id ?? ''}`;
    const f = searchOperators(search, 3).operators.map((x: any) => x.id).join(' ');
    console.log(`E ${o.kind === 'chosen' && !(answered ?? []).includes(o.dispatch.target.id) ? 'WRONG' : ''} ${id} | ${answered} | ${query} || ${f} want ${found} for "${search}"`);
  }
  for (const { query, target } of plain.questions) {
    const held = isOdd(query);
    if (held && process.env.HELD !== '1') continue;
    if (!held && process.env.HELD === '1') continue;
    const o = answerOf({ query, target });
    const id = o.kind === 'chosen' ? o.dispatch.target.id + (o.dispatch.unused.length ? ` unused ${o.dispatch.unused}` : '') : `refused ${o.refusal.reason} ${o.refusal.nearest?.target.id ?? ''}`;
    console.log(`P ${o.kind === 'chosen' && o.dispatch.target.id !== target ? 'WRONG' : ''} ${id} | ${target} | ${query}`);
  }
});
