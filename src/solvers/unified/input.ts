// Validated input of the solver.

import type { TextOrList, TextOrMap } from './entries.ts';

export type Method = 'auto' | 'dopri5' | 'rodas4' | 'rk4';

export interface UnifiedInput {
  readonly mode: 'auto' | 'expression' | 'chain' | 'ode';
  readonly equations: TextOrList;
  readonly vars?: TextOrMap<number> | undefined;
  readonly initial?: TextOrMap<number> | undefined;
  readonly units?: TextOrMap<string> | undefined;
  readonly t0: number;
  readonly t_end?: number | undefined;
  readonly method: Method;
  readonly rtol: number;
  readonly atol?: number | undefined;
  readonly dt?: number | undefined;
  readonly steps?: number | undefined;
  readonly max_step?: number | undefined;
  readonly max_steps?: number | undefined;
  readonly points: number;
  readonly events?: TextOrList | undefined;
  readonly invariants?: TextOrList | undefined;
  readonly invariant_tol: number;
  readonly outputs?: TextOrList | undefined;
}
