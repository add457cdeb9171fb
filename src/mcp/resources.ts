// MCP resources that tool results link to. Each has the same URL over HTTP, so that any program can fetch it.

import { DomainError } from '../core/errors.ts';
import type { Context } from '../operations/operation.ts';

type Reader = Pick<Context, 'services' | 'baseUrl'>;

interface Resource {
  readonly uri: string;
  readonly mimeType: string;
}

const RESULT = /^\/api\/svc\/results\/([0-9a-f]{64})\.json$/;
const FIELD = /^\/api\/svc\/fields\/([0-9a-f]{64})\.bin$/;

export const resultTemplates = (baseUrl: string) => [
  {
    uriTemplate: `${baseUrl}/api/svc/results/{sha256}.json`,
    name: 'result',
    title: 'Full computation',
    description: 'An envelope that was too long for its tool result, complete and sealed.',
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
export async function readResult(
  uri: string,
  { services, baseUrl }: Reader,
): Promise<Resource & ({ readonly text: string } | { readonly blob: string })> {
  const path = uri.startsWith(`${baseUrl}/`) ? uri.slice(baseUrl.length) : '';
  const result = RESULT.exec(path)?.[1];
  if (result !== undefined) return { uri, mimeType: 'application/json', text: await services.results.read(result) };
  const field = FIELD.exec(path)?.[1];
  if (field !== undefined) {
    const bytes = await services.runs.field(field);
    return { uri, mimeType: 'application/octet-stream', blob: Buffer.from(bytes).toString('base64') };
  }
  throw new DomainError('NOT_FOUND', `Resource ${uri} not found; resources/templates/list lists the URI templates.`);
}
