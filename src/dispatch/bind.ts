// Binds the quantities of a sentence to the fields of a target: by a name ("beta = 0.3"), by words beside the number
// ("12 dates", "strike 105"), or by the unit where one field alone has its dimension. A quantity that fits two fields
// equally is bound to none.

import { convertReading } from '../core/temperature-scales.ts';
import { DIMENSIONLESS, type Dimension, sameDimension } from '../core/units/dimension.ts';
import { unitOf } from '../operators/unit-table.ts';
import { fieldsOfList, listsOf } from './lists.ts';
import { type Hit, PhraseIndex } from './phrases.ts';
import { isStated, type Quantity } from './quantity.ts';
import type { Token } from './sentence.ts';
import { foldedName, type Target, type TargetField } from './target.ts';

export type Evidence = 'name' | 'words' | 'unit' | 'order';

export interface Binding {
  readonly field: TargetField;
  readonly quantity: Quantity;
  readonly value: number;
  /** Of the value. */
  readonly unit: string;
  readonly by: Evidence;
  /** The words of the sentence that decided, with the number. */
  readonly words: string;
  /** A choice that the unit makes. */
  readonly sets?: Readonly<Record<string, string | undefined>>;
}

interface Place {
  readonly field: TargetField;
  readonly quantity: Quantity;
  readonly score: number;
  readonly by: Evidence;
  readonly from: number;
  readonly to: number;
  readonly isInverse: boolean;
  /** Words between the words of the input and the number. */
  readonly gap: number;
}

const CONNECTORS: ReadonlySet<string> = new Set(
  'of is = : equal equals to at a an the about around with by are was be ( ) - \u2248 ~ approximately roughly'.split(
    ' ',
  ),
);
const PREPOSITIONS: ReadonlySet<string> = new Set(
  'above after at below between during for from of over to under until up with within'.split(' '),
);
const BREAKS: ReadonlySet<string> = new Set([',', ';', '.', '?', '!', 'if', 'when', 'while', 'because']);

const MAX_BEFORE = 4;
/** A count stands near its noun. */
const MAX_BEFORE_COUNT = 2;
const MAX_AFTER = 2;
/** Names that are words too need an equals sign. */
const WORD_NAMES: ReadonlySet<string> = new Set([
  'a',
  'I',
  'A',
  'an',
  'at',
  'in',
  'is',
  'mode',
  'start',
  'file',
  'top',
]);

interface PhraseOf {
  readonly field: TargetField;
  readonly isInverse: boolean;
}

const indexes = new WeakMap<Target, PhraseIndex<PhraseOf>>();

function indexOf(target: Target): PhraseIndex<PhraseOf> {
  const known = indexes.get(target);
  if (known) return known;
  const index = new PhraseIndex<PhraseOf>();
  for (const field of target.fields) {
    if (field.kind !== 'number') continue;
    for (const phrase of field.phrases) index.add(phrase, { field, isInverse: false });
    for (const phrase of field.inverse) index.add(phrase, { field, isInverse: true });
  }
  indexes.set(target, index);
  return index;
}

export interface Bound {
  readonly bindings: readonly Binding[];
  readonly unused: readonly Quantity[];
  /** Places of words of inputs, bound or not. */
  readonly hits: readonly Hit<unknown>[];
}

