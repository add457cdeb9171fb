// Finds receipts that this node stores, by link, hash or run id, so that nobody has to copy a whole envelope.
//
// Nothing is fetched: a link is read as a path of this node, and a link to another host is refused.

import { DomainError } from '../../core/errors.ts';
import { isRecord } from '../../core/record.ts';
import { quoteValue } from '../../core/validation.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { Principal } from '../access/access.ts';
import type { ResultService } from './results.ts';
import type { RunService } from './runs.ts';

const RESULT = /^(?:\/api\/svc\/results\/)?([0-9a-f]{64})(?:\.json)?$/;
const RUN = /^(?:\/api\/svc\/runs\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export class ReceiptService {
  readonly #results: Pick<ResultService, 'read'>;
  readonly #runs: Pick<RunService, 'get'>;

  constructor(results: Pick<ResultService, 'read'>, runs: Pick<RunService, 'get'>) {
    this.#results = results;
    this.#runs = runs;
  }

  /**
   * @param reference  link, path or SHA-256 of a stored result, or link, path or id of a run of the caller
   * @param baseUrl  this node, as the caller sees it
   * @throws DomainError NOT_FOUND, RUN_NOT_FOUND, AUTH_REQUIRED for a run without a key, VALIDATION_FAILED
   */
  async find(reference: string, principal: Principal | undefined, baseUrl: string): Promise<Untrusted> {
    const path = reference.startsWith(`${baseUrl}/`) ? reference.slice(baseUrl.length) : reference;
    const sha256 = RESULT.exec(path)?.[1];
    if (sha256 !== undefined) return receiptOf(await this.#results.read(sha256), reference);
    const id = RUN.exec(path)?.[1];
    if (id !== undefined) return { ...(await this.#runs.get(principal, id)).envelope };
    throw refusal(
      `receipt is ${quoteValue(reference)}; the link or SHA-256 of a result, or the link or id of a run, on ${baseUrl} is expected.`,
    );
  }
}

/** @throws DomainError VALIDATION_FAILED */
function receiptOf(json: string, reference: string): Untrusted {
  const stored: unknown = JSON.parse(json);
  // The answer to a question holds its envelope beside the dispatch.
  const value = isRecord(stored) && isRecord(stored.result) ? stored.result : stored;
  if (isRecord(value) && typeof value.kernel_sha256 === 'string') return value;
  throw refusal(`receipt is ${quoteValue(reference)}, which is stored, but is not an envelope.`);
}

function refusal(message: string): DomainError {
  const details = [{ path: 'receipt', code: 'NOT_A_RECEIPT', message }];
  return new DomainError('VALIDATION_FAILED', message, { details });
}
