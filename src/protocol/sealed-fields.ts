// The closed list of fields that a seal covers: numbers, stable identifiers, units, shapes, hashes, inputs as bound.
//
// Words stand outside: equations, selection, notes, plots, labels, methods of a witness. They come from the program
// that shows a receipt, so rewording them disturbs no receipt. The list belongs to the predicate type of the statement
// (seal.ts); another list is another type, and its own projection stays here for ever.

import { canonicalJson } from '../core/canonical-json.ts';
import { mapValues } from '../core/map-values.ts';
import { isRecord } from '../core/record.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { Untrusted } from './untrusted.ts';

/**
 * Each names a closed list of sealed fields. v5 adds the budget of the uncertainty, v6 sweeps, samples and the unknown of
 * a law, v7 findings that are no single number. A receipt without these is sealed as v5, so that programs that do not know
 * them verify it.
 */
export type PredicateType =
  | 'https://svc.invalid/compute/v4'
  | 'https://svc.invalid/compute/v5'
  | 'https://svc.invalid/compute/v6'
  | 'https://svc.invalid/compute/v7';
/** Of new seals of one result. */
export const PREDICATE_TYPE: PredicateType = 'https://svc.invalid/compute/v5';
/** Of new seals with a field of `V6_FIELDS`. */
const V6_TYPE: PredicateType = 'https://svc.invalid/compute/v6';

/** Fields that only v6 covers. */
const V6_FIELDS = ['sweep', 'table', 'samples', 'solve_for', 'complete'] as const;

/** Of new seals with a field of `V7_FIELDS`. */
const V7_TYPE: PredicateType = 'https://svc.invalid/compute/v7';

/** Fields that only v7 covers. */
const V7_FIELDS = ['guardState', 'branch', 'coherenceScore', 'locked', 'nodes', 'steps'] as const;

/** The list that covers all results of an envelope. */
export function newSealType(envelope: object): PredicateType {
  const hasOne = (names: readonly string[]) => names.some((name) => Object.hasOwn(envelope, name));
  return hasOne(V7_FIELDS) ? V7_TYPE : hasOne(V6_FIELDS) ? V6_TYPE : PREDICATE_TYPE;
}

/** `whole`: the value as it is. A record: these fields of an object. A list of one: the same for every element. */
type Selection = 'whole' | { readonly [name: string]: Selection } | readonly [Selection];

const RESULT: Selection = { operator_id: 'whole', value: 'whole', unit: 'whole', uncertainty: 'whole' };
const ARRAY: Selection = { name: 'whole', unit: 'whole', shape: 'whole', sha256: 'whole' };

/** What a solver or a chain of operators derives from the outputs of its kernel. In the order of the envelope. */
const ANSWER_V4 = {
  solver: 'whole',
  revision: 'whole',
  domain: 'whole',
  operatorChain: 'whole',
  operator_id: 'whole',
  value: 'whole',
  unit: 'whole',
  uncertainty: 'whole',
  precisionBound: 'whole',
  errorPct: 'whole',
  converged: 'whole',
  functional: 'whole',
  master_sum: {
    terms: [{ operator_id: 'whole', value: 'whole', unit: 'whole', included: 'whole' }],
    total: 'whole',
    unit: 'whole',
  },
  results: [RESULT],
  quantities: [{ name: 'whole', value: 'whole', unit: 'whole' }],
  series: [ARRAY],
  fields: [ARRAY],
  verification: {
    reference: 'whole',
    reference_bits: 'whole',
    value_bits: 'whole',
    errorPct: 'whole',
    ulp: 'whole',
    observed_order: 'whole',
    rtCorrelation: 'whole',
  },
  invariants: [{ name: 'whole', value: 'whole', drift: 'whole', bound: 'whole', unit: 'whole', holds: 'whole' }],
  seed: 'whole',
  inputs: 'whole',
  consts: 'whole',
  units: 'whole',
  uncertainties: 'whole',
  detail: 'whole',
  phi0: 'whole',
} as const satisfies Selection;

const ANSWER_V5 = {
  ...ANSWER_V4,
  uncertainty_budget: [{ source: 'whole', kind: 'whole', value: 'whole', unit: 'whole' }],
  quantities: [{ name: 'whole', value: 'whole', unit: 'whole', uncertainty: 'whole' }],
  as: 'whole',
} as const satisfies Selection;