/** @param choices  by field, as the words of the sentence make them */
export function bindQuantities(
  target: Target,
  sentence: string,
  tokens: readonly Token[],
  quantities: readonly Quantity[],
  choices: ReadonlyMap<string, string>,
): Bound {
  const hits = indexOf(target).find(tokens);
  const numbers = target.fields.filter((field) => field.kind === 'number' && appliesTo(field, choices));
  const starts = new Set(quantities.map(({ from }) => from));
  const ends = new Set(quantities.map(({ to }) => to));
  const places = quantities.flatMap((quantity) => [
    ...compoundingPlaces(numbers, quantity),
    ...namedPlaces(numbers, tokens, quantity, ends),
    ...joined(phrasePlaces(hits, tokens, quantity, starts)).filter(({ field }) => numbers.includes(field)),
  ]);
  const bound = new Map<TargetField, Binding>();
  const used = new Set<Quantity>();
  const contested = new Set<Quantity>();
  const read = (place: Place) => (contradicts(target, tokens, place) ? undefined : readingOf(target, place, choices));
  const take = (place: Place): void => {
    const value = read(place);
    if (value === undefined) return;
    const words = sentence.slice(tokens[place.from]?.start, tokens[place.to - 1]?.end);
    bound.set(place.field, { field: place.field, quantity: place.quantity, by: place.by, words, ...value });
    used.add(place.quantity);
  };
  for (const list of listsOf(tokens, quantities)) {
    const keys = fieldsOfList(list, tokens, (key) => numbers.some((field) => field.key === key));
    keys?.slice(0, list.length).forEach((key, i) => {
      const field = numbers.find((one) => one.key === key);
      const quantity = list[i];
      if (field === undefined || quantity === undefined || bound.has(field)) return;
      const { from, to } = quantity;
      take({ field, quantity, score: 0, by: 'order', from, to, isInverse: false, gap: 0 });
    });
    if (keys?.length === 1 && used.has(list[0] as Quantity)) for (const other of list) used.add(other);
  }
  for (const [field, quantity] of windowOf(numbers, tokens, quantities)) {
    const { from, to } = quantity;
    take({ field, quantity, score: 0, by: 'order', from, to, isInverse: false, gap: 0 });
  }
  const open = places
    .filter((place) => read(place) !== undefined)
    .map((place) => ({ ...place, score: place.score - penaltyOf(place, read(place)?.value ?? 0) }))
    .sort((a, b) => b.score - a.score);
  for (const place of open) {
    if (place.score < MIN_SCORE || bound.has(place.field) || used.has(place.quantity) || contested.has(place.quantity))
      continue;
    const rival = open.find(
      (other) =>
        other.quantity === place.quantity &&
        other.field !== place.field &&
        !bound.has(other.field) &&
        Math.abs(other.score - place.score) < TIE,
    );
    if (rival === undefined) take(place);
    else contested.add(place.quantity);
  }
  bindByUnit(target, quantities, bound, used, take, choices, read);
  return {
    bindings: [...bound.values()],
    unused: quantities.filter(
      (one) => !used.has(one) && isStated(one) && ![...used].some((other) => isSame(one, other)),
    ),
    hits,
  };
}

/** "one gram of matter, m = 1 g" says a number twice. */
const isSame = (one: Quantity, other: Quantity) =>
  one.value === other.value && one.unit === other.unit && one.isSpelled !== other.isSpelled;

const MIN_SCORE = 1.5;
const TIE = 0.2;

/** Numbers that a field does not allow speak against it, unless it is named. */
function penaltyOf({ field, by }: Place, value: number): number {
  if (field.isInteger && !Number.isInteger(value)) return 6;
  return by !== 'name' && (value < field.min || value > field.max) ? 4 : 0;
}

/** Whether a field counts under the choices: "morse: depth" says for which it does. */
function appliesTo({ onlyFor }: TargetField, choices: ReadonlyMap<string, string>): boolean {
  return onlyFor.every(({ choice, values, fallback }) =>
    values.includes(choices.get(choice) ?? fallback ?? values[0] ?? ''),
  );
}

/** Several words of one field beside a number count together: "initial mass 3 kg". */
function joined(places: readonly Place[]): Place[] {
  const byField = new Map<TargetField, Place>();
  for (const place of places) {
    const known = byField.get(place.field);
    if (known === undefined) byField.set(place.field, place);
    else if (known.isInverse === place.isInverse) {
      const [better, worse] = known.score >= place.score ? [known, place] : [place, known];
      const isApart =
        worse.from >= better.to || worse.to <= better.from || worse.from < better.from || worse.to > better.to;
      byField.set(
        place.field,
        isApart ? { ...better, score: better.score + 0.5, from: Math.min(better.from, worse.from) } : better,
      );
    } else if (place.score > known.score) byField.set(place.field, place);
  }
  return [...byField.values()];
}

