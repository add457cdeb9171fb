// MCP resources that tool results link to. Each has the same URL over HTTP, so that any program can fetch it.

import { DomainError } from '../core/errors.ts';
import { getSolver } from '../operations/compute/solvers.ts';
import { type InvokeOptions, invoke } from '../operations/invoke.ts';
import type { Context } from '../operations/operation.ts';

interface Resource {
  readonly uri: string;
  readonly mimeType: string;
}

const SOLVER = /^\/api\/svc\/solvers\/([\w-]{1,40})$/;
const RESULT = /^\/api\/svc\/results\/([0-9a-f]{64})\.json$/;
const FIELD = /^\/api\/svc\/fields\/([0-9a-f]{64})\.bin$/;

export const resourceTemplates = (baseUrl: string) => [
  {
    uriTemplate: `${baseUrl}/api/svc/solvers/{solver}`,
    name: 'solver',
    title: 'Solver',
    description: 'Method of the tool svc_{solver}, and every input with unit, range and meaning.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: `${baseUrl}/api/svc/results/{sha256}.json`,
    name: 'result',
    title: 'Full computation',
    description: 'The sealed envelope of a tool result, complete, as svc_verify and a replay take it.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: `${baseUrl}/api/svc/fields/{sha256}.bin`,
    name: 'field',
    title: 'Large array',
    description: 'Little-endian doubles, row-major; shape and unit are in the envelope.',
    mimeType: 'application/octet-stream',
  },
];

/** @throws DomainError NOT_FOUND */
export async function readResource(
  uri: string,
  context: Context,
  options: InvokeOptions,
): Promise<Resource & ({ readonly text: string } | { readonly blob: string })> {
  const { services, baseUrl } = context;
  const path = uri.startsWith(`${baseUrl}/`) ? uri.slice(baseUrl.length) : '';
  const solver = SOLVER.exec(path)?.[1];
  if (solver !== undefined) {
    const text = JSON.stringify(await invoke(getSolver, { solver }, context, options));
    return { uri, mimeType: 'application/json', text };
  }
  const result = RESULT.exec(path)?.[1];
  if (result !== undefined) return { uri, mimeType: 'application/json', text: await services.results.read(result) };
  const field = FIELD.exec(path)?.[1];
  if (field !== undefined) {
    const bytes = await services.runs.field(field);
    return { uri, mimeType: 'application/octet-stream', blob: Buffer.from(bytes).toString('base64') };
  }
  throw new DomainError('NOT_FOUND', `Resource ${uri} not found; resources/templates/list lists the URI templates.`);
}
