// Tokens of a machine: made once, issued at a rate that may change for the future, counted from the chain.

import { isCommittedPayload, type Row, rowHashOf } from '../../chain/row.ts';
import {
  type Issued,
  issuedBy,
  type Mint,
  type MintedToken,
  type MintSegment,
  type Place,
  tokenAt,
  tokenIdOf,
} from '../../chain/tally.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import { into } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import {
  type Avatar,
  avatarRows,
  segmentRows,
  type Tally,
  type TallyRepository,
  tallyRows,
} from '../../storage/machines/tally.ts';
import type { Principal } from '../access/access.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import type { ImageCleaner } from './images.ts';
import type { Logged } from './log.ts';
import type { MachineService } from './machines.ts';

export interface TallyRequest {
  readonly name: string;
  readonly symbol: string;
  readonly max_supply: number;
  readonly mint: Mint;
}

/** As it is answered. */
export interface Supply {
  readonly supply: number;
  readonly max_supply: number;
  readonly tokens_remaining: number;
  /** The last row that was counted. */
  readonly last_row: Place & { readonly row_hash: string };
  readonly segments: readonly (MintSegment & { readonly issued: number })[];
}

export interface TokenRecord extends MintedToken {
  readonly token_id: string;
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
/** Ids that are worked out before others get a turn. */
const IDS_AT_ONCE = 1_000;
const pictureName = (machineId: string) => `svc-tally-avatar\0${machineId}`;

export class TallyService {
  readonly #options: TallyServiceOptions;

  constructor(options: TallyServiceOptions) {
    this.#options = options;
  }