/** "between 10 and 60", "from t = 10 to t = 60": the ends of the one window of a target. */
function windowOf(
  fields: readonly TargetField[],
  tokens: readonly Token[],
  quantities: readonly Quantity[],
): readonly (readonly [TargetField, Quantity])[] {
  const windows = fields.flatMap((low) => {
    const high = fields.find(({ key }) => /_min$/.test(low.key) && key === low.key.replace(/_min$/, '_max'));
    return high === undefined ? [] : [[low, high] as const];
  });
  const [window] = windows;
  if (window === undefined || windows.length > 1) return [];
  const [low, high] = window;
  const between = (from: number, to: number) =>
    tokens
      .slice(from, to)
      .map(({ word }) => word)
      .join(' ')
      .replace(/ ?\w+ =$/, '');
  const at = quantities.findIndex((one, k) => {
    const next = quantities[k + 1];
    const before = between(Math.max(0, one.from - 3), one.from);
    const joint = next === undefined ? '' : between(one.to, next.from);
    return (/\bbetween$/.test(before) && joint === 'and') || (/\bfrom$/.test(before) && joint === 'to');
  });
  const [first, second] = quantities.slice(at, at + 2);
  return at < 0 || first === undefined || second === undefined
    ? []
    : [
        [low, first],
        [high, second],
      ];
}

const COUNTS_COMPOUNDINGS = /\bcompoundings\b/;

function compoundingPlaces(fields: readonly TargetField[], quantity: Quantity): Place[] {
  const { from, to } = quantity;
  if (quantity.isCompounding !== true) return [];
  return fields
    .filter(({ label }) => COUNTS_COMPOUNDINGS.test(label))
    .map((field) => ({ field, quantity, score: 12, by: 'words', from, to, isInverse: false, gap: 0 }));
}

function namedPlaces(
  fields: readonly TargetField[],
  tokens: readonly Token[],
  quantity: Quantity,
  ends: ReadonlySet<number>,
): Place[] {
  let at = quantity.from - 1;
  let isEquated = false;
  // What stands before an equals sign is a name, also where it is a word: "a = 0.2".
  for (let steps = 0; steps < 3 && at >= 0 && !isEquated && CONNECTORS.has(tokens[at]?.word ?? ''); steps++, at--)
    isEquated = tokens[at]?.text === '=' || tokens[at]?.text === ':';
  const before = at === quantity.from - 1 || at >= 0 ? tokens[at] : undefined;
  const after = tokens[quantity.to];
  const places: Place[] = [];
  const push = (field: TargetField, score: number, from: number, to: number) =>
    places.push({ field, quantity, score, by: 'name', from, to, isInverse: false, gap: 0 });
  for (const field of fields) {
    for (const name of field.names) {
      if (before?.kind === 'word' && (isEquated || !WORD_NAMES.has(before.text))) {
        const text = foldedName(before.text);
        // "12 dates with 5 paths": the word belongs to the number before it.
        const isOfOther = !isEquated && name.length > 2 && ends.has(at);
        if (text === name)
          push(field, isEquated ? 12 : isOfOther ? 4 : /^[a-z]{4,}$/.test(name) ? 7 : 9, at, quantity.to);
        else if (text.toLowerCase() === name.toLowerCase()) push(field, isEquated ? 8 : 5.5, at, quantity.to);
      }
      if (after?.kind === 'word' && name.length > 2 && foldedName(after.text) === name)
        push(field, field.isInteger ? 8 : 4.5, quantity.from, quantity.to + 1);
    }
  }
  return places;
}

