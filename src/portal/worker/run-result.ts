// The result of a finished run in the browser, for solvers and operators alike.

import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { Computation } from '../../protocol/computation.ts';
import { MAX_INLINE_ELEMENTS } from '../../protocol/executed-run.ts';
import { type Executed, type PureFields, pureFields } from '../../protocol/pure-fields.ts';
import type { Solution } from '../../solvers/definition.ts';
import type { RunResult } from './messages.ts';

/**
 * @param executed  the kernel that ran, its runs and their outputs
 * @param begin  start of the run by `performance.now`
 */
export function runResultOf(
  computation: Computation,
  executed: Executed,
  solution: Solution,
  begin: number,
  inputUnits: (pure: PureFields) => RunResult['inputUnits'],
): RunResult {
  const { pure } = pureFields(computation, executed, solution);
  return {
    solution,
    pure,
    sha256: sha256Hex(canonicalJson(pure)),
    elapsedMs: performance.now() - begin,
    kernel: computation.kernel,
    runArrays: longInputs(executed),
    inputUnits: inputUnits(pure),
  };
}

/** Input arrays that the pure fields hold only by hash. */
const longInputs = ({ runs }: Executed) =>
  runs.flatMap(({ inputs = {} }) =>
    Object.values(inputs).flatMap((data) => (data !== undefined && data.length > MAX_INLINE_ELEMENTS ? [data] : [])),
  );
