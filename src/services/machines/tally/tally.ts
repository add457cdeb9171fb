// Token of a machine: created once, issued at a rate that may change for the future, counted from the chain.

import { isCommittedPayload, type Row, rowHashOf } from '../../../chain/row.ts';
import {
  type ChainPosition,
  type Issued,
  issuedTokens,
  type Mint,
  type MintedToken,
  type MintSegment,
  tokenAt,
  tokenIdOf,
} from '../../../chain/tally.ts';
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
import { UncountedRows } from './uncounted-rows.ts';

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
/** What new rates count. */
const COUNTS = 'members';
/** Ids to compute before yielding to the event loop. */
const IDS_PER_TURN = 1_000;
/** Name under which an avatar is sealed. */
export const avatarName = (machineId: string) => `svc-tally-avatar\0${machineId}`;

export class TallyService {
  readonly #options: TallyServiceOptions;
  readonly #uncounted: UncountedRows;

  constructor(options: TallyServiceOptions) {
    this.#options = options;
    this.#uncounted = new UncountedRows(options.tallies);
  }

  /** @throws DomainError CONFLICT if the machine already has a token, MACHINE_ARCHIVED */
  async create(machine: Machine, by: Principal, request: TallyRequest) {
    const { machines, tallies } = this.#options;
    const { rows } = await machines.commitExclusive(machine, async ({ id: machineId, head }, on) => {
      if ((await tallies.of(machineId, on)) !== undefined) {
        throw new DomainError('CONFLICT', `Token of ${head.slug} already exists; it cannot be replaced.`);
      }
      const { name, symbol, max_supply: maxSupply, mint } = request;
      const row = machines.row(by, GENESIS, 'api', { ...request, mint: { ...mint, counts: COUNTS } });
      const rate = { ...mint, counts: COUNTS, seq: head.seq + 1, svcond: Math.max(row.svcond, head.svcond) } as const;
      const writes = [
        into(tallyRows, { machineId, name, symbol, maxSupply }),
        into(segmentRows, { machineId, ...rate }),
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
      const { rates } = requireTally(machine, await tallies.of(machineId, on));
      if (rates.length >= LIMITS.tally.segments) {
        throw new DomainError('CONFLICT', `Limit of ${LIMITS.tally.segments} rates reached.`);
      }
      const row = machines.row(by, RATE, 'api', { mint: { ...mint, counts: COUNTS } });
      const svcond = Math.max(row.svcond, head.svcond);
      const rate = { ...mint, counts: COUNTS, seq: head.seq + 1, svcond } as const;
      return { rows: [row], writes: [into(segmentRows, { machineId, ...rate })], answer: undefined };
    });
    return logged(rows);
  }

  /** @throws DomainError NOT_FOUND without a token */
  async get(machine: Machine) {
    const { tallies } = this.#options;
    const tally = requireTally(machine, await tallies.of(machine.id));
    return {
      tally,
      supply: supplyOf(tally, machine, await this.#count(machine, tally)),
      avatar: (await tallies.avatar(machine.id)) ?? null,
    };
  }

  /** In the order of their index. */
  async tokens(machine: Machine, { limit, from }: { readonly limit: number; readonly from: number }) {
    const counted = await this.#counted(machine);
    const end = Math.min(from + limit, counted.issued.supply);
    const rows = await this.#records(machine, counted, range(from, end));
    return { rows, next_from: end < counted.issued.supply && end > from ? end : null };
  }

  /**
   * @param hint  index of the token, if known
   * @throws DomainError NOT_FOUND if none of the searched tokens has this id
   */
  async token(machine: Machine, tokenId: string, hint?: number) {
    const counted = await this.#counted(machine);
    const token = await this.#find(machine, counted, tokenId, hint);
    if (token !== undefined) return token;
    const { searchedTokens: searched } = LIMITS.tally;
    const scope =
      hint === undefined && counted.issued.supply > searched ? ` among the first ${searched}; give its index` : '';
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
    const counted = await this.#count(machine, tally);
    const supply = supplyOf(tally, machine, counted);
    const { tokenId, index } = query;
    const token = tokenId === undefined ? undefined : await this.#find(machine, counted, tokenId, index);
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

  async #counted(machine: Machine): Promise<Counted> {
    return this.#count(machine, requireTally(machine, await this.#options.tallies.of(machine.id)));
  }

  /** The tokens that the rows up to the head have issued. */
  async #count({ id, head: { seq, svcond } }: Machine, { maxSupply, rates }: Tally): Promise<Counted> {
    const seqs = [...rates.map((rate) => rate.seq), seq];
    const isCounting = rates.some(({ counts }) => counts === 'members');
    const uncounted = isCounting ? await this.#uncounted.upTo(id, seqs) : [];
    const last = rates.at(-1);
    const countsTicks = last?.counts === 'members' && last.unit === 'tick';
    const countedSvcond = countsTicks ? await this.#uncounted.lastCountedSvcond(id, seq) : svcond;
    const segments = rates.map((rate, i) => ({ ...rate, uncounted: uncounted[i] ?? 0, countedSvcond: rate.svcond }));
    const head: ChainPosition = { seq, svcond, uncounted: uncounted.at(-1) ?? 0, countedSvcond };
    return { segments, issued: issuedTokens(maxSupply, segments, head) };
  }

  /** Tokens as responses show them. @param indexes  ascending */
  async #records(machine: Machine, { segments, issued }: Counted, indexes: readonly number[]) {
    const tokens = indexes.flatMap((index) => tokenAt(segments, issued, index) ?? []);
    const isNumbered = ({ segment, unit }: MintedToken) => unit === 'row' && segments[segment]?.counts === 'members';
    const numbers = tokens.filter(isNumbered).map(({ at }) => at);
    const last = machine.head.seq;
    const seqs = numbers.length === 0 ? [] : await this.#uncounted.countedSeqs(machine.id, numbers, last);
    const seqOf = new Map(numbers.map((number, i) => [number, seqs[i]]));
    return tokens.map((token) => {
      const at = isNumbered(token) ? (seqOf.get(token.at) ?? token.at) : token.at;
      return { token_id: tokenIdOf(machine.genesisHash, token.index), ...token, at };
    });
  }