function phrasePlaces(
  hits: readonly Hit<PhraseOf>[],
  tokens: readonly Token[],
  quantity: Quantity,
  starts: ReadonlySet<number>,
): Place[] {
  return hits.flatMap(({ value: { field, isInverse }, from, to, length }): Place[] => {
    const isBefore = to <= quantity.from;
    if (!isBefore && from < quantity.to) {
      // The unit itself is a word of the input: "7 days".
      return from >= quantity.from && to >= quantity.to
        ? [{ field, quantity, score: 3 + 0.5 * length, by: 'words', from: quantity.from, to, isInverse, gap: 0 }]
        : [];
    }
    const gap = gapBetween(tokens, isBefore ? to : quantity.to, isBefore ? quantity.from : from, starts);
    if (gap === undefined || gap > (isBefore ? (field.isInteger ? MAX_BEFORE_COUNT : MAX_BEFORE) : MAX_AFTER))
      return [];
    // "0.002 for 30 s": a preposition belongs to the number behind it.
    if (!isBefore && to - from === 1 && PREPOSITIONS.has(tokens[from]?.word ?? '')) return [];
    // "12 dates": a count stands before its noun.
    const isCount = !isBefore && from === quantity.to && field.isInteger;
    const base = isCount ? 7.4 : isBefore ? 6 - 0.8 * gap : 5.6 - 1.2 * gap;
    return [
      {
        field,
        quantity,
        score: base + 0.6 * length,
        by: 'words',
        from: Math.min(from, quantity.from),
        to: Math.max(to, quantity.to),
        isInverse,
        gap,
      },
    ];
  });
}

/** Words between two places, breaks and beginnings of clauses counted thrice; undefined if another number stands there. */
function gapBetween(
  tokens: readonly Token[],
  from: number,
  to: number,
  starts: ReadonlySet<number>,
): number | undefined {
  if (to - from > 12) return undefined;
  let gap = 0;
  for (let at = from; at < to; at++) {
    if (starts.has(at)) return undefined;
    const { word = '' } = tokens[at] ?? {};
    if (BREAKS.has(word)) gap += 3;
    else if (word === 'and' || word === 'or') gap += 1.5;
    else if (!CONNECTORS.has(word)) gap += 1;
  }
  return gap;
}

/** Of these a sentence gives one where a field takes the other: the numbers differ, the dimension does not. */
const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['radius', 'diameter'],
  ['diameter', 'radius'],
]);
/** Words that a field which is bound by its unit alone has to have. */
const SPECIFIC: ReadonlySet<string> = new Set(['radius', 'diameter', 'circumference', 'thickness', 'wavelength']);

/** Whether the words beside a number say that it is not this field: a radius is no diameter, hertz are no rad/s. */
function contradicts(target: Target, tokens: readonly Token[], { field, quantity, by }: Place): boolean {
  if (quantity.isCompounding === true && !COUNTS_COMPOUNDINGS.test(field.label)) return true;
  if (/Hz$/.test(quantity.unit ?? '') && /rad|angular/i.test(`${field.unit} ${field.label}`)) return true;
  const said = wordsBeside(tokens, quantity);
  const own = new Set(
    field.phrases
      .join(' ')
      .toLowerCase()
      .split(/[^a-z]+/),
  );
  return said.some((word) => {
    if (own.has(word)) return false;
    const opposite = OPPOSITES.get(word);
    return (
      (opposite !== undefined && own.has(opposite)) || (target.kind === 'solver' && by === 'unit' && SPECIFIC.has(word))
    );
  });
}

/** The word before a number, behind connectors, and the one after it. */
function wordsBeside(tokens: readonly Token[], { from, to }: Quantity): string[] {
  let at = from - 1;
  while (at >= 0 && CONNECTORS.has(tokens[at]?.word ?? '')) at--;
  return [tokens[at]?.word ?? '', tokens[to]?.word ?? ''];
}

type Read = Pick<Binding, 'value' | 'unit' | 'sets'>;

