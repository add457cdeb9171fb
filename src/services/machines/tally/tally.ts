// Token of a machine: created once, issued at a rate that may change for the future, counted from the chain.

import { isCommittedPayload, type Row, rowHashOf } from '../../../chain/row.ts';
import { type Issued, issuedTokens, type Mint, type MintSegment, tokenAt, tokenIdOf } from '../../../chain/tally.ts';
import { canonicalJson } from '../../../core/canonical-json.ts';
import { DomainError } from '../../../core/errors.ts';
import { LIMITS } from '../../../core/limits.ts';
import { sha256Hex } from '../../../core/sha256.ts';
import { into } from '../../../storage/database/writer.ts';
import type { AuditRepository } from '../../../storage/machines/audit.ts';
import type { Machine } from '../../../storage/machines/machines.ts';
import {
  type Avatar,
  avatarRows,
  segmentRows,
  type Tally,
  type TallyRepository,
  tallyRows,
} from '../../../storage/machines/tally.ts';
import type { Principal } from '../../access/access.ts';
import type { SealedBox } from '../../node/sealed-box.ts';
import { logged } from '../log.ts';
import type { MachineService } from '../machines.ts';
import type { ImageCleaner } from './images.ts';

export interface TallyRequest {
  readonly name: string;
  readonly symbol: string;
  readonly max_supply: number;
  readonly mint: Mint;
}

export interface BadTallyRow {
  readonly seq: number;
  readonly reason: 'MISSING' | 'UNKNOWN' | 'HASH' | 'COMMIT' | 'DIFFERENT';
}

export interface TallyServiceOptions {
  readonly machines: MachineService;
  readonly tallies: TallyRepository;
  readonly audit: AuditRepository;
  readonly images: ImageCleaner;
  readonly box: SealedBox;
}

const GENESIS = 'tally_genesis';
const RATE = 'tally_rate';
const AVATAR = 'tally_avatar';
/** Ids to compute before yielding to the event loop. */
const IDS_PER_TURN = 1_000;
/** Name under which an avatar is sealed. */
export const avatarName = (machineId: string) => `svc-tally-avatar\0${machineId}`;

export class TallyService {
  readonly #options: TallyServiceOptions;

  constructor(options: TallyServiceOptions) {
    this.#options = options;
  }

  /** @throws DomainError CONFLICT if the machine already has a token, MACHINE_ARCHIVED */
  async create(machine: Machine, by: Principal, request: TallyRequest) {
    const { machines, tallies } = this.#options;
    const { rows } = await machines.commitExclusive(machine, async ({ id: machineId, head }, on) => {
      if ((await tallies.of(machineId, on)) !== undefined) {
        throw new DomainError('CONFLICT', `Token of ${head.slug} already exists; it cannot be replaced.`);
      }
      const { name, symbol, max_supply: maxSupply, mint } = request;
      const row = machines.row(by, GENESIS, 'api', request);
      const segment = { ...mint, seq: head.seq + 1, svcond: Math.max(row.svcond, head.svcond) };
      const writes = [
        into(tallyRows, { machineId, name, symbol, maxSupply }),
        into(segmentRows, { machineId, ...segment }),
      ];
      return { rows: [row], writes, answer: undefined };
    });
    return logged(rows);
  }

  /**
   * Effective from the next row or tick.
   *
   * @throws DomainError NOT_FOUND without a token, CONFLICT at the change limit
   */
  async setRate(machine: Machine, by: Principal, mint: Mint) {
    const { machines, tallies } = this.#options;
    const { rows } = await machines.commitExclusive(machine, async ({ id: machineId, head }, on) => {
      const { segments } = requireTally(machine, await tallies.of(machineId, on));
      if (segments.length >= LIMITS.tally.segments) {
        throw new DomainError('CONFLICT', `Limit of ${LIMITS.tally.segments} rates reached.`);
      }
      const row = machines.row(by, RATE, 'api', { mint });
      const segment = { ...mint, seq: head.seq + 1, svcond: Math.max(row.svcond, head.svcond) };
      return { rows: [row], writes: [into(segmentRows, { machineId, ...segment })], answer: undefined };
    });
    return logged(rows);
  }

