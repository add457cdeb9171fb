import { describe, expect, test } from 'vitest';
import { sameDimension } from '../../src/core/units.ts';
import { findOperator, OPERATORS } from '../../src/operators/load.ts';
import { relatedLaws } from '../../src/operators/related.ts';
import { unitOf } from '../../src/operators/unit-table.ts';

const relatedTo = (id: string) => relatedLaws(findOperator(id), OPERATORS.values());

describe('related laws', () => {
  test('give what a law needs, need what it gives, give the same, or use the same', () => {
    const of = (id: string) => relatedTo(id).map(({ id: other, relation, symbols }) => [other, relation, ...symbols]);
    expect(of('CM9')).toContainEqual(['CM46', 'gives', 'v']);
    expect(of('CM1')).toContainEqual(['CM12', 'needs', 'F']);
    expect(of('HT19')).toContainEqual(['HT20', 'same', 'Nu']);
    expect(of('HT5')).toContainEqual(['HT41', 'shares', 'm', 'c']);
  });

  test('are at most six others, whose quantities have the symbol and the dimension', () => {
    let count = 0;
    for (const law of OPERATORS.values()) {
      const related = relatedTo(law.id);
      count += related.length;
      expect(related.length).toBeLessThanOrEqual(6);
      expect(new Set([law.id, ...related.map(({ id }) => id)]).size).toBe(related.length + 1);
      for (const { id, relation, symbols } of related) {
        const other = findOperator(id);
        const [own, its] = [{ ...law.inputs, [law.output.symbol]: law.output }, other.inputs];
        for (const symbol of symbols) {
          const unit = relation === 'gives' || relation === 'same' ? other.output.unit : its[symbol]?.unit;
          const [a, b] = [own[symbol]?.unit, unit].map((text) => unitOf(text ?? 'K').dimension);
          if (a !== undefined && b !== undefined) expect(sameDimension(a, b), `${law.id} ${id}`).toBe(true);
        }
      }
    }
    expect(count).toBeGreaterThan(1_000);
  });
});
