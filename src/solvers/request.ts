// The body of a solver route: two shapes merged into the solver's own fields, and the dimensional gate.

import type { z } from 'zod';
import { DomainError } from '../core/errors.ts';
import { nearestNames } from '../core/nearest.ts';
import { parseOrThrow } from '../core/validation.ts';
import type { Law, OpenSolver, SolverDefinition } from './definition.ts';

/** What a route receives beside the solver's own fields. */
export interface SolverBody {
  readonly operators?: readonly string[] | undefined;
  readonly inputs?: Readonly<Record<string, number>> | undefined;
  readonly consts?: Readonly<Record<string, number>> | undefined;
  readonly domain?: string | undefined;
  readonly query?: string | undefined;
  readonly folder?: string | undefined;
  readonly strict?: boolean | undefined;
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
]);

/** Bound inputs, or what the gate refused. */
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

/** Numeric fields that may stand in `inputs`, with their units. */
function acceptedInputs(solver: SolverDefinition): Record<string, string> {
  const accepted: Record<string, string> = {};
  for (const [name, field] of Object.entries(solver.inputs.shape)) {
    const unit = unitOf(field as z.ZodType);
    if (unit !== undefined) accepted[name] = unit;
  }
  return accepted;
}

/** The unit of a numeric field; text and switches have none. Wrappers (default, optional) are looked through. */
function unitOf(field: z.ZodType, outer?: unknown): string | undefined {
  const unit = field.meta()?.unit ?? outer;
  if (field.type === 'number') return typeof unit === 'string' ? unit : '1';
  const inner = (field.def as { innerType?: z.ZodType }).innerType;
  return inner === undefined ? undefined : unitOf(inner, unit);
}

/**
 * Merge `inputs` with the top level (the top wins and a note says so) and parse with the solver's schema.
 *
 * @param laws  of the operators that the body names, for a solver whose chain follows from the request
 * @throws DomainError VALIDATION_FAILED, OPERATOR_UNKNOWN, DOMAIN_UNKNOWN, and what an open solver's equations refuse
 */
export function bindSolverBody(solver: SolverDefinition, body: SolverBody, laws: readonly Law[] = []): Bound {
  return solver.open ? bindOpenBody(solver, solver.open, body, laws) : bindFields(solver, body);
}

/** Numbers in `inputs` that are no fields of the solver, and constants that its equations read, stand for symbols. */
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
  const bound = bindFields(solver, { ...fieldsBeside(open, body, laws), inputs });
  if (bound.kind === 'gate') return bound;
  const symbols = numbers.filter((entry) => !isField(entry));
  const accepted = open.accepts(bound.input, laws);
  const unrecognised = symbols.map(([name]) => name).filter((name) => !Object.hasOwn(accepted, name));
  if (unrecognised.length > 0) return { kind: 'gate', unrecognised, accepted: { ...fields, ...accepted } };
  const constants = Object.entries(bound.consts).filter(([name]) => Object.hasOwn(accepted, name));
  const given = Object.fromEntries([...constants, ...symbols]);
  const own = open.numbersIn(bound.input);
  const twice = Object.keys(given).filter((name) => own.has(name));
  const notes = [...bound.notes, ...twice.map((name) => givenTwice(name, own.get(name)))];
  return { ...bound, input: asSealed(open.give(bound.input, given)), notes };
}

/**
 * A solver's own fields, with their defaults, and the record that computes them.
 *
 * @param laws  of operators that join the equations of an open solver
 * @throws DomainError VALIDATION_FAILED, OPERATOR_UNKNOWN where the chain is fixed, and what an open solver's equations refuse
 */
export function bindInput(
  solver: SolverDefinition,
  input: object,
  laws: readonly Law[],
): { readonly record: SolverDefinition; readonly parsed: Record<string, unknown> } {
  const { open, inputs } = solver;
  if (open === undefined && laws.length > 0)
    throw new DomainError('OPERATOR_UNKNOWN', `The chain of ${solver.id} is fixed; it takes no laws.`);
  const given = open === undefined ? input : fieldsBeside(open, input, laws);
  const parsed = parseOrThrow(inputs, given, Object.keys(inputs.shape));
  return { record: open?.bind(parsed, laws) ?? solver, parsed };
}

/** What nobody gives beside operators is not the standard example. */
function fieldsBeside<Fields extends object>(
  { besideLaws }: Pick<OpenSolver, 'besideLaws'>,
  given: Fields,
  laws: readonly Law[],
): Fields {
  if (laws.length === 0) return given;
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...besideLaws, ...Object.fromEntries(said) } as Fields;
}

function bindFields(solver: SolverDefinition, body: SolverBody): Bound {
  assertChain(solver, body);
  const accepted = acceptedInputs(solver);
  const inputs = body.inputs ?? {};
  // KO42 binds nothing but its own phase, which a solver's chain does not take: naming it is harmless.
  const unrecognised = Object.keys(inputs).filter((key) => !Object.hasOwn(accepted, key));
  if (unrecognised.length > 0) return { kind: 'gate', unrecognised, accepted };

  const notes: string[] = [];
  const merged: Record<string, unknown> = { ...inputs };
  for (const [name, value] of Object.entries(body)) {
    if (COMMON_FIELDS.has(name) || value === undefined) continue;
    if (Object.hasOwn(inputs, name)) notes.push(givenTwice(name, value));
    merged[name] = value;
  }
  // −0 means 0, and is sealed as 0: the kernel must see what the receipt says.
  for (const [name, value] of Object.entries(merged)) if (value === 0) merged[name] = 0;
  const input = parseOrThrow(solver.inputs, merged, Object.keys(solver.inputs.shape)) as Record<string, unknown>;
  return { kind: 'bound', input: asSealed(input), consts: asSealed(body.consts ?? {}), notes };
}

const givenTwice = (name: string, used: unknown) =>
  `${name} is given twice; ${String(used)} from the top level is used.`;

/** What JSON will say of them, so that a replay computes with the very same numbers: −0 is 0. */
function asSealed<Fields extends object>(fields: Fields): Fields {
  return JSON.parse(JSON.stringify(fields)) as Fields;
}

function assertChain(solver: SolverDefinition, body: SolverBody): void {
  const foreign = solver.open ? undefined : body.operators?.find((id) => !solver.operatorChain.includes(id));
  if (foreign !== undefined) {
    throw new DomainError(
      'OPERATOR_UNKNOWN',
      `${foreign} is not in the chain of ${solver.id}; its chain is ${solver.operatorChain.join(', ')}.`,
    );
  }
  if (body.domain !== undefined && body.domain.toLowerCase() !== solver.domain.toLowerCase()) {
    const [nearest = solver.domain] = nearestNames(body.domain, [solver.domain], 1);
    throw new DomainError('DOMAIN_UNKNOWN', `${solver.id} computes in the domain ${nearest}, not ${body.domain}.`);
  }
}
