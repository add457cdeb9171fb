// Everything about the sources that a machine can judge.
//
//   node scripts/check.ts [gate …]      a part of a name is enough: `node scripts/check.ts types globals`

import { ROOT } from './compile-kernel.ts';
import { type Gate, runTool } from './gates/gate.ts';
import { globals } from './gates/globals.ts';
import { assemblyRoom, builtKernels } from './gates/kernels.ts';
import { operators } from './gates/operators.ts';
import { directions, lint, types, unused } from './gates/tools.ts';

const GATES: readonly Gate[] = [types, lint, directions, unused, globals, assemblyRoom, builtKernels, operators];

const asked = process.argv.slice(2);
const chosen = GATES.filter(({ name }) => asked.length === 0 || asked.some((word) => name.includes(word)));
if (chosen.length === 0)
  throw new Error(`no gate ${asked.join(' ')}; there are ${GATES.map((g) => g.name).join(', ')}`);

const build = await runTool(ROOT, 'node', ['scripts/build-kernels.ts']);
if (build.code !== 0) throw new Error(`the kernels do not build: ${build.stderr}`);
let failed = 0;
for (const gate of chosen) {
  const { counted, of, faults } = await gate.look(ROOT);
  const isGood = counted > 0 && faults.length === 0;
  if (!isGood) failed++;
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${gate.name}: ${counted} ${of}, ${faults.length} faults`);
  for (const fault of faults) console.log(`     ${fault.replaceAll('\n', '\n     ')}`);
  if (counted === 0) console.log('     saw nothing, which is a fault of the gate');
}
console.log(failed === 0 ? `all ${chosen.length} gates passed` : `${failed} of ${chosen.length} gates failed`);
process.exitCode = failed === 0 ? 0 : 1;
