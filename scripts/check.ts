// Runs the gates: all checks of the sources that need no test run.
//
//   node scripts/check.ts [gate …]      by parts of their names: `node scripts/check.ts types globals`

import { ROOT } from './compile-kernel.ts';
import { compiledExpressions } from './gates/compiled-expressions.ts';
import { type Gate, type GateResult, runTool } from './gates/gate.ts';
import { globals } from './gates/globals.ts';
import { kernelSizes } from './gates/kernel-sizes.ts';
import { assemblyRoom, builtKernels } from './gates/kernels.ts';
import { lockFiles } from './gates/lock-files.ts';
import { operators } from './gates/operators.ts';
import { directions, lint, types, unused } from './gates/tools.ts';
import { typeImports } from './gates/type-imports.ts';
import { wording } from './gates/wording.ts';

const GATES: readonly Gate[] = [
  types,
  lint,
  directions,
  typeImports,
  unused,
  globals,
  assemblyRoom,
  builtKernels,
  kernelSizes,
  compiledExpressions,
  operators,
  lockFiles,
  wording,
];

const asked = process.argv.slice(2);
const chosen = GATES.filter(({ name }) => asked.length === 0 || asked.some((word) => name.includes(word)));
if (chosen.length === 0)
  throw new Error(`no gate ${asked.join(' ')}; the gates are ${GATES.map((g) => g.name).join(', ')}`);

const build = await runTool(ROOT, 'node', ['scripts/build-kernels.ts']);
if (build.code !== 0) throw new Error(`the kernels do not build: ${build.stderr}`);
const results = inLanes(chosen.map((gate) => () => gate.run(ROOT)));
let failed = 0;
for (const [i, gate] of chosen.entries()) {
  const { counted, unit: of, faults } = (await results[i]) as GateResult;
  const hasPassed = counted > 0 && faults.length === 0;
  if (!hasPassed) failed++;
  console.log(`${hasPassed ? 'ok  ' : 'FAIL'} ${gate.name}: ${counted} ${of}, ${faults.length} faults`);
  for (const fault of faults) console.log(`     ${fault.replaceAll('\n', '\n     ')}`);
  if (counted === 0) console.log('     checked nothing, which is a fault of the gate');
}
console.log(failed === 0 ? `all ${chosen.length} gates passed` : `${failed} of ${chosen.length} gates failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs the tasks two at a time, for most gates are tools of one thread. @returns their results, in order */
function inLanes<T>(tasks: readonly (() => Promise<T>)[]): Promise<T>[] {
  const waiting = tasks.map((task) => ({ task, ...Promise.withResolvers<T>() }));
  const results = waiting.map(({ promise }) => promise);
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { task, resolve, reject } = next;
      await task().then(resolve, reject);
    }
  };
  for (let lane = 0; lane < 2; lane++) void runNext();
  return results;
}
