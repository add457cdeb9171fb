// Prints the welcome message after `npm start`: URL, demo key, a sample result, and a command to copy.

import type { Configuration } from './configuration.ts';
import type { Services } from './operations/services.ts';
import { heat } from './solvers/heat/solver.ts';

export async function printWelcome(services: Services, url: string, configuration: Configuration): Promise<void> {
  const { key } = await services.keys.mintDemo();
  const principal = await services.access.authenticate(key);
  const sample = { dim: 1, nx: 64 };
  const sealed = await services.solve.run(heat, sample, {
    principal,
    signal: new AbortController().signal,
    onProgress: undefined,
    isFiled: false,
  });
  const storage =
    configuration.databaseUrl === undefined ? `data in ${configuration.dataFolder}` : 'data in PostgreSQL';
  const lines = [
    '',
    `  svc is running at ${url}   (${storage})`,
    '',
    `  Your demo key, valid for 24 hours: ${key}`,
    '',
  ];
  if (sealed.value !== null) {
    lines.push(
      '  A sealed sample result (heat conduction in a rod):',
      `    value     ${sealed.value} ${sealed.unit}   (${sealed.verification.method}: ${sealed.verification.reference})`,
      `    svcProof  ${sealed.svcProof}`,
      `    kernel    ${sealed.kernel_sha256}`,
      '',
    );
  }
  lines.push(
    '  Compute it yourself, then replay the receipt:',
    `    curl -s ${url}/api/svc/heat -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(sample)}' > receipt.json`,
    '    npx svc replay receipt.json',
    '',
    `  Open ${url} in a browser. All routes: ${url}/openapi.json. Stop with Ctrl-C.`,
    '',
  );
  console.log(lines.join('\n'));
}