/** The value in the unit of the field; undefined if the dimensions differ. */
function readingOf(target: Target, place: Place, choices: ReadonlyMap<string, string>): Read | undefined {
  const { field, quantity, by, isInverse } = place;
  const systems = target.words?.units ?? [];
  for (const { when = {}, of, sets } of systems) {
    const unit = (of as Readonly<Record<string, string | undefined>>)[field.key];
    if (unit === undefined || quantity.unit === undefined) continue;
    const isActive = Object.entries(when).every(([name, values]) =>
      (values as readonly string[] | undefined)?.includes(choices.get(name) ?? ''),
    );
    const value = isActive ? converted(quantity.value, quantity.unit, unit) : undefined;
    if (value !== undefined) return { value, unit, ...(sets === undefined ? {} : { sets: sets as Read['sets'] & {} }) };
  }
  const unit = field.unit === '$' ? 'USD' : field.unit;
  if (quantity.unit === undefined) {
    if (isInverse || by === 'unit') return undefined;
    // A law takes a number without a unit by its name, or by the word right beside it.
    if (target.kind === 'law' && by === 'words' && place.gap > 0 && !isPure(field)) return undefined;
    return { value: quantity.value, unit: field.unit };
  }
  if (field.dimension === undefined) {
    return /^(percent|%)$/.test(quantity.unit) ? { value: quantity.value / 100, unit: field.unit } : undefined;
  }
  if (isInverse) {
    const value = converted(quantity.value, quantity.unit, inverseUnit(unit));
    return value === undefined || value === 0 ? undefined : { value: 1 / value, unit: field.unit };
  }
  if (/^(percent|%)$/.test(quantity.unit) && by !== 'unit' && !sameDimension(field.dimension, DIMENSIONLESS)) {
    // A rate of 5 % is 0.05 a year, in whatever time the field has.
    return isRate(unit) ? { value: Number((quantity.value / 100).toPrecision(15)), unit: field.unit } : undefined;
  }
  const value = converted(quantity.value, quantity.unit, unit);
  if (value !== undefined) return { value, unit: field.unit };
  // "Recovery in 6 days": a duration beside the words of a rate is 1 over it, but years are not those of "per year".
  const isUnitAlone = place.from === quantity.from && place.to === quantity.to;
  const period =
    isPerTime(unit) && by === 'words' && !isUnitAlone
      ? converted(quantity.value, quantity.unit, inverseUnit(unit))
      : undefined;
  return period === undefined || period === 0 || place.gap > 1 ? undefined : { value: 1 / period, unit: field.unit };
}

const isPerTime = (unit: string) => /^1\/(s|min|h|day|yr)$/.test(unit);

const isRate = (unit: string) => /^1\/(yr|day)$|^yr\^-/.test(unit);

const isPure = ({ dimension }: TargetField) => dimension === undefined || sameDimension(dimension, DIMENSIONLESS);

const inverseUnit = (unit: string) => (unit.startsWith('1/') ? unit.slice(2) : `1/(${unit})`);

/** Scales of temperature count as kelvin. */
const dimensionOf = (unit: string): Dimension => unitOf(/^deg[CF]$/.test(unit) ? 'K' : unit).dimension;

function converted(value: number, from: string, to: string): number | undefined {
  try {
    // An error for each field that does not fit takes longer than all the rest.
    if (!sameDimension(dimensionOf(from), dimensionOf(to))) return undefined;
    return convertReading(value, from, to);
  } catch {
    return undefined;
  }
}

/** The dimension of a quantity that has one. */
function ownDimension({ unit }: Quantity): Dimension | undefined {
  if (unit === undefined) return undefined;
  const dimension = dimensionOf(unit);
  const isAngle = /^(deg|rad|arcmin|arcsec|mrad)$/.test(unit);
  return !isAngle && sameDimension(dimension, DIMENSIONLESS) ? undefined : dimension;
}