  /** Once. @throws DomainError CONFLICT if the machine has a token, MACHINE_ARCHIVED */
  async begin(machine: Machine, by: Principal, request: TallyRequest): Promise<Logged> {
    const { machines, tallies } = this.#options;
    const { rows } = await machines.commitAlone(machine, async ({ id: machineId, head }, on) => {
      if ((await tallies.of(machineId, on)) !== undefined) {
        throw new DomainError('CONFLICT', `${head.slug} has a token already; it is made once.`);
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

  /** From the next row or tick on. @throws DomainError NOT_FOUND without a token, CONFLICT after too many changes */
  async setRate(machine: Machine, by: Principal, mint: Mint): Promise<Logged> {
    const { machines, tallies } = this.#options;
    const { rows } = await machines.commitAlone(machine, async ({ id: machineId, head }, on) => {
      const { segments } = required(machine, await tallies.of(machineId, on));
      if (segments.length >= LIMITS.tally.segments) {
        throw new DomainError('CONFLICT', `The rate was set ${segments.length} times, as often as is allowed.`);
      }
      const row = machines.row(by, RATE, 'api', { mint });
      const segment = { ...mint, seq: head.seq + 1, svcond: Math.max(row.svcond, head.svcond) };
      return { rows: [row], writes: [into(segmentRows, { machineId, ...segment })], answer: undefined };
    });
    return logged(rows);
  }

  /** @throws DomainError NOT_FOUND without a token */
  async get(machine: Machine): Promise<{ tally: Tally; supply: Supply; avatar: Avatar | null }> {
    const { tallies } = this.#options;
    const tally = required(machine, await tallies.of(machine.id));
    return { tally, supply: supplyOf(tally, machine), avatar: (await tallies.avatar(machine.id)) ?? null };
  }

  /** By number. */
  async tokens(
    machine: Machine,
    { limit, from }: { readonly limit: number; readonly from: number },
  ): Promise<{ rows: TokenRecord[]; next_from: number | null }> {
    const { segments, issued } = await this.#issued(machine);
    const end = Math.min(from + limit, issued.supply);
    const rows: TokenRecord[] = [];
    for (let index = from; index < end; index++) rows.push(...recordsAt(machine, segments, issued, index));
    return { rows, next_from: end < issued.supply && end > from ? end : null };
  }

  /**
   * @param hint  its number, where it is known
   * @throws DomainError NOT_FOUND if no token that was issued has this id, as far as it was looked for
   */
  async token(machine: Machine, tokenId: string, hint?: number): Promise<TokenRecord> {
    const { segments, issued } = await this.#issued(machine);
    const found = await find(machine, segments, issued, tokenId, hint);
    if (found !== undefined) return found;
    const { searched } = LIMITS.tally;
    const where = hint === undefined && issued.supply > searched ? ` among the first ${searched}; give its index` : '';
    throw new DomainError('NOT_FOUND', `${machine.head.slug} has issued no token ${tokenId}${where}.`);
  }

  /** What is counted with, against the rows of the chain that say the same, and whether a token was issued. */
  async verify(
    machine: Machine,
    asked: { readonly tokenId?: string | undefined; readonly index?: number | undefined },
  ): Promise<{
    valid: boolean;
    supply: Supply;
    checked: number;
    sealed: number;
    first_bad: BadTallyRow | null;
    token: TokenRecord | null;
  }> {
    const { tallies, audit } = this.#options;
    const tally = required(machine, await tallies.of(machine.id));
    const rows = await audit.select(machine.id, machine.head.slug, {
      types: [GENESIS, RATE],
      before: machine.head.seq + 1,
      order: 'oldest first',
      limit: LIMITS.tally.segments + 1,
    });
    const bad = firstBad(tally, rows);
    const supply = supplyOf(tally, machine);
    const issued = issuedBy(tally.maxSupply, tally.segments, machine.head);
    const token =
      asked.tokenId === undefined ? undefined : await find(machine, tally.segments, issued, asked.tokenId, asked.index);
    return {
      valid: bad === undefined && (asked.tokenId === undefined || token !== undefined),
      supply,
      checked: rows.length,
      sealed: rows.filter((row) => row.sealed).length,
      first_bad: bad ?? null,
      token: token ?? null,
    };
  }

  /** @throws DomainError NOT_FOUND without a token, VALIDATION_FAILED, BODY_TOO_LARGE, QUEUE_FULL */
  async setAvatar(
    machine: Machine,
    by: Principal,
    bytes: Uint8Array<ArrayBuffer>,
    claimed: string | undefined,
  ): Promise<{ row: Logged; avatar: Avatar }> {
    const { machines, tallies, images, box } = this.#options;
    required(machine, await tallies.of(machine.id));
    const { bytes: clean, mediaType, width, height } = await images.clean(bytes, 'data');
    if (claimed !== undefined && claimed !== mediaType) {
      const message = `media_type is ${claimed}; the content is ${mediaType}.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'media_type', code: 'MISMATCH', message }],
      });
    }
    const sha256 = sha256Hex(clean);
    const sealed = box.seal(pictureName(machine.id), clean);
    const { rows, answer } = await machines.commit(machine, ({ id: machineId, head }) => {
      const payload = { media_type: mediaType, sha256, width, height, bytes: clean.length };
      const row = machines.row(by, AVATAR, 'api', payload);
      const avatar: Avatar = { mediaType, sha256, width, height, svcond: Math.max(row.svcond, head.svcond) };
      return { rows: [row], writes: [into(avatarRows, { machineId, sealed, ...avatar })], answer: avatar };
    });
    return { row: logged(rows), avatar: answer };
  }

  /** @throws DomainError NOT_FOUND */
  async picture(machine: Machine): Promise<{ mediaType: string; bytes: Uint8Array }> {
    const { tallies, box } = this.#options;
    const picture = await tallies.picture(machine.id);
    if (picture === undefined) throw new DomainError('NOT_FOUND', `The token of ${machine.head.slug} has no avatar.`);
    return { mediaType: picture.mediaType, bytes: box.open(pictureName(machine.id), picture.sealed) };
  }

  async #issued(machine: Machine): Promise<{ segments: readonly MintSegment[]; issued: Issued }> {
    const { segments, maxSupply } = required(machine, await this.#options.tallies.of(machine.id));
    return { segments, issued: issuedBy(maxSupply, segments, machine.head) };
  }
}

function supplyOf({ maxSupply, segments }: Tally, { head }: Machine): Supply {
  const { supply, bySegment } = issuedBy(maxSupply, segments, head);
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

/** An id cannot be turned back into its number: the first ones are tried, or the one that is said to be it. */
async function find(
  machine: Machine,
  segments: readonly MintSegment[],
  issued: Issued,
  tokenId: string,
  hint: number | undefined,
): Promise<TokenRecord | undefined> {
  const first = hint ?? 0;
  const end = Math.min(issued.supply, hint === undefined ? LIMITS.tally.searched : hint + 1);
  for (let index = first; index < end; index++) {
    if (tokenIdOf(machine.genesisHash, index) === tokenId) return recordsAt(machine, segments, issued, index)[0];
    if (index % IDS_AT_ONCE === IDS_AT_ONCE - 1) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return undefined;
}

/** Each rate has its row and each row its rate; what a row says, where it can be read, is what is counted with. */
function firstBad({ name, symbol, maxSupply, segments }: Tally, rows: readonly Row[]): BadTallyRow | undefined {
  const found = new Map(rows.map((row) => [row.seq, row]));
  for (const [i, { seq, svcond, unit, every, amount }] of segments.entries()) {
    const row = found.get(seq);
    if (row === undefined || row.type !== (i === 0 ? GENESIS : RATE)) return { seq, reason: 'MISSING' };
    found.delete(seq);
    if (rowHashOf(row) !== row.row_hash) return { seq, reason: 'HASH' };
    if (isCommittedPayload(row) === false) return { seq, reason: 'COMMIT' };
    const mint = { unit, every, amount };
    const said = i === 0 ? { name, symbol, max_supply: maxSupply, mint } : { mint };
    const isSame = row.payload_text === undefined || row.payload_text === canonicalJson(said);
    if (row.svcond !== svcond || !isSame) return { seq, reason: 'DIFFERENT' };
  }
  const [seq] = found.keys();
  return seq === undefined ? undefined : { seq, reason: 'UNKNOWN' };
}

function required({ head }: Machine, tally: Tally | undefined): Tally {
  if (tally !== undefined) return tally;
  throw new DomainError('NOT_FOUND', `${head.slug} has no token; POST …/tally/token/genesis makes one.`);
}

function logged([row]: readonly Pick<Row, 'seq' | 'svcond' | 'row_hash'>[]): Logged {
  if (row === undefined) throw new Error('A row was committed and is not there.');
  return { seq: row.seq, svcond: row.svcond, row_hash: row.row_hash };
}