  /** @throws DomainError NOT_FOUND without a token */
  async get(machine: Machine) {
    const { tallies } = this.#options;
    const tally = requireTally(machine, await tallies.of(machine.id));
    return { tally, supply: supplyOf(tally, machine), avatar: (await tallies.avatar(machine.id)) ?? null };
  }

  /** In the order of their index. */
  async tokens(machine: Machine, { limit, from }: { readonly limit: number; readonly from: number }) {
    const { segments, issued } = await this.#issued(machine);
    const end = Math.min(from + limit, issued.supply);
    const rows = [];
    for (let index = from; index < end; index++) rows.push(...recordsAt(machine, segments, issued, index));
    return { rows, next_from: end < issued.supply && end > from ? end : null };
  }

  /**
   * @param hint  index of the token, if known
   * @throws DomainError NOT_FOUND if none of the searched tokens has this id
   */
  async token(machine: Machine, tokenId: string, hint?: number) {
    const { segments, issued } = await this.#issued(machine);
    const token = await find(machine, segments, issued, tokenId, hint);
    if (token !== undefined) return token;
    const { searchedTokens: searched } = LIMITS.tally;
    const scope = hint === undefined && issued.supply > searched ? ` among the first ${searched}; give its index` : '';
    throw new DomainError('NOT_FOUND', `Token ${tokenId} of ${machine.head.slug} not found${scope}.`);
  }

  /** Compares the stored token settings with the rows of the chain, and checks whether a token was issued. */
  async verify(
    machine: Machine,
    query: { readonly tokenId?: string | undefined; readonly index?: number | undefined },
  ) {
    const { tallies, audit } = this.#options;
    const tally = requireTally(machine, await tallies.of(machine.id));
    const rows = await audit.select(machine.id, machine.head.slug, {
      types: [GENESIS, RATE],
      before: machine.head.seq + 1,
      order: 'oldest first',
      limit: LIMITS.tally.segments + 1,
    });
    const badRow = findBadRow(tally, rows);
    const supply = supplyOf(tally, machine);
    const issued = issuedTokens(tally.maxSupply, tally.segments, machine.head);
    const token =
      query.tokenId === undefined ? undefined : await find(machine, tally.segments, issued, query.tokenId, query.index);
    return {
      valid: badRow === undefined && (query.tokenId === undefined || token !== undefined),
      supply,
      checked: rows.length,
      sealed: rows.filter((row) => row.sealed).length,
      first_bad: badRow ?? null,
      token: token ?? null,
    };
  }

