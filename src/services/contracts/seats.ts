// The parties that the caller acts for: contracts and instances on all machines, members' or not.

import type { ContractStatus } from '../../storage/contracts/contracts.ts';
import type { ListedSeat, SeatPlace, SeatRepository } from '../../storage/contracts/seats.ts';
import { decodeTexts, encodeTexts, invalidCursor, isUuid } from '../../storage/database/cursor.ts';
import type { MachineRepository } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';

export interface SeatServiceOptions {
  readonly contractSeats: SeatRepository;
  readonly machines: Pick<MachineRepository, 'bySlug'>;
}

interface SeatRequest {
  readonly slug?: string | undefined;
  readonly status?: ContractStatus | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export class SeatService {
  readonly #options: SeatServiceOptions;

  constructor(options: SeatServiceOptions) {
    this.#options = options;
  }

  /** A page of the caller's seats, by machine, contract and instance. None on a machine that there is not. */
  async list({ zid, keyId }: Principal, { slug, status, limit, cursor }: SeatRequest) {
    const { contractSeats, machines } = this.#options;
    const after = cursor === undefined ? undefined : placeOf(cursor);
    const machine = slug === undefined ? undefined : await machines.bySlug(slug);
    if (zid === undefined || (slug !== undefined && machine === undefined)) return { rows: [], nextCursor: undefined };
    const page = { keyId, machineId: machine?.id, status, limit: limit + 1, after };
    const found = await contractSeats.page(zid, page);
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return { rows: shown.map(recordOf), nextCursor: last && cursorOf(last) };
  }
}

const cursorOf = ({ machineId, contractId, instance, keyId }: SeatPlace): string =>
  encodeTexts([machineId, contractId, instance, keyId]);

/** @throws DomainError VALIDATION_FAILED */
function placeOf(cursor: string): SeatPlace {
  const [machineId = '', contractId = '', instance = '', keyId = ''] = decodeTexts(cursor, 4);
  if (!isUuid(machineId) || !isUuid(contractId)) throw invalidCursor();
  return { machineId, contractId, instance, keyId };
}

/** Who acts in one instance of a private machine may not read its contract, so its name is left out. */
const recordOf = (seat: ListedSeat) => ({
  slug: seat.slug,
  contract: seat.contractId,
  name: seat.instance === '' || seat.isPublic ? seat.name : null,
  instance: seat.instance === '' ? null : seat.instance,
  party: seat.party,
  key: seat.keyId === '' ? null : seat.keyId,
  status: seat.status,
  currentState: seat.currentState,
  // An archived machine has no due timers.
  next_fire: seat.machineStatus === 'archived' ? null : (seat.nextFire ?? null),
  updated_svcond: seat.updatedSvcond,
});
