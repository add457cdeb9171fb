import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { consistencyRanges, inclusionRanges, leafHash, rangeHash, treeRoot } from '../../src/chain/merkle.ts';
import { signCheckpoint } from '../../src/chain/note.ts';
import { appendRow, emptyHead, type OpenRow } from '../../src/chain/row.ts';
import { ROW_TYPES } from '../../src/chain/row-type.ts';
import { fromHex, toHex } from '../../src/core/bits.ts';
import {
  checkRows,
  openCheckpoint,
  rootHash,
  verifyConsistency,
  verifyInclusion,
} from '../../src/portal/machines/audit/chain-checks.ts';
import type { RowRecord } from '../../src/portal/machines/records.ts';
import { rowSummary } from '../../src/portal/machines/row-summary.ts';
import type { PublicJwk } from '../../src/protocol/signing.ts';

const SLUG = 'boiler';
const actor = 'a'.repeat(32);

/** Row as returned by the explorer route. */
function recordOf({ salt, payload_text, v: _, slug: __, sealed: ___, ...row }: OpenRow): RowRecord {
  return { ...row, at: '2026-01-01T00:00:00.000Z', salt, payload: JSON.parse(payload_text) };
}

function chainOf(payloads: readonly unknown[]): RowRecord[] {
  let head = emptyHead(SLUG);
  return payloads.map((payload, at) => {
    const row = appendRow(
      head,
      { svcond: 100 + at, type: 'event', source: 'api', actor, payload },
      new Uint8Array(16).fill(at),
    );
    head = row;
    return recordOf(row);
  });
}

const rows = chainOf(Array.from({ length: 12 }, (_, n) => ({ name: 'n', payload: { n, text: 'ö', half: n / 2 } })));
const check = (given: readonly RowRecord[], from = 0, before?: RowRecord) =>
  checkRows({ slug: SLUG, rows: given, from, before });
const changed = (at: number, fields: Partial<RowRecord>) =>
  rows.map((row) => (row.seq === at ? { ...row, ...fields } : row));

describe('row checks in the browser', () => {
  test('accept unchanged rows, from the start or the middle, also without a payload', () => {
    expect(check(rows)).toEqual({ faults: [], unreadable: 0 });
    expect(check(rows.slice(5), 5, rows[4])).toEqual({ faults: [], unreadable: 0 });
    expect(check(rows.slice(5), 5)).toEqual({ faults: [], unreadable: 0 });
    expect(check(changed(3, { salt: null, payload: null }))).toEqual({ faults: [], unreadable: 1 });
  });

  test('report the fault of a changed row, and of no other', () => {
    const cases: [Partial<RowRecord>, string][] = [
      [{ payload: { name: 'other' } }, 'COMMIT'],
      [{ salt: '0'.repeat(32) }, 'COMMIT'],
      [{ type: 'emit' }, 'HASH'],
      [{ actor: 'b'.repeat(32) }, 'HASH'],
      [{ svcond: 101 }, 'HASH'],
      [{ seq: 40 }, 'GAP'],
    ];
    for (const [fields, reason] of cases) expect(check(changed(7, fields)).faults).toEqual([{ seq: 7, reason }]);
    expect(check(rows.toSpliced(7, 1)).faults[0]).toEqual({ seq: 7, reason: 'GAP' });
    expect(check(rows.slice(5), 5, rows[3]).faults).toEqual([{ seq: 5, reason: 'LINK' }]);
    expect(checkRows({ slug: 'other', rows, from: 0 }).faults).toHaveLength(rows.length);
  });

  test('any payload matches its commitment after a JSON round trip', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 }), (payloads) => {
        const received = JSON.parse(JSON.stringify(chainOf(payloads))) as RowRecord[];
        expect(check(received).faults).toEqual([]);
      }),
    );
  });
});

