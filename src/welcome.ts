// What a newcomer sees after `npm start`: the address, a key, a sealed solve, and a line to copy.

import type { Configuration } from './configuration.ts';
import type { Services } from './operations/services.ts';
import { heat } from './solvers/heat/solver.ts';

export async function welcome(services: Services, url: string, configuration: Configuration): Promise<void> {
  const { key } = await services.keys.mintDemo();
  const principal = await services.access.authenticate(key);
  const sample = { dim: 1, nx: 64 };
  const sealed = await services.solve.run(heat, sample, {
    principal,
    signal: new AbortController().signal,
    onProgress: undefined,
    isFiled: false,
  });
  const where =
    configuration.databaseUrl === undefined ? `embedded database in ${configuration.dataFolder}` : 'PostgreSQL';
  const lines = ['', `  svc is running at ${url}   (${where})`, '', `  demo key, 24 hours   ${key}`, ''];
  if (sealed.value !== null) {
    lines.push(
      '  a sealed solve: heat in a rod',
      `    value     ${sealed.value} ${sealed.unit}   (${sealed.verification.method}: ${sealed.verification.reference})`,
      `    svcProof  ${sealed.svcProof}`,
      `    kernel    ${sealed.kernel_sha256}`,
      '',
    );
  }
  lines.push(
    '  try it',
    `    curl -s ${url}/api/svc/heat -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(sample)}' > receipt.json`,
    '    npx svc replay receipt.json',
    '',
    `  every route: ${url}/openapi.json     stop with Ctrl-C`,
    '',
  );
  console.log(lines.join('\n'));
}
