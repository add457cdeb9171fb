// Binds the body of a solver route: merges `inputs` and top-level fields, and rejects unknown inputs at the gate.

import type { z } from 'zod';
import { canonicalCopy } from '../core/canonical-json.ts';
import { DomainError } from '../core/errors.ts';
import { nearestNames } from '../core/nearest.ts';
import { isRecord } from '../core/record.ts';
import { unrecognisedKeys } from '../core/unrecognised-keys.ts';
import { parseOrThrow } from '../core/validation.ts';
import type { Law, OpenSolver, SolverDefinition } from './definition.ts';

/** The body of a solver route: the fields common to all solvers, and the solver's own fields. */
export interface SolverBody {
  readonly operators?: readonly string[] | undefined;
  readonly inputs?: Readonly<Record<string, number>> | undefined;
  readonly consts?: Readonly<Record<string, number>> | undefined;
  readonly domain?: string | undefined;
  readonly query?: string | undefined;
  readonly folder?: string | undefined;
  readonly strict?: boolean | undefined;
  readonly self_contained?: boolean | undefined;
  readonly sweep?: unknown;
  readonly samples?: unknown;
  readonly uncertainties?: unknown;
  readonly [field: string]: unknown;
}

const COMMON_FIELDS: ReadonlySet<string> = new Set([
  'operators',
  'inputs',
  'consts',
  'domain',
  'query',
  'folder',
  'strict',
  'self_contained',
  'sweep',
  'uncertainties',
]);

/** Whether the solver itself has the field: `domain` and `inputs` of one that computes laws, `uncertainties` of unified. */
const owns = ({ inputs, laws }: SolverDefinition, name: string): boolean =>
  (laws !== undefined || name === 'uncertainties') && Object.hasOwn(inputs.shape, name);

/** Whether a field of a body belongs to the request: `samples` does as an object, and to a solver as a number. */
const isCommon = (solver: SolverDefinition, name: string, value: unknown): boolean =>
  (COMMON_FIELDS.has(name) && !owns(solver, name)) || (name === 'samples' && isRecord(value));

/** Bound inputs, or the inputs and constants that the gate rejected. */
export type Bound =
  | {
      readonly kind: 'bound';
      readonly input: Readonly<Record<string, unknown>>;
      readonly consts: Readonly<Record<string, number>>;
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'gate';
      readonly unrecognised: readonly string[];
      readonly accepted: Readonly<Record<string, string>>;
    };

type UnitsByField = Readonly<Record<string, string>>;

/** Reading the metadata of a schema takes longer than a small run, so it is read once per solver. */
const acceptedBySolver = new WeakMap<SolverDefinition, UnitsByField>();

/** Numeric fields allowed in `inputs`, with their units. */
function acceptedInputs(solver: SolverDefinition): UnitsByField {
  const known = acceptedBySolver.get(solver);
  if (known) return known;
  const accepted: Record<string, string> = {};
  for (const [name, field] of Object.entries(solver.inputs.shape)) {
    const unit = unitOf(field as z.ZodType);
    if (unit !== undefined) accepted[name] = unit;
  }
  acceptedBySolver.set(solver, Object.freeze(accepted));
  return accepted;
}

/** What the fields of a solver mean; the unit of numeric fields only. */
export function fieldWords(
  solver: SolverDefinition,
): Readonly<Record<string, { readonly name: string; readonly unit?: string }>> {
  return Object.fromEntries(
    Object.entries(solver.inputs.shape).map(([key, field]) => {
      const unit = unitOf(field as z.ZodType);
      const name = (field as z.ZodType).description ?? '';
      return [key, unit === undefined ? { name } : { name, unit }];
    }),
  );
}

/** The unit of a numeric field, also inside wrappers (default, optional); undefined for other fields. */
export function unitOf(field: z.ZodType, outer?: unknown): string | undefined {
  const unit = field.meta()?.unit ?? outer;
  if (field.type === 'number') return typeof unit === 'string' ? unit : '1';
  const inner = (field.def as { innerType?: z.ZodType }).innerType;
  return inner === undefined ? undefined : unitOf(inner, unit);
}

/**
 * Merges `inputs` with the top-level fields, which win with a note, and parses the result with the solver's schema.
 *
 * @param laws  laws of the operators that the body names, for an open solver
 * @throws DomainError VALIDATION_FAILED, OPERATOR_UNKNOWN, DOMAIN_UNKNOWN, and the errors of an open solver's equations
 */
export function bindSolverBody(solver: SolverDefinition, body: SolverBody, laws: readonly Law[] = []): Bound {
  return solver.open ? bindOpenBody(solver, solver.open, body, laws) : bindFields(solver, body);
}

