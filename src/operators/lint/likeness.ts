// Likeness: what to do with laws that are the same, or the same but for a number.
//
// One function twice in a domain is refused. In two domains it needs `analogOf` with a reason, and such pairs are rare.
// Laws that differ by literals only need `variantOf` with a reason: few for each base, few in each domain.

import { Palette } from './colouring.ts';
import type { Evaluator } from './evaluator.ts';
import { type Complaint, error, warning } from './finding.ts';
import { findTwins } from './identity.ts';
import { shapeOf } from './shape.ts';
import type { Trial } from './trial.ts';
import { budgetOf, type Worklist } from './worklist.ts';

const MOST_VARIANTS_OF_ONE = 3;
const MOST_VARIANTS = 0.1;
const MOST_ANALOGS = 0.02;

export interface LikenessComplaint {
  readonly trial: Trial;
  readonly check: 'shape' | 'numeric identity' | 'variants';
  readonly complaint: Complaint;
  /** The other operator that it is about. */
  readonly base: Trial | undefined;
}

interface Hit {
  readonly base: Trial;
  readonly trial: Trial;
  readonly isIdentical: boolean;
  readonly check: 'shape' | 'numeric identity';
}

/** @param trials  of the whole registry, in the order of the worklist */
export function checkLikeness(trials: readonly Trial[], worklist: Worklist, evaluator: Evaluator): LikenessComplaint[] {
  const hits = findHits(trials, evaluator);
  return [...firstOfEach(hits.flatMap(judge)), ...checkLinks(trials, hits), ...checkCounts(trials, worklist)];
}

/** A law that is like ten others is told of the first. */
function firstOfEach(complaints: readonly LikenessComplaint[]): LikenessComplaint[] {
  return [...Map.groupBy(complaints, ({ trial }) => trial).values()].flatMap(([first]) => first ?? []);
}

/** Pairs that are alike, each once; the same function wins over the same shape. */
function findHits(trials: readonly Trial[], evaluator: Evaluator): Hit[] {
  const palette = new Palette();
  const shapes = trials.map((trial) => ({ trial, shape: shapeOf(trial, palette) }));
  const pairs = (groups: Iterable<readonly { readonly trial: Trial }[]>, isIdentical: boolean): Hit[] =>
    [...groups].flatMap((group) =>
      group.flatMap(({ trial: base }, i) =>
        group.slice(i + 1).map(({ trial }) => ({ base, trial, isIdentical, check: 'shape' as const })),
      ),
    );
  const dimensional = shapes.filter(({ shape }) => !shape.isDimensionless);
  const all: Hit[] = [
    ...pairs(Map.groupBy(shapes, ({ shape }) => shape.exact).values(), true),
    ...findTwins(trials, evaluator)
      .map(({ one, other, ratio }) => ({
        base: one,
        trial: other,
        isIdentical: ratio === 1,
        check: 'numeric identity' as const,
      }))
      .sort((a, b) => Number(b.isIdentical) - Number(a.isIdentical)),
    ...pairs(Map.groupBy(dimensional, ({ shape }) => shape.masked).values(), false),
  ];
  const seen = new Set<string>();
  return all.filter(({ base, trial }) => {
    const pair = `${base.operator.id} ${trial.operator.id}`;
    const isNew = !seen.has(pair);
    seen.add(pair);
    return isNew;
  });
}

function judge({ base, trial, isIdentical, check }: Hit): LikenessComplaint[] {
  const [first, second] = [base.operator, trial.operator];
  const isOneDomain = first.prefix === second.prefix;
  const title = `${first.id} (${first.name})`;
  const say = (text: string, mend: string) => [{ trial, base, check, complaint: error(text, mend) }];
  if (isIdentical && isOneDomain) {
    return say(`is the same function as ${title}`, 'A domain has each function once: take the next law of the list.');
  }
  if (isIdentical) {
    if (isLinked(base, trial, ['analogOf'])) return [];
    const mend = `Give analogOf { id: "${first.id}", reason } if the two fields mean different things by it, or take the next law.`;
    return say(`is the same function as ${title} of ${first.prefix}`, mend);
  }
  if (isLinked(base, trial, isOneDomain ? ['variantOf'] : ['variantOf', 'analogOf'])) return [];
  const how = check === 'shape' ? 'has the shape of' : 'is proportional to';
  const mend = `Give variantOf { id: "${first.id}", reason } if both are laws of their own, or take the next law.`;
  return say(`${how} ${title}: only literals differ`, mend);
}

type Link = 'variantOf' | 'analogOf';

/** One names the other, or both name a third. */
function isLinked({ operator: one }: Trial, { operator: other }: Trial, links: readonly Link[]): boolean {
  const [ones, others] = [one, other].map((operator) => links.flatMap((link) => operator[link]?.id ?? []));
  return (
    ones?.includes(other.id) === true ||
    others?.includes(one.id) === true ||
    ones?.some((id) => others?.includes(id)) === true
  );
}

/** A link points at a law of the registry that stands by itself, and there is a likeness to speak of. */
function checkLinks(trials: readonly Trial[], hits: readonly Hit[]): LikenessComplaint[] {
  const known = new Map(trials.map((trial) => [trial.operator.id, trial]));
  const alike = new Set(hits.flatMap(({ base, trial }) => [pairOf(base, trial), pairOf(trial, base)]));
  return trials.flatMap((trial) =>
    (['variantOf', 'analogOf'] as const).flatMap((link): LikenessComplaint[] => {
      const id = trial.operator[link]?.id;
      if (id === undefined) return [];
      const base = known.get(id);
      const say = (complaint: Complaint) => [{ trial, base, check: 'variants' as const, complaint }];
      if (base === undefined || base === trial) {
        return say(
          error(`${link} names ${id}, which is no other operator of the registry`, 'Name the id of the base.'),
        );
      }
      if (base.operator[link] !== undefined) {
        return say(
          error(`${link} names ${id}, which has a ${link} itself`, `Name ${base.operator[link].id}, the base of both.`),
        );
      }
      if (alike.has(pairOf(base, trial))) return [];
      return say(warning(`${link} names ${id}, but the two are not alike`, `Leave ${link} out.`));
    }),
  );
}

const pairOf = (one: Trial, other: Trial) => `${one.operator.id} ${other.operator.id}`;

function checkCounts(trials: readonly Trial[], worklist: Worklist): LikenessComplaint[] {
  const complaints: LikenessComplaint[] = [];
  const limit = (those: readonly Trial[], most: number, text: string, mend: string) => {
    for (const trial of those.slice(most)) {
      complaints.push({
        trial,
        base: undefined,
        check: 'variants',
        complaint: error(`${text} (${those.length} of ${most})`, mend),
      });
    }
  };
  const variants = trials.filter(({ operator }) => operator.variantOf !== undefined);
  const mend = 'Take other laws of the list in place of the last variants.';
  for (const [id, those] of Map.groupBy(variants, ({ operator }) => operator.variantOf?.id ?? '')) {
    limit(those, MOST_VARIANTS_OF_ONE, `too many variants of ${id}`, mend);
  }
  for (const { prefix, budget } of worklist.domains) {
    const own = variants.filter(({ operator }) => operator.prefix === prefix);
    limit(own, Math.floor(MOST_VARIANTS * budget), `too many variants in ${prefix}`, mend);
  }
  const analogs = trials.filter(({ operator }) => operator.analogOf !== undefined);
  limit(analogs, Math.floor(MOST_ANALOGS * budgetOf(worklist)), 'too many analogs in the registry', mend);
  return complaints;
}
