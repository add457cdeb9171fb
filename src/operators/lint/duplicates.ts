// Duplicates: laws that are the same function, or differ in literals only.
//
// A domain must not have one function twice. Across domains a duplicate needs `analogOf` with a reason. Laws that
// differ in literals only need `variantOf` with a reason. The numbers of variants and analogs are limited.

import { groupBy } from '../../core/group-by.ts';
import { budgetOf, type Worklist } from '../worklist.ts';
import { ColourNames } from './colouring.ts';
import { type Diagnostic, error, warning } from './diagnostic.ts';
import type { Evaluator } from './evaluator.ts';
import { findEquivalentPairs } from './numeric-identity.ts';
import type { PreparedOperator } from './prepared-operator.ts';
import { shapeOf } from './shape.ts';

const MAX_VARIANTS_OF_ONE = 3;
const MAX_VARIANTS = 0.1;
const MAX_ANALOGS = 0.02;

export interface DuplicateDiagnostic {
  readonly prepared: PreparedOperator;
  readonly check: 'shape' | 'numeric identity' | 'variants';
  readonly diagnostic: Diagnostic;
  /** The other operator of the pair. */
  readonly base: PreparedOperator | undefined;
}

interface Match {
  readonly base: PreparedOperator;
  readonly prepared: PreparedOperator;
  readonly isIdentical: boolean;
  readonly check: 'shape' | 'numeric identity';
}

/** @param operators  of the whole registry, in the order of the worklist */
export function checkDuplicates(
  operators: readonly PreparedOperator[],
  worklist: Worklist,
  evaluator: Evaluator,
): DuplicateDiagnostic[] {
  const matches = findMatches(operators, evaluator);
  return [
    ...firstOfEach(matches.flatMap(diagnose)),
    ...checkLinks(operators, matches),
    ...checkCounts(operators, worklist),
  ];
}

/** A law with several duplicates is reported once. */
function firstOfEach(diagnostics: readonly DuplicateDiagnostic[]): DuplicateDiagnostic[] {
  return [...groupBy(diagnostics, ({ prepared }) => prepared).values()].flatMap(([first]) => first ?? []);
}

/** Each pair once; an identical function takes precedence over an equal shape. */
function findMatches(operators: readonly PreparedOperator[], evaluator: Evaluator): Match[] {
  const colourNames = new ColourNames();
  const shapes = operators.map((prepared) => ({ prepared, shape: shapeOf(prepared, colourNames) }));
  const pairs = (groups: Iterable<readonly { readonly prepared: PreparedOperator }[]>, isIdentical: boolean): Match[] =>
    [...groups].flatMap((group) =>
      group.flatMap(({ prepared: base }, i) =>
        group.slice(i + 1).map(({ prepared }) => ({ base, prepared, isIdentical, check: 'shape' as const })),
      ),
    );
  const dimensional = shapes.filter(({ shape }) => !shape.isDimensionless);
  const all: Match[] = [
    ...pairs(groupBy(shapes, ({ shape }) => shape.exact).values(), true),
    ...findEquivalentPairs(operators, evaluator)
      .map(({ one, other, ratio }) => ({
        base: one,
        prepared: other,
        isIdentical: ratio === 1,
        check: 'numeric identity' as const,
      }))
      .sort((a, b) => Number(b.isIdentical) - Number(a.isIdentical)),
    ...pairs(groupBy(dimensional, ({ shape }) => shape.masked).values(), false),
  ];
  const seen = new Set<string>();
  return all.filter(({ base, prepared }) => {
    const pair = `${base.operator.id} ${prepared.operator.id}`;
    const isNew = !seen.has(pair);
    seen.add(pair);
    return isNew;
  });
}

