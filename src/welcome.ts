// Prints the welcome message after `npm start`: URL, demo key, a sample result, and a command to copy.

import type { Configuration } from './configuration.ts';
import type { Services } from './operations/services.ts';
import { parseAddress, unmapped } from './services/node/address-range.ts';
import { heat } from './solvers/heat/solver.ts';

export interface StartedNode {
  readonly services: Services;
  readonly url: string;
  /** The address that the server listens on. */
  readonly address: string;
}

export async function printWelcome(node: StartedNode, configuration: Configuration): Promise<void> {
  const { url } = node;
  const { databaseUrl, dataFolder } = configuration;
  const storage = databaseUrl === undefined ? `data in ${dataFolder}` : 'data in PostgreSQL';
  const lines = [
    '',
    `  svc is running at ${url}   (${storage})`,
    '',
    ...(isForThisMachineOnly(node, configuration) ? await sampleLines(node) : [`  Get a demo key: ${MINT}`]),
    '',
    `  Open ${url} in a browser. All routes: ${url}/openapi.json. Stop with Ctrl-C.`,
    '',
  ];
  console.log(lines.join('\n'));
}

const MINT = 'POST /api/demo-key/mint';

/** Elsewhere the output is a log that others read, so it must not hold a key. */
export function isForThisMachineOnly(
  { address }: Pick<StartedNode, 'address'>,
  { databaseUrl, isProduction, publicUrl, trustedProxies }: Configuration,
): boolean {
  const parsed = parseAddress(address);
  const isLoopback = parsed !== undefined && unmapped(parsed).range() === 'loopback';
  const isProxied = publicUrl !== undefined || trustedProxies.length > 0;
  return isLoopback && databaseUrl === undefined && !isProduction && !isProxied;
}

/** A demo key, a result computed with it, and commands to do the same. */
async function sampleLines({ services, url }: StartedNode): Promise<string[]> {
  const { key } = await services.keys.mintDemo();
  const principal = await services.access.authenticate(key);
  const sample = { dim: 1, nx: 64 };
  const sealed = await services.solve.run(heat, sample, {
    principal,
    tenant: principal.accountId,
    signal: new AbortController().signal,
    onProgress: undefined,
    isFiled: false,
  });
  const lines = [`  Your demo key, valid for 24 hours: ${key}`, ''];
  if (sealed.value !== null) {
    lines.push(
      '  A sealed sample result (heat conduction in a rod):',
      `    value     ${sealed.value} ${sealed.unit}   (${sealed.verification.method}: ${sealed.verification.reference})`,
      `    svcProof  ${sealed.svcProof}`,
      `    kernel    ${sealed.kernel_sha256}`,
      '',
    );
  }
  return [
    ...lines,
    '  Compute it yourself, then replay the receipt:',
    `    curl -s ${url}/api/svc/heat -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(sample)}' > receipt.json`,
    '    npx svc replay receipt.json',
  ];
}
