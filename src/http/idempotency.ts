// Idempotency-Key on every write: the stored response is the exact text that was sent the first time.

import { canonicalJson } from '../core/canonical-json.ts';
import type { Context } from '../operations/operation.ts';
import { isMedia, type Operation } from '../operations/operation.ts';
import { methodOf } from '../operations/route.ts';
import type { JsonBody } from './body.ts';

export interface OperationResponse {
  readonly status: number;
  /** JSON text, or undefined when `result` is bytes or text of another media type. */
  readonly text: string | undefined;
  readonly result: unknown;
  readonly isReplayed: boolean;
}

/** @param target  identifies the request beside its body: path parameters, query, If-Match */
export async function withIdempotency(
  operation: Operation,
  request: Context,
  target: readonly unknown[],
  body: JsonBody | undefined,
  run: () => Promise<unknown>,
): Promise<OperationResponse> {
  const status = operation.status ?? 200;
  const { idempotencyKey, services, caller } = request;
  if (isMedia(operation.output)) return { status, text: undefined, result: await run(), isReplayed: false };
  const isStored = methodOf(operation) !== 'DELETE' && operation.isSecret !== true;
  if (idempotencyKey === undefined || body === undefined || !isStored) {
    return { status, text: JSON.stringify(await run()), result: undefined, isReplayed: false };
  }
  const call = {
    principal: caller,
    isKeyless: request.principal === undefined,
    key: idempotencyKey,
    route: operation.route,
    target: canonicalJson(target),
    body: body.bytes,
  };
  const { rateLimit, freeSpace } = services;
  const { answer, isReplayed } = await services.idempotency.runOnce(call, async () => {
    // Answers of writes are short, and `invoke` counts what they write.
    if (operation.effect !== 'write') {
      freeSpace.assertNotLow();
      rateLimit.assertMayStore(request.principal, request.tenant);
    }
    const answered = Buffer.from(JSON.stringify(await run()));
    rateLimit.countStored(request.principal, request.tenant, answered.length);
    return { status, headers: {}, body: answered };
  });
  return { status: answer.status, text: Buffer.from(answer.body).toString('utf8'), result: undefined, isReplayed };
}
