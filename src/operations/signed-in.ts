// The caller of an operation that needs one; `invoke` has refused the others.

import { DomainError } from '../core/errors.ts';
import type { Principal } from '../services/access/access.ts';

export function signedIn(principal: Principal | undefined): Principal {
  if (principal) return principal;
  throw new DomainError('AUTH_REQUIRED', 'This needs a key: send `Authorization: Bearer svc_ak_…`.');
}
