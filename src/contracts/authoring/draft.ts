// Checks a definition that somebody is writing: every fault in order of cause, each with its place, what stands there, what
// is expected and how to mend it; then what is legal, but hardly meant.

import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError, type ErrorDetail } from '../../core/errors.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { parseOrThrow } from '../../core/validation.ts';
import { definitionFaults, payerFaults } from '../check.ts';
import { type CompiledContract, compileContract } from '../compiled.ts';
import { Definition, type Scalars } from '../definition.ts';
import { CURRENT_ENGINE } from '../engine-edition.ts';
import { guardWarnings } from '../guard-warnings.ts';
import { partyStateOf } from '../parties/party-state.ts';
import type { DeadlineSource } from '../time/arm.ts';
import { initialState } from '../transition-function.ts';
import { fixOf, rankOf } from './causes.ts';
import { placeOf } from './pointer.ts';
import { structureWarnings } from './warnings.ts';

/** A fault or a warning about a definition. */
export interface Finding {
  /** JSON Pointer (RFC 6901) of the definition: `/transitions/2/trigger/after`. */
  readonly pointer: string;
  /** Stable name of what is wrong. */
  readonly code: string;
  readonly message: string;
  /** What stands there: null if nothing does, undefined if it is long. */
  readonly got?: unknown;
  readonly expected?: string | undefined;
  readonly fix?: string | undefined;
  /** Pointer of an earlier fault that is the likely cause of this one. */
  readonly cause?: string | undefined;
}

export interface CheckOptions {
  /** Values that replace the defaults of parameters. */
  readonly parameters?: Scalars | undefined;
  /** Faults of the operators and solvers that a definition calls, by whoever has their registry; none by default. */
  readonly callFaults?: ((definition: Definition) => readonly ErrorDetail[]) | undefined;
  /** Computes the deadlines of the initial state, as a deployment at this tick does; not checked by default. */
  readonly deployment?: { readonly tick: number; readonly source: DeadlineSource } | undefined;
}

export interface CheckedDraft {
  /** Whether it can be deployed with these parameters. */
  readonly isSound: boolean;
  readonly faults: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** Undefined if the document has not the form of a definition. */
  readonly definition: Definition | undefined;
  /** SHA-256 of the canonical JSON: what a deployment states in its row. */
  readonly definitionHash: string | undefined;
  /** Undefined if there are faults. */
  readonly contract: CompiledContract | undefined;
}

/** The most faults of one answer. */
const MAX_FAULTS = 50;

/** A definition as a file holds it: `$schema`, which editors read, is no part of it. */
function withoutSchema(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  const { $schema: _, ...definition } = document as Readonly<Record<string, unknown>>;
  return definition;
}

/** Checks an untrusted document. It never throws for what stands in it. */
export function checkDraft(document: unknown, options: CheckOptions = {}): CheckedDraft {
  const given = withoutSchema(document);
  let definition: Definition;
  try {
    definition = parseOrThrow(Definition, given, Object.keys(Definition.shape));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const nothing = { definition: undefined, definitionHash: undefined, contract: undefined };
    return { isSound: false, faults: findings(given, error.details, true), warnings: [], ...nothing };
  }
  const definitionHash = sha256Hex(canonicalJson(definition));
  const { parameters = {}, callFaults } = options;
  const details = [
    ...(callFaults?.(definition) ?? []),
    ...definitionFaults(definition, parameters),
    ...payerFaults(definition),
  ];
  if (details.length === 0) details.push(...deploymentFaults(definition, options));
  const faults = findings(given, details, false);
  const isSound = faults.length === 0;
  const contract = isSound ? compileContract(definition, parameters) : undefined;
  const remarks = contract === undefined ? [] : [...guardWarnings(contract), ...structureWarnings(contract)];
  return { isSound, faults, warnings: findings(given, remarks, false), definition, definitionHash, contract };
}

/** Deadlines of the initial state that cannot be set. */
function deploymentFaults(definition: Definition, { parameters = {}, deployment }: CheckOptions): ErrorDetail[] {
  // A contract with a key sets its deadlines when an event spawns an instance.
  if (deployment === undefined || definition.key !== undefined) return [];
  const { tick, source } = deployment;
  try {
    const parties = definition.parties === undefined ? undefined : partyStateOf({});
    initialState(compileContract(definition, parameters), tick, 0, CURRENT_ENGINE, parties, source);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.details.length > 0
      ? [...error.details]
      : [{ path: 'initial', code: error.code, message: error.message }];
  }
}

/** Details with their places and fixes, in order of cause; those of one kind stay in their order. */
function findings(document: unknown, details: readonly ErrorDetail[], isForm: boolean): Finding[] {
  const ordered = details
    .map((detail, order) => ({ detail, order, rank: rankOf(detail.code, isForm, detail.path) }))
    .sort((a, b) => a.rank - b.rank || a.order - b.order)
    .slice(0, MAX_FAULTS);
  const found: Finding[] = [];
  const seen = new Set<string>();
  for (const { detail } of ordered) {
    const { path, code, message } = detail;
    if (seen.has(message)) continue;
    seen.add(message);
    const { pointer, got } = placeOf(document, path);
    const expected = expectedIn(message);
    const cause = code === 'UNUSED' ? causeOfUnused(pointer, found) : undefined;
    found.push({
      pointer,
      code,
      message,
      ...(got === undefined ? {} : { got }),
      ...(expected === undefined ? {} : { expected }),
      fix: nearestIn(message) ?? fixOf(code, isForm),
      ...(cause === undefined ? {} : { cause }),
    });
  }
  return found;
}

/** What a message says to be expected: it stands after what was got. */
function expectedIn(message: string): string | undefined {
  const [, afterColumn] = /: Column \d+: got .*? instead of (.+?)\.(?: Did you mean .*)?$/.exec(message) ?? [];
  if (afterColumn !== undefined) return afterColumn;
  const [, expected] = /; ((?!did you mean)[^;]+?)\.?$/.exec(message) ?? [];
  return expected;
}

function nearestIn(message: string): string | undefined {
  const [, name] = /\b[Dd]id you mean ([^?.;]+)/.exec(message) ?? [];
  return name === undefined ? undefined : `Write ${name}, if that is what you mean.`;
}

/** A name is unused because the place that should read it has another one. */
function causeOfUnused(pointer: string, earlier: readonly Finding[]): string | undefined {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return earlier.find(({ fix }) => fix?.startsWith(`Write ${name},`))?.pointer;
}