describe('tree checks in the browser', () => {
  const hashes = rows.map(({ row_hash }) => fromHex(row_hash) ?? new Uint8Array());
  const leaves = hashes.map(leafHash);
  const read = ({ level, index }: { level: number; index: number }) => {
    return level === 0
      ? (leaves[index] ?? new Uint8Array())
      : treeRoot(hashes.slice(index * 2 ** level, (index + 1) * 2 ** level));
  };
  const root = toHex(treeRoot(hashes));
  const pathOf = (seq: number) => inclusionRanges(seq, rows.length).map((range) => toHex(rangeHash(range, read)));

  test('verify the root of all rows, and every row at its own position only', () => {
    expect(rootHash(rows.map(({ row_hash }) => row_hash))).toBe(root);
    for (const { seq, row_hash: rowHash } of rows) {
      const inclusion = { seq, size: rows.length, rowHash, path: pathOf(seq), root };
      expect(verifyInclusion(inclusion)).toBe(true);
      expect(verifyInclusion({ ...inclusion, seq: (seq + 1) % rows.length })).toBe(false);
      expect(verifyInclusion({ ...inclusion, rowHash: root })).toBe(false);
      expect(verifyInclusion({ ...inclusion, root: rowHash })).toBe(false);
      expect(verifyInclusion({ ...inclusion, path: [...inclusion.path, root] })).toBe(false);
      expect(verifyInclusion({ ...inclusion, path: inclusion.path.map(() => 'no hex') })).toBe(false);
    }
  });

  test('verify consistency with every earlier tree', () => {
    const after = { size: rows.length, root };
    for (let size = 1; size < rows.length; size++) {
      const before = { size, root: toHex(treeRoot(hashes.slice(0, size))) };
      const path = consistencyRanges(size, rows.length).map((range) => toHex(rangeHash(range, read)));
      expect(verifyConsistency(before, after, path)).toBe(true);
      expect(verifyConsistency({ ...before, root: toHex(treeRoot(hashes.slice(1, size + 1))) }, after, path)).toBe(
        false,
      );
    }
  });
});

describe('a checkpoint opened in the browser', () => {
  const pair = () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const jwk = { kty: 'OKP', crv: 'Ed25519', x, kid: `kid ${x}`, alg: 'EdDSA', use: 'sig' } as PublicJwk;
    const signer = {
      publicKey: Buffer.from(x, 'base64url'),
      sign: (message: Uint8Array) => sign(null, message, privateKey),
    };
    return { jwk, signer };
  };
  const [own, other] = [pair(), pair()];
  const note = (origin: string) => signCheckpoint({ origin, size: 12, root: new Uint8Array(32).fill(7) }, own.signer);

  test('names the trusted key that signed it', () => {
    const found = openCheckpoint(note('node/m/boiler'), SLUG, [other.jwk, own.jwk]);
    expect(found).toEqual({ origin: 'node/m/boiler', size: 12, root: '07'.repeat(32), kid: own.jwk.kid });
    expect(openCheckpoint(note('node/m/boiler'), SLUG, [other.jwk])?.kid).toBeUndefined();
    expect(openCheckpoint(note('node/m/boiler'), SLUG, [])?.kid).toBeUndefined();
  });

  test('counts as unsigned if it is of another machine or changed', () => {
    expect(openCheckpoint(note('node/m/other'), SLUG, [own.jwk])?.kid).toBeUndefined();
    expect(openCheckpoint(note('node/m/boiler').replace('\n12\n', '\n13\n'), SLUG, [own.jwk])?.kid).toBeUndefined();
    expect(openCheckpoint('nothing', SLUG, [own.jwk])).toBeUndefined();
  });
});

describe('the summary of a row that changes the machine', () => {
  const [first] = rows as [RowRecord];
  const summary = (type: string, payload: unknown) => rowSummary({ ...first, type, payload });

  test('says in words what it states', () => {
    const settings = { http_allow: ['a.example', 'b.example'], events_from: ['shop'], accept_anchors: 'listed' };
    const stated = { name: 'Boiler', description: '', isPublic: false, settings, sealingKey: null };
    expect(summary('settings', stated)).toBe(
      'private · named Boiler · calls a.example, b.example · events from shop · anchors of listed identities',
    );
    const keeping = { isPublic: true, settings: { keep_rows: 5000, keep_days: 0 } };
    expect(summary('settings', keeping)).toBe('public · keeps 5000 rows');
    expect(summary('settings', { isPublic: true, sealingKey: 'ab' })).toBe('public · payloads sealed to the owner');
    expect(summary('status', { from: 'active', to: 'paused' })).toBe('active → paused');
    expect(summary('member', { act: 'added', zid: actor, role: 'viewer' })).toBe('aaaaaaaa added · role viewer');
    expect(summary('member', { act: 'removed', zid: actor })).toBe('aaaaaaaa removed');
    expect(summary('share', { act: 'set', label: 'auditor', expires_at: null })).toBe('link made for auditor');
    expect(summary('share', { act: 'disabled', disabled: 2 })).toBe('2 links ended');
    const key = { act: 'created', key_prefix: 'svc_ak_1', name: 'sensor', scope: 'write' };
    expect(summary('api_key', key)).toBe('key sensor created · scope write');
    expect(summary('api_key', { act: 'revoked', key_prefix: 'svc_ak_1' })).toBe('key svc_ak_1 revoked');
    expect(summary('webhook', { act: 'secret_rotated', epoch: 2 })).toBe('secret rotated');
    expect(summary('payload_erased', { seq: 7, reason: 'asked for' })).toBe('payload of row 7 · asked for');
    expect(summary('anchored', { slug: 'mother', size: 12 })).toBe('in mother · size 12');
    expect(summary('anchor_config', { every_ticks: 100, mothers: 1, witnesses: 2 })).toBe(
      'every 100 ticks · machines 1 · witnesses 2',
    );
    expect(summary('reading', { value: 281.2, unit: 'K', status: 'ok', source: 'push' })).toBe(
      '281.2 K · ok · from push',
    );
    expect(summary('node_seal', { no: 3, sha256: 'ab' })).toBe('seal 3');
  });

  test('shows the payload of one that it cannot read', () => {
    for (const type of ROW_TYPES.filter((name) => !['genesis', 'stamp'].includes(name)))
      for (const payload of [{ unread: 1 }, { act: {}, settings: 7, zid: [], from: null }])
        expect(summary(type, payload), type).toBe(JSON.stringify(payload));
  });
});

