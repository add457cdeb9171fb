// Messages between nodes: each is taken once, in time, by the node that it is for, from a node with the same master key.

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CALL_LIFE_MS, SignedMessages } from '../../../../src/services/node/owners/signed-messages.ts';
import { SealedBox } from '../../../../src/services/node/sealed-box.ts';

const masterKey = randomBytes(32);
let nowMs = 1_000_000;

interface NodeFacts {
  readonly id: string;
  readonly key?: Uint8Array;
  readonly format?: number;
  /** How far its clock is ahead. */
  readonly aheadMs?: number;
}

function node({ id, key = masterKey, format, aheadMs = 0 }: NodeFacts): SignedMessages {
  return new SignedMessages({
    box: new SealedBox(key, randomBytes),
    clock: { source: 'stepped', now: () => BigInt(nowMs + aheadMs) * 1_000_000n },
    randomBytes,
    id,
    ...(format === undefined ? {} : { format }),
  });
}

const receiver = node({ id: 'b' });
const call = (from: NodeFacts, to = 'b') => node(from).call(to, '[1]').text;
const refusal = (code: string, words: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(words) });
const refused = (text: string): unknown => {
  try {
    return receiver.receive(text);
  } catch (error) {
    return error;
  }
};

describe('a message between nodes', () => {
  test('is taken once', () => {
    const text = call({ id: 'a' });
    expect(receiver.receive(text)).toMatchObject({ from: 'a', to: 'b', body: '[1]' });
    expect(refused(text)).toEqual(refusal('REPLAYED', 'before'));
  });

  test('is refused by name: of another key, format, node or clock, late, or changed', () => {
    expect(refused(call({ id: 'a', key: randomBytes(32) }))).toEqual(refusal('KEY', 'SVC_MASTER_KEY'));
    expect(refused(call({ id: 'a', format: 7 }))).toEqual(refusal('FORMAT', 'svc-calls/7'));
    expect(refused(call({ id: 'a' }, 'c'))).toEqual(refusal('FOREIGN', 'this is node b.'));
    expect(refused(call({ id: 'a', aheadMs: 60_000 }))).toEqual(refusal('CLOCK', 'ahead'));
    expect(refused(call({ id: 'a', aheadMs: -60_000 }))).toEqual(refusal('LATE', 'too late'));
    expect(refused(call({ id: 'a' }).replace('[1]', '[2]'))).toEqual(refusal('KEY', 'changed'));
    expect(refused('GET / HTTP/1.1')).toEqual(refusal('MALFORMED', 'no message'));
    expect(refused('')).toEqual(refusal('MALFORMED', 'no message'));
  });

  test('that is long comes with a ticket for its receiver, of the same master key and in time', () => {
    const ticket = (from: NodeFacts, to = 'b') => node(from).ticket(to);
    expect(receiver.admits(ticket({ id: 'a' }))).toBe(true);
    expect(receiver.admits(ticket({ id: 'a', key: randomBytes(32) }))).toBe(false);
    expect(receiver.admits(ticket({ id: 'a' }, 'c'))).toBe(false);
    expect(receiver.admits(ticket({ id: 'a', aheadMs: 60_000 }))).toBe(false);
    expect(receiver.admits(ticket({ id: 'a', aheadMs: -60_000 }))).toBe(false);
    expect(receiver.admits(ticket({ id: 'a' }).replace(/^\d+/, (ms) => String(Number(ms) + 1)))).toBe(false);
    expect(receiver.admits('')).toBe(false);
  });

  test('is late after its life, and its replay too', () => {
    const text = call({ id: 'a' });
    receiver.receive(text);
    nowMs += CALL_LIFE_MS;
    expect(refused(text)).toEqual(refusal('REPLAYED', 'before'));
    nowMs += 1;
    expect(refused(text)).toEqual(refusal('LATE', 'too late'));
    // Forgotten by now, but late for ever.
    nowMs += 10 * CALL_LIFE_MS;
    receiver.receive(call({ id: 'a' }));
    expect(refused(text)).toEqual(refusal('LATE', 'too late'));
  });

  test('has answers for itself alone, and a call is no answer', () => {
    const sender = node({ id: 'a' });
    const [one, two] = [sender.call('b', '[]'), sender.call('b', '[]')];
    const part = receiver.answer(one.nonce, 'accepted');
    expect(sender.openAnswer(one.nonce, part)).toBe('accepted');
    expect(() => sender.openAnswer(two.nonce, part)).toThrow('another call');
    expect(() => sender.openAnswer(one.nonce, one.text)).toThrow('MAC');
    expect(() => sender.openAnswer(one.nonce, node({ id: 'b', key: randomBytes(32) }).answer(one.nonce, 'x'))).toThrow(
      'MAC',
    );
  });
});