  /** Ids are hashes of indexes: computes the ids of the first tokens, or only that of the hint. */
  async #find(machine: Machine, counted: Counted, tokenId: string, hint: number | undefined) {
    const first = hint ?? 0;
    const end = Math.min(counted.issued.supply, hint === undefined ? LIMITS.tally.searchedTokens : hint + 1);
    for (let index = first; index < end; index++) {
      if (tokenIdOf(machine.genesisHash, index) === tokenId) return (await this.#records(machine, counted, [index]))[0];
      if (index % IDS_PER_TURN === IDS_PER_TURN - 1) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return undefined;
  }
}

/** Rates at their positions in a chain, and what they issued. */
interface Counted {
  readonly segments: readonly MintSegment[];
  readonly issued: Issued;
}

export type Supply = ReturnType<typeof supplyOf>;

function supplyOf({ maxSupply, rates }: Tally, { head }: Machine, { issued: { supply, bySegment } }: Counted) {
  return {
    supply,
    max_supply: maxSupply,
    tokens_remaining: maxSupply - supply,
    last_row: { seq: head.seq, svcond: head.svcond, row_hash: head.row_hash },
    segments: rates.map((rate, i) => ({ ...rate, issued: bySegment[i] ?? 0 })),
  };
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** Every rate must have its row, every row its rate, and readable payloads must match the stored settings. */
function findBadRow({ name, symbol, maxSupply, rates }: Tally, rows: readonly Row[]): BadTallyRow | undefined {
  const remaining = new Map(rows.map((row) => [row.seq, row]));
  for (const [i, { seq, svcond, unit, every, amount, counts }] of rates.entries()) {
    const row = remaining.get(seq);
    if (row === undefined || row.type !== (i === 0 ? GENESIS : RATE)) return { seq, reason: 'MISSING' };
    remaining.delete(seq);
    if (rowHashOf(row) !== row.row_hash) return { seq, reason: 'HASH' };
    if (isCommittedPayload(row) === false) return { seq, reason: 'COMMIT' };
    const mint = { unit, every, amount, ...(counts === 'all' ? {} : { counts }) };
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
