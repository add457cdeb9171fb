// The computation on screen as something to paste elsewhere; curl and the MCP call are those of the solvers.

import type { Quantities } from '../../protocol/chain-request.ts';
import type { FullOperator } from './registry.ts';

/** What POST /api/svc/compute and the tool svc_compute take. */
export function requestOf({ id, domain }: FullOperator, quantities: Quantities): Readonly<Record<string, unknown>> {
  return { domain, operators: [id], ...quantities };
}

/** For Node and browsers; the key stands in SVC_KEY. */
export function asTypeScript(origin: string, request: Readonly<Record<string, unknown>>): string {
  return [
    `const response = await fetch('${origin}/api/svc/compute', {`,
    "  method: 'POST',",
    `  headers: { authorization: \`Bearer \${process.env.SVC_KEY}\`, 'content-type': 'application/json' },`,
    `  body: JSON.stringify(${JSON.stringify(request, null, 2).replaceAll('\n', '\n  ')}),`,
    '});',
    'const receipt = await response.json();',
    'console.log(receipt.value, receipt.unit, receipt.uncertainty);',
  ].join('\n');
}

/** For a POSIX shell. */
export function asCommand(
  { id, prefix }: FullOperator,
  { inputs, units = {}, uncertainties = {} }: Quantities,
): string {
  const words = Object.entries(inputs).map(([symbol, value]) => {
    const sigma = uncertainties[symbol] === undefined ? '' : `±${uncertainties[symbol]}`;
    return quoted(`${symbol}=${value}${sigma}${units[symbol] === undefined ? '' : ` ${units[symbol]}`}`);
  });
  return ['svc', 'compute', prefix, '--operators', id, ...words].join(' ');
}

const quoted = (word: string) => (/^[\w=.+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