  /** @throws DomainError NOT_FOUND without a token, VALIDATION_FAILED, BODY_TOO_LARGE, QUEUE_FULL */
  async setAvatar(machine: Machine, by: Principal, bytes: Uint8Array<ArrayBuffer>, claimed: string | undefined) {
    const { machines, tallies, images, box } = this.#options;
    requireTally(machine, await tallies.of(machine.id));
    const { bytes: clean, mediaType, width, height } = await images.clean(bytes, 'data');
    if (claimed !== undefined && claimed !== mediaType) {
      const message = `media_type must match the content, ${mediaType}, not ${claimed}.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'media_type', code: 'MISMATCH', message }],
      });
    }
    const sha256 = sha256Hex(clean);
    const sealed = box.seal(avatarName(machine.id), clean);
    const { rows, answer } = await machines.commit(machine, ({ id: machineId, head }) => {
      const payload = { media_type: mediaType, sha256, width, height, bytes: clean.length };
      const row = machines.row(by, AVATAR, 'api', payload);
      const avatar: Avatar = { mediaType, sha256, width, height, svcond: Math.max(row.svcond, head.svcond) };
      return { rows: [row], writes: [into(avatarRows, { machineId, sealed, ...avatar })], answer: avatar };
    });
    return { row: logged(rows), avatar: answer };
  }

  /** @throws DomainError NOT_FOUND */
  async readAvatar(machine: Machine): Promise<{ mediaType: string; bytes: Uint8Array }> {
    const { tallies, box } = this.#options;
    const avatar = await tallies.picture(machine.id);
    if (avatar === undefined)
      throw new DomainError('NOT_FOUND', `Avatar of the token of ${machine.head.slug} not found.`);
    return { mediaType: avatar.mediaType, bytes: box.open(avatarName(machine.id), avatar.sealed) };
  }

  async #issued(machine: Machine): Promise<{ segments: readonly MintSegment[]; issued: Issued }> {
    const { segments, maxSupply } = requireTally(machine, await this.#options.tallies.of(machine.id));
    return { segments, issued: issuedTokens(maxSupply, segments, machine.head) };
  }
}

export type Supply = ReturnType<typeof supplyOf>;

function supplyOf({ maxSupply, segments }: Tally, { head }: Machine) {
  const { supply, bySegment } = issuedTokens(maxSupply, segments, head);
  return {
    supply,
    max_supply: maxSupply,
    tokens_remaining: maxSupply - supply,
    last_row: { seq: head.seq, svcond: head.svcond, row_hash: head.row_hash },
    segments: segments.map((segment, i) => ({ ...segment, issued: bySegment[i] ?? 0 })),
  };
}

function recordsAt({ genesisHash }: Machine, segments: readonly MintSegment[], issued: Issued, index: number) {
  const token = tokenAt(segments, issued, index);
  return token === undefined ? [] : [{ token_id: tokenIdOf(genesisHash, index), ...token }];
}

/** Ids are hashes of indexes: computes the ids of the first tokens, or only that of the hint. */
async function find(
  machine: Machine,
  segments: readonly MintSegment[],
  issued: Issued,
  tokenId: string,
  hint: number | undefined,
) {
  const first = hint ?? 0;
  const end = Math.min(issued.supply, hint === undefined ? LIMITS.tally.searchedTokens : hint + 1);
  for (let index = first; index < end; index++) {
    if (tokenIdOf(machine.genesisHash, index) === tokenId) return recordsAt(machine, segments, issued, index)[0];
    if (index % IDS_PER_TURN === IDS_PER_TURN - 1) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return undefined;
}

/** Every rate must have its row, every row its rate, and readable payloads must match the stored settings. */
function findBadRow({ name, symbol, maxSupply, segments }: Tally, rows: readonly Row[]): BadTallyRow | undefined {
  const remaining = new Map(rows.map((row) => [row.seq, row]));
  for (const [i, { seq, svcond, unit, every, amount }] of segments.entries()) {
    const row = remaining.get(seq);
    if (row === undefined || row.type !== (i === 0 ? GENESIS : RATE)) return { seq, reason: 'MISSING' };
    remaining.delete(seq);
    if (rowHashOf(row) !== row.row_hash) return { seq, reason: 'HASH' };
    if (isCommittedPayload(row) === false) return { seq, reason: 'COMMIT' };
    const mint = { unit, every, amount };
    const expected = i === 0 ? { name, symbol, max_supply: maxSupply, mint } : { mint };
    const isSame = row.payload_text === undefined || row.payload_text === canonicalJson(expected);
    if (row.svcond !== svcond || !isSame) return { seq, reason: 'DIFFERENT' };
  }
  const [seq] = remaining.keys();
  return seq === undefined ? undefined : { seq, reason: 'UNKNOWN' };
}

function requireTally({ head }: Machine, tally: Tally | undefined): Tally {
  if (tally !== undefined) return tally;
  throw new DomainError('NOT_FOUND', `Token of ${head.slug} not found; create one with POST …/tally/token/genesis.`);
}
