// The request context of an operation; costly parts are created lazily.

import type Koa from 'koa';
import type { Context } from '../operations/operation.ts';
import type { Services } from '../operations/services.ts';
import type { Principal } from '../services/access/access.ts';

export class RequestContext implements Context {
  readonly services: Services;
  readonly principal: Principal | undefined;
  readonly requestId: string;
  readonly caller: string;
  readonly idempotencyKey: string | undefined;
  onProgress: Context['onProgress'];
  readonly #context: Koa.Context;
  readonly #baseUrl: string | undefined;
  #controller: AbortController | undefined;

  constructor(context: Koa.Context, services: Services, principal: Principal | undefined, baseUrl: string | undefined) {
    this.#context = context;
    this.#baseUrl = baseUrl;
    this.services = services;
    this.principal = principal;
    this.requestId = context.state.requestId;
    this.caller = principal?.keyId ?? remoteAddressOf(context);
    const key = context.headers['idempotency-key'];
    this.idempotencyKey = typeof key === 'string' ? key : undefined;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Aborts when the client disconnects before the response is sent. */
  get controller(): AbortController {
    if (!this.#controller) {
      const controller = new AbortController();
      this.#controller = controller;
      const { res } = this.#context;
      const onClose = () => {
        if (!res.writableFinished) controller.abort();
      };
      // If the client disconnected during authentication, `close` has already fired.
      if (res.destroyed) onClose();
      else res.once('close', onClose);
    }
    return this.#controller;
  }

  get baseUrl(): string {
    return this.#baseUrl ?? `${this.#context.protocol}://${this.#context.host}`;
  }
}

export function remoteAddressOf({ req }: Koa.Context): string {
  return req.socket.remoteAddress ?? 'unknown';
}