function diagnose({ base, prepared, isIdentical, check }: Match): DuplicateDiagnostic[] {
  const [first, second] = [base.operator, prepared.operator];
  const isOneDomain = first.prefix === second.prefix;
  const title = `${first.id} (${first.name})`;
  const report = (text: string, fix: string) => [{ prepared, base, check, diagnostic: error(text, fix) }];
  if (isIdentical && isOneDomain) {
    return report(
      `is the same function as ${title}`,
      'A domain must not have one function twice: take the next law of the list.',
    );
  }
  if (isIdentical) {
    if (isLinked(base, prepared, ['analogOf'])) return [];
    const fix = `Give analogOf { id: "${first.id}", reason } if it means different things in the two fields, or take the next law.`;
    return report(`is the same function as ${title} of ${first.prefix}`, fix);
  }
  if (isLinked(base, prepared, isOneDomain ? ['variantOf'] : ['variantOf', 'analogOf'])) return [];
  const how = check === 'shape' ? 'has the shape of' : 'is proportional to';
  const fix = `Give variantOf { id: "${first.id}", reason } if both are laws of their own, or take the next law.`;
  return report(`${how} ${title}: only literals differ`, fix);
}

type Link = 'variantOf' | 'analogOf';

/** One names the other, or both name a third. */
function isLinked(
  { operator: one }: PreparedOperator,
  { operator: other }: PreparedOperator,
  links: readonly Link[],
): boolean {
  const [ones, others] = [one, other].map((operator) => links.flatMap((link) => operator[link]?.id ?? []));
  return (
    ones?.includes(other.id) === true ||
    others?.includes(one.id) === true ||
    ones?.some((id) => others?.includes(id)) === true
  );
}

/** A link names a law of the registry that has no link itself, and the two laws are duplicates or variants. */
function checkLinks(operators: readonly PreparedOperator[], matches: readonly Match[]): DuplicateDiagnostic[] {
  const known = new Map(operators.map((prepared) => [prepared.operator.id, prepared]));
  const alike = new Set(matches.flatMap(({ base, prepared }) => [pairOf(base, prepared), pairOf(prepared, base)]));
  return operators.flatMap((prepared) =>
    (['variantOf', 'analogOf'] as const).flatMap((link): DuplicateDiagnostic[] => {
      const id = prepared.operator[link]?.id;
      if (id === undefined) return [];
      const base = known.get(id);
      const report = (diagnostic: Diagnostic) => [{ prepared, base, check: 'variants' as const, diagnostic }];
      if (base === undefined || base === prepared) {
        return report(
          error(`${link} names ${id}, which is not another operator of the registry`, 'Name the id of the base.'),
        );
      }
      if (base.operator[link] !== undefined) {
        return report(
          error(`${link} names ${id}, which has a ${link} itself`, `Name ${base.operator[link].id}, the base of both.`),
        );
      }
      if (alike.has(pairOf(base, prepared))) return [];
      return report(warning(`${link} names ${id}, but the two are neither equal nor variants`, `Leave ${link} out.`));
    }),
  );
}

const pairOf = (one: PreparedOperator, other: PreparedOperator) => `${one.operator.id} ${other.operator.id}`;

function checkCounts(operators: readonly PreparedOperator[], worklist: Worklist): DuplicateDiagnostic[] {
  const diagnostics: DuplicateDiagnostic[] = [];
  const limit = (those: readonly PreparedOperator[], max: number, text: string, fix: string) => {
    for (const prepared of those.slice(max)) {
      diagnostics.push({
        prepared,
        base: undefined,
        check: 'variants',
        diagnostic: error(`${text} (${those.length} of ${max})`, fix),
      });
    }
  };
  const variants = operators.filter(({ operator }) => operator.variantOf !== undefined);
  const fix = 'Take other laws of the list in place of the last variants.';
  for (const [id, those] of groupBy(variants, ({ operator }) => operator.variantOf?.id ?? '')) {
    limit(those, MAX_VARIANTS_OF_ONE, `too many variants of ${id}`, fix);
  }
  for (const { prefix, budget } of worklist.domains) {
    const own = variants.filter(({ operator }) => operator.prefix === prefix);
    limit(own, Math.floor(MAX_VARIANTS * budget), `too many variants in ${prefix}`, fix);
  }
  const analogs = operators.filter(({ operator }) => operator.analogOf !== undefined);
  limit(analogs, Math.floor(MAX_ANALOGS * budgetOf(worklist)), 'too many analogs in the registry', fix);
  return diagnostics;
}
