// The request context of an operation; costly parts are created lazily.

import type Koa from 'koa';
import type { Context } from '../operations/operation.ts';
import type { Services } from '../operations/services.ts';
import type { Principal } from '../services/access/access.ts';
import type { ForwardedHeaders } from '../services/access/forwarded-headers.ts';

export class RequestContext implements Context {
  readonly services: Services;
  readonly principal: Principal | undefined;
  readonly requestId: string;
  readonly caller: string;
  readonly tenant: string;
  readonly idempotencyKey: string | undefined;
  onProgress: Context['onProgress'];
  readonly #context: Koa.Context;
  readonly #forwarded: ForwardedHeaders;
  #controller: AbortController | undefined;

  constructor(context: Koa.Context, services: Services, principal: Principal | undefined, forwarded: ForwardedHeaders) {
    this.#context = context;
    this.#forwarded = forwarded;
    this.services = services;
    this.principal = principal;
    this.requestId = context.state.requestId;
    const address = clientAddressOf(context);
    this.caller = principal?.keyId ?? address;
    this.tenant = services.rateLimit.tenantOf(principal, address);
    const key = context.headers['idempotency-key'];
    this.idempotencyKey = typeof key === 'string' ? key : undefined;
  }

  get isLocal(): boolean {
    return this.#forwarded.isLocal(this.#context.req);
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
    return this.#forwarded.baseUrlOf(this.#context.req);
  }
}

/** The address that the application found when the request arrived. */
export function clientAddressOf({ state }: Koa.Context): string {
  return state.clientAddress;
}
