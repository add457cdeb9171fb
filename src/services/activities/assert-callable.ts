// Rejects a contract whose activities call an address that its machine does not allow.

import type { CompiledContract } from '../../contracts/compiled.ts';
import { DomainError } from '../../core/errors.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import { allowedUrl } from '../node/allowed-url.ts';
import type { OutboundClient } from '../node/outbound.ts';

/**
 * @param previous  previous version; its addresses are not checked again, since every try checks them
 * @throws DomainError VALIDATION_FAILED naming the field
 */
export function assertCallable(
  contract: CompiledContract,
  { settings }: Machine,
  outbound: Pick<OutboundClient, 'assertCallable'>,
  previous?: CompiledContract,
): void {
  const known = new Set(previous === undefined ? [] : urlsOf(previous).map(({ url }) => url));
  for (const { id, url } of urlsOf(contract)) {
    if (known.has(url)) continue;
    try {
      allowedUrl(url, settings);
      outbound.assertCallable(url);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const path = `transitions.${id}.post.call.http.url`;
      const message = `${path} cannot be called: ${error.message}`;
      throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: error.code, message }] });
    }
  }
}

const urlsOf = ({ transitions }: CompiledContract) =>
  transitions.flatMap(({ id, post }) =>
    post.flatMap((action) =>
      action.kind === 'call' && action.fixed.http !== undefined ? [{ id, url: action.fixed.http.url }] : [],
    ),
  );