/** Binds symbols to numbers in `consts`, and to those in `inputs` that are not solver fields. */
function bindOpenBody(
  solver: SolverDefinition,
  open: NonNullable<SolverDefinition['open']>,
  body: SolverBody,
  laws: readonly Law[],
): Bound {
  const fields = acceptedInputs(solver);
  const isField = ([name]: readonly [string, number]) => Object.hasOwn(fields, name);
  const numbers = Object.entries(body.inputs ?? {});
  const inputs = Object.fromEntries(numbers.filter(isField));
  const bound = bindFields(solver, { ...withLawDefaults(open, body, laws), inputs, consts: {} });
  if (bound.kind === 'gate') return bound;
  const symbols = Object.fromEntries(numbers.filter((entry) => !isField(entry)));
  const consts = canonicalCopy(body.consts ?? {});
  const accepted = open.acceptedSymbols(bound.input, laws);
  const unrecognised = unrecognisedKeys(symbols, consts, (name) => Object.hasOwn(accepted, name));
  if (unrecognised.length > 0) return { kind: 'gate', unrecognised, accepted: { ...fields, ...accepted } };
  const given = { ...consts, ...symbols };
  const explicit = open.explicitValues(bound.input);
  const duplicates = Object.keys(given).filter((name) => explicit.has(name));
  const shadowed = Object.keys(consts).filter((name) => Object.hasOwn(symbols, name));
  const notes = [
    ...bound.notes,
    ...shadowed.map((name) => `${name} is given as an input and as a constant; the input is used.`),
    ...duplicates.map((name) => duplicateNote(name, explicit.get(name))),
  ];
  return { ...bound, input: canonicalCopy(open.withValues(bound.input, given)), consts, notes };
}

/**
 * Parses a solver's own fields with their defaults, and returns the definition that computes them.
 *
 * @param laws  laws that are added to the equations of an open solver
 * @throws DomainError VALIDATION_FAILED, OPERATOR_UNKNOWN for a fixed chain, and the errors of an open solver's equations
 */
export function bindInput(
  solver: SolverDefinition,
  input: object,
  laws: readonly Law[],
): { readonly definition: SolverDefinition; readonly parsed: Record<string, unknown> } {
  const { open, inputs } = solver;
  if (open === undefined && laws.length > 0)
    throw new DomainError('OPERATOR_UNKNOWN', `Solver ${solver.id} has a fixed chain and accepts no laws.`);
  const given = open === undefined ? input : withLawDefaults(open, input, laws);
  const parsed = parseOrThrow(inputs, given, Object.keys(inputs.shape));
  return { definition: open?.bind(parsed, laws) ?? solver, parsed };
}

/** Adds the defaults that apply if laws are given, instead of the standard example. */
function withLawDefaults<Fields extends object>(
  { defaultsWithLaws }: Pick<OpenSolver, 'defaultsWithLaws'>,
  given: Fields,
  laws: readonly Law[],
): Fields {
  if (laws.length === 0) return given;
  const defined = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaultsWithLaws, ...Object.fromEntries(defined) } as Fields;
}

function bindFields(solver: SolverDefinition, body: SolverBody): Bound {
  assertOperators(solver, body);
  const accepted = acceptedInputs(solver);
  const inputs = owns(solver, 'inputs') ? {} : (body.inputs ?? {});
  // KO42 binds only its own phase, which is not an input of a solver's chain, so naming it has no effect.
  // A fixed chain takes no constants: one that is recorded but not used would look as if the number depended on it.
  const isField = (key: string) => Object.hasOwn(accepted, key);
  const unrecognised = unrecognisedKeys(inputs, body.consts ?? {}, isField, () => false);
  if (unrecognised.length > 0) return { kind: 'gate', unrecognised, accepted };

  const notes: string[] = [];
  const merged: Record<string, unknown> = { ...inputs };
  for (const [name, value] of Object.entries(body)) {
    if (isCommon(solver, name, value) || value === undefined) continue;
    if (Object.hasOwn(inputs, name)) notes.push(duplicateNote(name, value));
    merged[name] = value;
  }
  // −0 is sealed as 0, so the kernel must receive 0 too.
  for (const [name, value] of Object.entries(merged)) if (value === 0) merged[name] = 0;
  const input = parseOrThrow(solver.inputs, merged, Object.keys(solver.inputs.shape)) as Record<string, unknown>;
  return { kind: 'bound', input: canonicalCopy(input), consts: {}, notes };
}

const duplicateNote = (name: string, used: unknown) =>
  `${name} is given twice; ${String(used)} from the top level is used.`;

function assertOperators(solver: SolverDefinition, body: SolverBody): void {
  const unknownOperator = solver.open ? undefined : body.operators?.find((id) => !solver.operatorChain.includes(id));
  if (unknownOperator !== undefined) {
    throw new DomainError(
      'OPERATOR_UNKNOWN',
      `${unknownOperator} is not in the chain of ${solver.id}, which is ${solver.operatorChain.join(', ')}.`,
    );
  }
  if (owns(solver, 'domain')) return;
  if (body.domain !== undefined && body.domain.toLowerCase() !== solver.domain.toLowerCase()) {
    const [nearest = solver.domain] = nearestNames(body.domain, [solver.domain], 1);
    throw new DomainError('DOMAIN_UNKNOWN', `${solver.id} computes in the domain ${nearest}, not ${body.domain}.`);
  }
}
