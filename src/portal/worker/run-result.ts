// The result of a finished run in the browser, for solvers and operators alike.

import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { Computation } from '../../protocol/computation.ts';
import { type PureFields, pureFields } from '../../protocol/pure-fields.ts';
import type { Solution } from '../../solvers/definition.ts';
import type { RunResult } from './messages.ts';

/**
 * @param kernelSha256  hash of the kernel that ran
 * @param begin  start of the run by `performance.now`
 */
export function runResultOf(
  computation: Computation,
  kernelSha256: string,
  solution: Solution,
  begin: number,
  inputUnits: (pure: PureFields) => RunResult['inputUnits'],
): RunResult {
  const { pure } = pureFields(computation, kernelSha256, solution);
  return {
    solution,
    pure,
    sha256: sha256Hex(canonicalJson(pure)),
    elapsedMs: performance.now() - begin,
    kernel: computation.kernel,
    inputUnits: inputUnits(pure),
  };
}
