// Descriptions of the solvers, generated from their definitions when the portal is built, and loaded when a page
// needs them.

import type { MeshFields } from '../../solvers/field.ts';
import type { QuantityWords } from '../../solvers/quantity-words.ts';
import type { AnswerWords, Condition, DrawnForm, Example, UnitWords } from '../../solvers/solver-form.ts';
import type { Subject } from '../../solvers/subject.ts';
import { loadJson } from '../kit/load-json.ts';
import type { MathNode } from '../kit/math-node.ts';

/** A list is a comma-separated text of names, an array one of numbers, an object one of `m = 2`, or JSON. */
export type FieldKind =
  | 'number'
  | 'integer'
  | 'choice'
  | 'switch'
  | 'text'
  | 'list'
  | 'array'
  | 'object'
  | 'text-or-array';

export interface FieldDescription {
  readonly name: string;
  /** In words. */
  readonly label?: string;
  /** True if it steers the computation and leaves the problem as it is. */
  readonly isNumerics?: boolean;
  /** Without a default, but shown by long forms. */
  readonly isShown?: boolean;
  /** Used if one of them holds; always without any. */
  readonly usedWhen?: readonly Condition[];
  readonly kind: FieldKind;
  /** "1" if dimensionless. */
  readonly unit: string;
  readonly symbol?: string;
  readonly help: string;
  readonly min?: number;
  readonly max?: number;
  /** True if the bounds themselves are not allowed. */
  readonly isExclusive?: boolean;
  readonly choices?: readonly string[];
  /** Rows of a multi-line text. */
  readonly rows?: number;
  /** How it may be drawn; the first that holds counts. */
  readonly drawn?: readonly DrawnForm[];
  /** Chosen by the solver if undefined. */
  readonly defaultValue?: number | string | boolean;
}

export interface SolverDescription {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly domain: string;
  readonly subject: Subject;
  /** What is solved, a formula each. */
  readonly equations: readonly MathNode[];
  readonly unit: string;
  readonly answer?: AnswerWords;
  readonly answers?: readonly (AnswerWords & { readonly when: Condition })[];
  readonly quantities?: QuantityWords;
  readonly mesh?: MeshFields;
  readonly units?: readonly UnitWords[];
  readonly method: string;
  readonly stability?: string;
  readonly operatorChain: readonly string[];
  readonly references: readonly { readonly cite: string; readonly at: string; readonly doi?: string }[];
  /** Field that takes the time of a run where it is empty. */
  readonly clock?: string;
  readonly fields: readonly FieldDescription[];
  /** Problems to start from. */
  readonly examples: readonly Example[];
}

/** What the list of solvers shows of one. */
export type SolverSummary = Pick<SolverDescription, 'id' | 'title' | 'domain' | 'subject' | 'summary'>;

declare const __SOLVER_FOLDER__: string;
declare const __START_SOLVER__: string;

/** Id of the solver on the start page. Both are defined by scripts/build-portal.ts. */
export const START_SOLVER: string = typeof __START_SOLVER__ === 'undefined' ? '' : __START_SOLVER__;

/** All solvers. @throws Error if the list cannot be fetched */
export const loadSummaries = () => loadJson<readonly SolverSummary[]>(`${__SOLVER_FOLDER__}index.json`);

/** @param id  of a solver in the list. @throws Error if the description cannot be fetched */
export const loadDescription = (id: string) => loadJson<SolverDescription>(`${__SOLVER_FOLDER__}${id}.json`);
