// Snippets that repeat the computation elsewhere: TypeScript and the CLI; for curl and MCP see solve/snippets.ts.

import type { Quantities } from '../../protocol/chain-request.ts';
import type { PointsRequest } from '../../protocol/sweep/law-request.ts';
import { shellQuote } from '../kit/shell-quote.ts';
import type { FullOperator } from './registry.ts';

/** Request body of POST /api/svc/compute and the tool svc_compute. */
export function computeRequest(
  { id, domain }: FullOperator,
  quantities: Quantities,
  points: PointsRequest = {},
): Readonly<Record<string, unknown>> {
  return { domain, operators: [id], ...quantities, ...points };
}

/** For Node; the key is read from SVC_KEY. */
export function toTypeScript(origin: string, request: Readonly<Record<string, unknown>>): string {
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
export function toCommand(
  { id, prefix }: FullOperator,
  { inputs, units = {}, uncertainties = {}, solve_for: unknown }: Quantities,
): string {
  const parameters = Object.entries(inputs).map(([symbol, value]) => {
    const sigma = uncertainties[symbol] === undefined ? '' : `±${uncertainties[symbol]}`;
    return shellQuote(`${symbol}=${value}${sigma}${units[symbol] === undefined ? '' : ` ${units[symbol]}`}`);
  });
  const asked = unknown === undefined ? [] : ['--solve-for', unknown];
  return ['svc', 'compute', prefix, '--operators', id, ...asked, ...parameters].join(' ');
}
