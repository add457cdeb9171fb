// Solvers that exist only in a build of the portal, to see what their number costs.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/compile-kernel.ts';
import type { PortalSolver } from '../../scripts/portal/solver-files.ts';
import { SOLVERS } from '../../src/solvers/index.ts';

const DOMAINS = [
  'Acoustics',
  'Chemical Kinetics',
  'Fluid Dynamics',
  'Nuclear Physics',
  'Power Systems',
  'Wave Mechanics',
];

export interface DummySolvers {
  readonly solvers: readonly PortalSolver[];
  /** Holds their modules; to be deleted after the build. */
  readonly folder: string;
}

/** Copies of the registered solvers in turn, each under a name, title and domain of its own. */
export function dummySolvers(count: number): DummySolvers {
  // Inside the repository, so that their imports find its packages.
  const folder = mkdtempSync(join(ROOT, 'build/dummy-solvers-'));
  const solvers = Array.from({ length: count }, (_, i) => {
    const copied = SOLVERS[i % SOLVERS.length];
    if (!copied) throw new Error('No solver is registered.');
    const id = `dummy${i + 1}`;
    const [title, domain = ''] = [`${copied.title}, copy ${i + 1}`, DOMAINS[i % DOMAINS.length]];
    const module = join(folder, `${id}.ts`);
    const source = JSON.stringify(join(ROOT, `src/solvers/${copied.id}/solver.ts`));
    const own = JSON.stringify({ id, title, domain });
    writeFileSync(
      module,
      `import { ${copied.id} } from ${source};\n\nexport const ${id} = { ...${copied.id}, ...${own} };\n`,
    );
    return { definition: { ...copied, id, title, domain }, module };
  });
  return { solvers, folder };
}
