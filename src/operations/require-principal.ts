// Narrows the caller of an operation with a tier above public, which `invoke` has already checked.

import { DomainError } from '../core/errors.ts';
import type { Principal } from '../services/access/access.ts';

export function requirePrincipal(principal: Principal | undefined): Principal {
  if (principal) return principal;
  throw new DomainError('AUTH_REQUIRED', 'API key required; send `Authorization: Bearer svc_ak_…`.');
}
