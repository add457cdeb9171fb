// Authenticates requests and applies the rate limit.

import type Koa from 'koa';
import { DomainError } from '../core/errors.ts';
import { passCookie } from '../operations/machines/access/unlock.ts';
import type { Operation } from '../operations/operation.ts';
import { methodOf } from '../operations/route.ts';
import type { Services } from '../operations/services.ts';
import type { Principal } from '../services/access/access.ts';
import { cookieOf } from './cookies.ts';
import { consumeRate } from './rate-limit.ts';
import { clientAddressOf } from './request-context.ts';

/** Repeats the authentication of a stream's caller while the stream is open. */
export interface Reauthentication {
  readonly hasKey: boolean;
  /** Looks up the current principal of the caller. @throws DomainError  if its key is revoked or expired */
  readonly reauthenticate: () => Promise<Principal | undefined>;
}

export class Admission {
  readonly #services: Pick<Services, 'access' | 'rateLimit' | 'readPasses'>;
  readonly #principals = new WeakMap<Koa.Context, Principal>();

  constructor(services: Pick<Services, 'access' | 'rateLimit' | 'readPasses'>) {
    this.#services = services;
  }

  /**
   * Authenticates the key, if one is given, and counts the request against the rate limit.
   *
   * @throws DomainError KEY_…  for an invalid key, even on public routes; RATE_LIMITED
   */
  async admit(context: Koa.Context): Promise<void> {
    const { access, rateLimit } = this.#services;
    const header = context.headers.authorization;
    const address = clientAddressOf(context);
    if (header === undefined) {
      await consumeRate(rateLimit, context, undefined, address);
      return;
    }
    const raw = bearerOf(header);
    try {
      if (raw === undefined)
        throw new DomainError('KEY_INVALID', 'The Authorization header must have the form `Bearer svc_ak_…`.');
      const principal = await access.authenticate(raw);
      this.#principals.set(context, principal);
      await consumeRate(rateLimit, context, principal, address);
    } catch (error) {
      // Failed attempts count against the address.
      if (error instanceof DomainError && error.code.startsWith('KEY_'))
        await consumeRate(rateLimit, context, undefined, address);
      throw error;
    }
  }

  /** The principal that `admit` authenticated. */
  principalOf(context: Koa.Context): Principal | undefined {
    return this.#principals.get(context);
  }

  /** Whose share of the rates a request uses; of one that `admit` refused, that of its address. */
  tenantOf(context: Koa.Context): string {
    return this.#services.rateLimit.tenantOf(this.principalOf(context), clientAddressOf(context));
  }

  /** The principal of a browser without a key, from its read-pass cookie; valid for public GET routes only. */
  async readPassPrincipal(
    context: Koa.Context,
    operation: Operation,
    slug: string | undefined,
  ): Promise<Principal | undefined> {
    const isPublicRead = operation.tier === 'public' && methodOf(operation) === 'GET';
    if (slug === undefined || !isPublicRead || context.headers.authorization !== undefined) return undefined;
    const pass = cookieOf(context.headers.cookie, passCookie(slug));
    return pass === undefined ? undefined : this.#services.readPasses.open(pass);
  }

  reauthenticationOf(context: Koa.Context, operation: Operation, slug: string | undefined): Reauthentication {
    const raw = bearerOf(context.headers.authorization);
    const hasKey = raw !== undefined;
    const reauthenticate = async () =>
      hasKey ? this.#services.access.authenticate(raw) : this.readPassPrincipal(context, operation, slug);
    return { hasKey, reauthenticate };
  }
}

function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
}
