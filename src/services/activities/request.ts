// Sends the request of an activity: to a host that the settings of the machine allow, signed as webhooks are.

import { answeredCall, type CallOutcome, failedCall } from '../../contracts/calls/result.ts';
import type { StartedRequest } from '../../contracts/contract-state.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import type { Clock } from '../../core/clock.ts';
import { DomainError, type ErrorCode } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import { allowedUrl } from '../node/allowed-url.ts';
import type { OutboundClient } from '../node/outbound.ts';
import type { WebhookSecrets } from '../webhooks/secrets.ts';
import { signatureHeaders } from '../webhooks/signature.ts';

export interface RequestOptions {
  readonly outbound: Pick<OutboundClient, 'fetchText'>;
  readonly secrets: Pick<WebhookSecrets, 'getSigning'>;
  readonly clock: Clock;
}

/** Whether another try may end otherwise. */
export interface Tried {
  readonly outcome: CallOutcome;
  readonly isFinal: boolean;
}

/** A retry of these meets the same refusal, unless somebody changes the settings or the definition. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['ADDRESS_BLOCKED', 'FORBIDDEN', 'VALIDATION_FAILED']);
const NS_PER_SECOND = 1_000_000_000n;

/** @param id  of the activity, the same for every try, so that receivers can detect duplicates */
export async function sendRequest(
  { outbound, secrets, clock }: RequestOptions,
  request: StartedRequest,
  { id: machineId, settings }: Machine,
  id: string,
  signal: AbortSignal,
): Promise<Tried> {
  try {
    const { method, payload } = request;
    const url = allowedUrl(request.url, settings);
    const body = method === 'POST' ? canonicalJson(payload ?? {}) : '';
    if (method === 'GET')
      for (const [name, value] of Object.entries(payload ?? {})) url.searchParams.append(name, String(value));
    const seconds = Number(clock.now() / NS_PER_SECOND);
    const signing = await secrets.getSigning(machineId);
    const signatures = signatureHeaders(
      { id, seconds, body },
      signing.map(({ secret }) => secret),
    );
    const headers = method === 'POST' ? { 'content-type': 'application/json', ...signatures } : signatures;
    const sent = { url: url.href, method, headers, signal, ...(method === 'POST' ? { body } : {}) };
    const { status, text, isComplete } = await outbound.fetchText(sent);
    const isTaken = status >= 200 && status < 300;
    if (!isTaken)
      return { outcome: failedCall('STATUS', `${url.host} answered ${status}.`), isFinal: !isPassing(status) };
    if (isComplete) return { outcome: answeredCall(status, text, request), isFinal: true };
    const { answerBytes } = LIMITS.outbound;
    const reason = `The response of ${url.host} is longer than ${answerBytes} bytes.`;
    return { outcome: failedCall('BODY_TOO_LARGE', reason), isFinal: true };
  } catch (error) {
    if (!(error instanceof DomainError) || signal.aborted) throw error;
    return { outcome: failedCall(error.code, error.message), isFinal: FINAL.has(error.code) };
  }
}

/** A timeout, a limit of rates, or a fault of the server. */
const isPassing = (status: number) => status === 408 || status === 429 || status >= 500;