const ANSWER_V6 = {
  ...ANSWER_V5,
  solve_for: 'whole',
  complete: 'whole',
  sweep: 'whole',
  samples: 'whole',
  table: {
    columns: 'whole',
    units: 'whole',
    shape: 'whole',
    sha256: 'whole',
    outline: 'whole',
    refused: 'whole',
    unconverged: 'whole',
  },
} as const satisfies Selection;

const ANSWER = {
  ...ANSWER_V6,
  guardState: 'whole',
  branch: 'whole',
  coherenceScore: 'whole',
  locked: 'whole',
  nodes: 'whole',
  steps: 'whole',
} as const satisfies Selection;

/** What depends on when the call ran. */
const TIMED = {
  R_t: 'whole',
  phase: 'whole',
  svcond: 'whole',
  masterSum: 'whole',
  E: 'whole',
  stamps: 'whole',
  alpha_eff: 'whole',
  cko: { metric_shift: { delta_alpha: 'whole', variance: 'whole' } },
} as const satisfies Selection;

/** What the node adds. */
const ISSUED = {
  svcProof: 'whole',
  version: 'whole',
  keyPrefix: 'whole',
  epoch: 'whole',
  billing: { tokens: 'whole' },
  run_id: 'whole',
} as const satisfies Selection;

/** Fields that the statement covers by a hash of their own (seal.ts). */
const HASHED = ['kernel_sha256', 'trajectory_sha256', 'runs', 'outcomes', 'definitions'] as const;

/** Carriers of the seal itself. */
const CARRIERS: ReadonlySet<string> = new Set(['ok', 'public_key', 'seal']);

interface SealedList {
  readonly fields: { readonly [name: string]: Selection };
  /** Writes the canonical JSON of the sealed fields of an envelope. */
  readonly write: Writer;
}

/** Names of the sealed fields of an envelope that has them, in the order of the list of its predicate type. */
export function coveredFields(envelope: Untrusted, type: PredicateType = PREDICATE_TYPE): readonly string[] {
  return [...Object.keys(LISTS[type].fields), ...HASHED].filter((name) => Object.hasOwn(envelope, name));
}

/**
 * Names of the fields that stand outside the seal: anybody can have written them. Those inside a covered field follow
 * with their path, `verification.method`.
 */
export function uncoveredFields(envelope: Untrusted, type: PredicateType = PREDICATE_TYPE): readonly string[] {
  const covered = coveredFields(envelope, type);
  const others = Object.keys(envelope).filter((name) => !covered.includes(name) && !CARRIERS.has(name));
  const selections: Readonly<Record<string, Selection>> = { ...LISTS[type].fields, definitions: [DEFINITION] };
  const inside = covered.flatMap((name) => pathsOutside(envelope[name], selections[name] ?? 'whole', name));
  return [...others, ...new Set(inside)];
}

/** A definition as `definitionSha256` hashes it, without the notes of its constants. */
const DEFINITION: Selection = {
  id: 'whole',
  equation: 'whole',
  where: 'whole',
  output: 'whole',
  inputs: 'whole',
  constants: 'whole',
  requires: 'whole',
  accuracy: { relative: 'whole', absolute: 'whole' },
};

/** Numbers and bytes of an array are compared with its hash. */
const HASHED_IN_ARRAYS: ReadonlySet<string> = new Set([
  ...['series', 'fields'].flatMap((list) => [`${list}[].data`, `${list}[].base64`]),
  'table.rows',
  'table.base64',
]);

function pathsOutside(value: unknown, selection: Selection, path: string): readonly string[] {
  if (selection === 'whole') return [];
  if (isList(selection))
    return Array.isArray(value) ? value.flatMap((one) => pathsOutside(one, selection[0], `${path}[]`)) : [];
  if (!isRecord(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const inner = `${path}.${name}`;
    const part = Object.hasOwn(selection, name) ? selection[name] : undefined;
    if (part !== undefined) return pathsOutside(value[name], part, inner);
    return HASHED_IN_ARRAYS.has(inner) ? [] : [inner];
  });
}

/** The sealed fields of the answer that the envelope has. */
export function answerFields(envelope: Untrusted): Untrusted {
  return select(envelope, ANSWER) as Untrusted;
}

/** The fields that follow from the stamps. */
export function timedFieldsOf(envelope: Untrusted): Untrusted {
  return select(envelope, TIMED) as Untrusted;
}

