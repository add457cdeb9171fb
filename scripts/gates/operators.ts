// The operator checker (src/operators/lint) as a gate, and the kept list of definition hashes. `npm run
// check:operators` prints the findings of the checker in full.

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { EXPRESSION_KERNEL } from '../../src/expressions/evaluate.ts';
import type { KernelImage } from '../../src/kernels/abi.ts';
import { compileKernel, type KernelModule } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { lintRegistry, type Registry } from '../../src/operators/lint/lint.ts';
import { loadOperators } from '../../src/operators/load.ts';
import { type OwnLaws, type Worklist, withOwnLaws } from '../../src/operators/worklist.ts';
import { filesOf, type Gate } from './gate.ts';
import { registeredFaults } from './registered.ts';

const DOMAINS = 'src/operators/domains';

export const operators: Gate = {
  name: 'operators',
  async run(root) {
    if (!existsSync(join(root, 'src/operators/worklist.json'))) return { counted: 0, unit: 'operators', faults: [] };
    const { findings, domains } = lintRegistry(readRegistry(root, await compileKernel(await expressionKernel())));
    const errors = findings
      .filter(({ severity }) => severity === 'error')
      .map(({ prefix, id, check, text, fix }) => `${prefix}.json ${id ?? ''} [${check}] ${text} ${fix}`);
    const count = (key: 'operators' | 'examples' | 'mutants') => domains.reduce((sum, domain) => sum + domain[key], 0);
    return {
      counted: count('operators'),
      unit: `operators with ${count('examples')} examples and ${count('mutants')} mutants`,
      // A definition that the checker rejects must not enter the kept list.
      faults: errors.length > 0 ? errors : registeredFaults(root, loadOperators(join(root, DOMAINS)).values()),
    };
  },
};

export const expressionKernel = (): Promise<KernelImage> => loadKernel(EXPRESSION_KERNEL);

/** @param root  absolute path of the project, or of a test project with planted faults */
export function readRegistry(root: string, kernel: KernelModule): Registry {
  const folder = join(root, 'src/operators');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const schema = JSON.parse(read('schema.json'));
  const paths = filesOf(folder, ['domains/*.json']);
  return {
    files: new Map(paths.map((path) => [basename(path, '.json'), read(path)])),
    worklist: withOwnLaws(JSON.parse(read('worklist.json')) as Worklist, JSON.parse(read('own-laws.json')) as OwnLaws),
    schema: {
      validate: new Ajv2020({ allErrors: true, strict: true, strictRequired: false }).compile(schema),
      keys: Object.keys(schema.$defs.operator.properties),
    },
    kernel,
  };
}