/** What is left: the one field of a dimension, or the indexed fields of a law in the order of the sentence. */
function bindByUnit(
  target: Target,
  quantities: readonly Quantity[],
  bound: ReadonlyMap<TargetField, Binding>,
  used: ReadonlySet<Quantity>,
  take: (place: Place) => void,
  choices: ReadonlyMap<string, string>,
  read: (place: Place) => Read | undefined,
): void {
  const byUnit = target.words?.byUnit ?? [];
  for (const quantity of quantities) {
    const dimension = ownDimension(quantity);
    if (used.has(quantity) || dimension === undefined) continue;
    const place = (field: TargetField, by: Evidence): Place => {
      return { field, quantity, score: 0, by, from: quantity.from, to: quantity.to, isInverse: false, gap: 0 };
    };
    const fits = target.fields.filter(
      (field) =>
        field.kind === 'number' &&
        !bound.has(field) &&
        appliesTo(field, choices) &&
        (byUnit.includes(field.key) || !field.isNumerics) &&
        read(place(field, 'unit')) !== undefined &&
        isOfKind(field, quantity),
    );
    const first = fits.find(({ key }) => byUnit.includes(key));
    const required = fits.filter(({ isRequired }) => isRequired);
    if (first !== undefined) take(place(first, 'unit'));
    else if (target.kind === 'solver' && byUnit.length > 0) continue;
    else if (fits.length === 1 || (target.kind === 'law' && required.length === 1))
      take(place((required[0] ?? fits[0]) as TargetField, 'unit'));
    else if (target.kind === 'law' && areIndexed(required)) take(place(required[0] as TargetField, 'order'));
  }
  if (target.kind === 'law') {
    bindLastRate(target, quantities, bound, used, take);
    bindLastCount(target, quantities, bound, used, take);
  }
}

/** The place of the one quantity that is left for a field. */
const placeLeft = (field: TargetField, quantity: Quantity): Place => {
  const { from, to } = quantity;
  return { field, quantity, score: 0, by: 'order', from, to, isInverse: false, gap: 0 };
};

/** The one yearly rate that a law still needs is the one percentage that is left: "5000 dollars at 4 %". */
function bindLastRate(
  target: Target,
  quantities: readonly Quantity[],
  bound: ReadonlyMap<TargetField, Binding>,
  used: ReadonlySet<Quantity>,
  take: (place: Place) => void,
): void {
  const rates = target.fields.filter(
    (one) => one.isRequired && isRate(one.unit) && !bound.has(one) && !COUNTS_COMPOUNDINGS.test(one.label),
  );
  const [field, ...others] = rates;
  const percentages = quantities.filter(({ unit }) => /^(percent|%)$/.test(unit ?? ''));
  const [quantity] = percentages;
  if (field === undefined || others.length > 0 || quantity === undefined || percentages.length > 1) return;
  // Interest that is compounded without a pause is said to be.
  if (used.has(quantity) || /continuous/.test(field.label)) return;
  take(placeLeft(field, quantity));
}

/** The one count that a law still needs is the one bare number that is left: "to sort 1000 items". */
function bindLastCount(
  target: Target,
  quantities: readonly Quantity[],
  bound: ReadonlyMap<TargetField, Binding>,
  used: ReadonlySet<Quantity>,
  take: (place: Place) => void,
): void {
  const open = target.fields.filter((field) => field.isRequired && !bound.has(field));
  const left = quantities.filter((quantity) => !used.has(quantity));
  const [field] = open;
  const [quantity] = left;
  if (open.length !== 1 || left.length !== 1 || field === undefined || quantity === undefined) return;
  const counts = field.isInteger || field.label.startsWith('number of ');
  const isCount = counts && isPure(field) && quantity.unit === undefined && Number.isInteger(quantity.value);
  if (!isCount || quantity.value < field.min || quantity.value > field.max) return;
  take(placeLeft(field, quantity));
}

/** An angle is no factor. */
function isOfKind({ unit }: TargetField, quantity: Quantity): boolean {
  const isAngle = /^(deg|rad|arcmin|arcsec|mrad)$/.test(quantity.unit ?? '');
  return !isAngle || /rad|deg/.test(unit);
}

/** m1, m2: one letter with a number. */
function areIndexed(fields: readonly TargetField[]): boolean {
  const stems = new Set(fields.map(({ key }) => key.replace(/\d$/, '')));
  return fields.length > 0 && stems.size === 1 && fields.every(({ key }) => /\D\d$/.test(key));
}
