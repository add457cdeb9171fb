// Addresses that the settings of a machine allow its contracts to read from and to call.

import { DomainError } from '../../core/errors.ts';
import type { MachineSettings } from '../../storage/machines/machines.ts';

/** @throws DomainError FORBIDDEN unless the settings of the machine name the host of the address, VALIDATION_FAILED */
export function allowedUrl(url: string, { http_allow: allowed = [] }: MachineSettings): URL {
  const parsed = URL.parse(url);
  if (parsed === null) throw new DomainError('VALIDATION_FAILED', `${url} is not a valid URL.`);
  if (allowed.includes(parsed.hostname) || allowed.includes(parsed.host)) return parsed;
  const message = `Host ${parsed.host} is not in http_allow; add it to the machine's settings.`;
  throw new DomainError('FORBIDDEN', message);
}
