// The solvers of a portal build: a chunk of code and a description for each one, and the list of all. What a page loads
// before it opens a solver does not grow with their number.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { definitionOf } from '../../src/operators/definition.ts';
import { findOperator } from '../../src/operators/load.ts';
import type { SolverDefinition } from '../../src/solvers/definition.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { ROOT } from '../compile-kernel.ts';
import { describeSolver } from './describe-solver.ts';

export interface PortalSolver {
  readonly definition: SolverDefinition;
  /** Absolute path of the module that exports the definition under its id. */
  readonly module: string;
}

export const REGISTERED: readonly PortalSolver[] = SOLVERS.map((definition) => ({
  definition,
  module: join(ROOT, `src/solvers/${definition.id}/solver.ts`),
}));

/** Ids of the chunks; the zero keeps them from other plugins. */
const CHUNK = '\0solver:';
const LOADER = /\/src\/portal\/worker\/load-solver\.ts$/;

/** Defines `__SOLVER_MODULES__`: for each solver a function that loads its chunk. */
export function solverChunks(solvers: readonly PortalSolver[]): Plugin {
  const byChunk = new Map(solvers.map((solver) => [`${CHUNK}${solver.definition.id}`, solver]));
  return {
    name: 'solver-chunks',
    // After the types are stripped, and with them the declaration of the name.
    enforce: 'post',
    resolveId: (id) => (byChunk.has(id) ? id : undefined),
    load(id) {
      const solver = byChunk.get(id);
      return solver && chunkOf(solver);
    },
    transform(code, id) {
      if (!LOADER.test(id)) return undefined;
      const loaders = [...byChunk].map(
        ([chunk, { definition }]) => `${JSON.stringify(definition.id)}: () => import(${JSON.stringify(chunk)})`,
      );
      return { code: `const __SOLVER_MODULES__ = { ${loaders.join(', ')} };\n${code}`, map: null };
    },
    outputOptions: (options) => ({
      ...options,
      chunkFileNames: ({ facadeModuleId, name }) => {
        const solver = facadeModuleId == null ? undefined : byChunk.get(facadeModuleId);
        return `assets/${solver === undefined ? name : `solver-${solver.definition.id}`}-[hash].js`;
      },
    }),
  };
}

/** The solver and the definitions of its chain: the portal does not bundle the registry. */
function chunkOf({ definition: { id, operatorChain }, module }: PortalSolver): string {
  const definitions = operatorChain.map((operator) => definitionOf(findOperator(operator)));
  return [
    `export { ${id} as solver } from ${JSON.stringify(module)};`,
    `export const definitions = ${JSON.stringify(definitions)};`,
  ].join('\n');
}

/** Writes `index.json` and `<id>.json` of every solver to one folder, whose name changes with the contents. */
export function solverDescriptions(solvers: readonly PortalSolver[]): {
  readonly folder: string;
  readonly plugin: Plugin;
} {
  const definitions = solvers.map(({ definition }) => definition);
  const index = definitions.map(({ id, title, domain, subject, summary }) => ({ id, title, domain, subject, summary }));
  const files = new Map<string, string>([
    ['index.json', JSON.stringify(index)],
    ...definitions.map((one) => [`${one.id}.json`, JSON.stringify(describeSolver(one))] as const),
  ]);
  const hash = createHash('sha256')
    .update(JSON.stringify([...files]))
    .digest('base64url')
    .slice(0, 8);
  const folder = `assets/solvers-${hash}/`;
  const plugin: Plugin = {
    name: 'solver-descriptions',
    generateBundle() {
      for (const [name, source] of files) this.emitFile({ type: 'asset', fileName: `${folder}${name}`, source });
    },
  };
  return { folder: `/${folder}`, plugin };
}