describe('the summary of a row', () => {
  const [first] = rows as [RowRecord];
  const summary = (fields: Partial<RowRecord>) => rowSummary({ ...first, ...fields });

  test('describes the row or shows its payload, truncated to one line', () => {
    expect(summary({ payload: { name: 'reading', payload: { temp: 281.2, by: 'Ada' } } })).toBe(
      'reading · temp 281.2, by Ada',
    );
    expect(summary({ type: 'transition', payload: { transition: 'warm', from: 'cold', to: 'hot' } })).toBe(
      'warm: cold → hot',
    );
    const sent = { transition: 'order', from: 'open', to: 'packing', sends: [{ event: 'pack', to: 'depot' }, 7] };
    expect(summary({ type: 'transition', payload: sent })).toBe('order: open → packing · sends pack to depot');
    expect(summary({ payload: { name: 'pack', payload: { pieces: 2 }, from: { machine: 'shop' } } })).toBe(
      'pack · pieces 2 · from shop',
    );
    expect(summary({ payload: { name: 'pack', from: 'shop', sends: {} } })).toBe('pack');
    const calls = [
      { operator: 'CM9', into: 'measured' },
      { http: { method: 'GET', url: 'https://a.b/' }, into: 'rated' },
      7,
    ];
    const asked = { transition: 'ask', from: 'open', to: 'open', calls };
    expect(summary({ type: 'transition', payload: asked })).toBe(
      'ask: open → open · starts CM9 for measured, GET https://a.b/ for rated',
    );
    const told = { name: 'measured', payload: { value: 9 } };
    const by = (call: object) => summary({ payload: { ...told, call: { seq: 4, ...call } } });
    expect(by({ receipt: { operator_id: 'CM9' } })).toBe('measured · value 9 · result of CM9 for row 4');
    expect(by({ receipt: { operator_id: 'solver:heat' } })).toBe('measured · value 9 · result of heat for row 4');
    expect(by({ http: { status: 200 } })).toBe('measured · value 9 · response for row 4');
    expect(by({ code: 'STATUS' })).toBe('measured · value 9 · result for row 4');
    const measured = { receipt: 'ab'.repeat(32), value: 200 };
    expect(summary({ payload: { name: 'measured', payload: measured } })).toBe(
      'measured · receipt abababab…, value 200',
    );
    expect(summary({ type: 'contract', payload: { name: 'door', act: 'paused' } })).toBe('door paused');
    expect(
      summary({ type: 'refused', payload: { transition: 'weigh', code: 'ACTION_FAILED', reason: 'no number' } }),
    ).toBe('weigh: no number');
    const refusal = { code: 'FORBIDDEN', route: 'POST /api/chain/{slug}/event', severity: 'warning' };
    expect(summary({ type: 'rejection', payload: { ...refusal, count: 1 } })).toBe(
      'FORBIDDEN: POST /api/chain/{slug}/event',
    );
    expect(summary({ type: 'rejection', payload: { ...refusal, count: 3 } })).toMatch(/event, 3 times$/);
    expect(summary({ type: 'unheard_of', payload: { a: 1 } })).toBe('{"a":1}');
    expect(summary({ salt: null, payload: null })).toContain('not readable with your key');
    expect(summary({ salt: null, payload: null, sealed: true })).toBe('sealed: only the owner’s equation opens it');
    expect(summary({ payload: { name: 'x'.repeat(500) } })).toHaveLength(120);
  });

  test('is a string for any payload', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('event', 'transition', 'contract', 'rejection', 'constructor', 'state'),
        (payload, type) => {
          expect(typeof summary({ payload, type })).toBe('string');
        },
      ),
    );
  });
});