/** SHA-256 of the canonical JSON of every sealed field. @throws TypeError for what JSON cannot hold */
export function sealedSha256(envelope: Untrusted, type: PredicateType = PREDICATE_TYPE): string {
  return sha256Hex(LISTS[type].write(envelope));
}

/**
 * Path of the first sealed −0. Canonical JSON writes it as 0, so that the signature holds, but no program that seals has
 * written it.
 */
export function sealedMinusZero(envelope: Untrusted, type: PredicateType): string | undefined {
  const { runs, outcomes, definitions } = envelope;
  const selected = { ...(select(envelope, LISTS[type].fields) as Untrusted), runs, outcomes };
  return minusZeroIn(selected, '') ?? minusZeroIn(select(definitions, [DEFINITION]), 'definitions');
}

function minusZeroIn(value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return Object.is(value, -0) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, one] of Object.entries(value)) {
    const inner = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    const found = minusZeroIn(one, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** SHA-256 of the inputs as bound. @throws TypeError for what JSON cannot hold */
export function inputsSha256(envelope: Untrusted): string {
  const { as, inputs, consts, units, uncertainties, detail, seed, solve_for } = envelope;
  return sha256Hex(canonicalJson({ as, consts, detail, inputs, seed, solve_for, uncertainties, units }));
}

/** Writes the canonical JSON of the selected part of a value. */
type Writer = (value: unknown) => string;

/** As `canonicalJson(select(value, selection))`, without the copy and with the names sorted once. */
function writerOf(selection: Selection): Writer {
  if (selection === 'whole') return canonicalJson;
  if (isList(selection)) {
    const write = writerOf(selection[0]);
    return (value) => {
      if (!Array.isArray(value)) return canonicalJson(value);
      let text = '';
      for (let i = 0; i < value.length; i++) text += (i === 0 ? '' : ',') + write(value[i]);
      return `[${text}]`;
    };
  }
  const fields = Object.entries(selection)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => ({ name, key: `${JSON.stringify(name)}:`, write: writerOf(part) }));
  return (value) => {
    if (!isRecord(value)) return canonicalJson(value);
    let text = '';
    for (const { name, key, write } of fields) {
      // No prototype of a record has one of the names.
      const field = value[name];
      if (field !== undefined) text += (text === '' ? '' : ',') + key + write(field);
    }
    return `{${text}}`;
  };
}

function select(value: unknown, selection: Selection): unknown {
  if (selection === 'whole') return value;
  if (isList(selection)) return Array.isArray(value) ? value.map((one) => select(one, selection[0])) : value;
  if (!isRecord(value)) return value;
  const selected: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(selection))
    if (Object.hasOwn(value, name) && value[name] !== undefined) selected[name] = select(value[name], part);
  return selected;
}

const isList = (selection: Selection): selection is readonly [Selection] => Array.isArray(selection);

const listOf = (fields: SealedList['fields']): SealedList => ({ fields, write: writerOf(fields) });

/** Built once: every answer is sealed. */
const LISTS: Readonly<Record<PredicateType, SealedList>> = {
  'https://svc.invalid/compute/v4': listOf({ ...ANSWER_V4, ...TIMED, ...ISSUED }),
  'https://svc.invalid/compute/v5': listOf({ ...ANSWER_V5, ...TIMED, ...ISSUED }),
  'https://svc.invalid/compute/v6': listOf({ ...ANSWER_V6, ...TIMED, ...ISSUED }),
  'https://svc.invalid/compute/v7': listOf({ ...ANSWER, ...TIMED, ...ISSUED }),
};

export const isPredicateType = (type: unknown): type is PredicateType =>
  typeof type === 'string' && Object.hasOwn(LISTS, type);

/** The lists as data, for readers in other languages (scripts/build-python.ts). */
export function sealedLists() {
  return {
    lists: mapValues(LISTS, ({ fields }) => fields),
    /** Type of a receipt without a field of `marks`. */
    plain: PREDICATE_TYPE,
    /** Types of receipts with one of the fields, the newest first. */
    marks: [
      { type: V7_TYPE, fields: V7_FIELDS },
      { type: V6_TYPE, fields: V6_FIELDS },
    ],
    hashed: HASHED,
    carriers: [...CARRIERS],
    definition: DEFINITION,
    hashed_in_arrays: [...HASHED_IN_ARRAYS],
  };
}
