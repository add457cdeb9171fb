// Calls to another node: those made while it takes an earlier message wait, and go or are refused with it.

import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ACCEPTED, CallSender, type Outcome, REFUSED } from '../../../../src/services/node/owners/call-sender.ts';
import { SignedMessages } from '../../../../src/services/node/owners/signed-messages.ts';
import { type Transport, Undelivered } from '../../../../src/services/node/owners/transport.ts';
import { SealedBox } from '../../../../src/services/node/sealed-box.ts';

const OWNER = { id: 'b', url: 'http://owner.test' };
const masterKey = randomBytes(32);
const node = (id: string) =>
  new SignedMessages({
    box: new SealedBox(masterKey, randomBytes),
    clock: { source: 'fixed', now: () => 1_000_000_000_000n },
    randomBytes,
    id,
  });

/** A message on its way, which the test answers as the owner. */
interface SentMessage {
  readonly calls: readonly string[];
  /** Sends a signed part of the answer. */
  readonly answer: (body: string) => void;
  /** Sends a part as it is. */
  readonly part: (text: string) => void;
  readonly end: () => void;
  readonly fail: (error: Error) => void;
}

/** A sender whose messages wait until the test answers them. */
function sender() {
  const sent: SentMessage[] = [];
  let onRead = () => {};
  const alive = new Set([OWNER.id]);
  const receiver = node(OWNER.id);
  const transport: Transport = {
    name: 'http',
    canSend: () => true,
    send: (_, text, part, signal) =>
      new Promise((end, fail) => {
        const { nonce, body } = receiver.receive(text);
        signal.addEventListener('abort', () => fail(new Error('aborted')));
        const answer = (words: string) => part(receiver.answer(nonce, words));
        sent.push({ calls: JSON.parse(body), answer, part, end, fail });
      }),
  };
  const owners = {
    isAlive: (id: string) => alive.has(id),
    onRead: (listener: () => void) => {
      onRead = listener;
    },
  };
  const calls = new CallSender({ messages: node('a'), transports: [transport], owners });
  return {
    sent,
    send: (word: string) => outcomeOf(calls.send(OWNER, JSON.stringify(word))),
    /** The owner leaves the list of live nodes. */
    die: () => {
      alive.delete(OWNER.id);
      onRead();
    },
  };
}

/** What a call came to so far. */
interface CallState {
  now: 'waiting' | { readonly outcome: Outcome } | { readonly error: string; readonly isUndone: boolean };
}

function outcomeOf(call: Promise<Outcome>): CallState {
  const state: CallState = { now: 'waiting' };
  call.then(
    (outcome) => {
      state.now = { outcome };
    },
    ({ message, isUndone }) => {
      state.now = { error: message, isUndone };
    },
  );
  return state;
}

/** Lets a message go, or the news of one arrive. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn();
}

const refused = (words: string, isUndone: boolean) => ({ error: expect.stringContaining(words), isUndone });

describe('calls to a node', () => {
  test('of one turn are one message; those made before it is taken wait, and are the next', async () => {
    const { sent, send } = sender();
    const first = [send('one'), send('two')];
    await settle();
    const held = [send('three'), send('four')];
    await settle();
    expect(sent.map(({ calls }) => calls)).toEqual([['one', 'two']]);
    sent[0]?.answer(ACCEPTED);
    await settle();
    expect(sent.map(({ calls }) => calls)).toEqual([
      ['one', 'two'],
      ['three', 'four'],
    ]);
    for (const { answer, end, calls } of sent) {
      answer(ACCEPTED);
      answer(JSON.stringify(calls.map((word, i) => [i, { result: word }])));
      end();
    }
    await settle();
    expect([...first, ...held].map(({ now }) => now)).toEqual(
      ['one', 'two', 'three', 'four'].map((result) => ({ outcome: { result } })),
    );
  });

  test('that wait for a message which the node does not take are refused with it, as undone', async () => {
    const { sent, send } = sender();
    const first = send('one');
    await settle();
    const held = [send('two'), send('three')];
    sent[0]?.fail(new Undelivered('nobody listens'));
    await settle();
    expect(first.now).toEqual(refused('Node b at http://owner.test cannot be reached.', true));
    for (const { now } of held) expect(now).toEqual(refused('Node b at http://owner.test takes no calls.', true));
    expect(sent).toHaveLength(1);
  });

  test('are undone while they wait for a message that broke off, whose own calls may have been made', async () => {
    const { sent, send } = sender();
    const first = send('one');
    await settle();
    const held = send('two');
    sent[0]?.fail(new Error('connection reset'));
    await settle();
    expect(first.now).toEqual(refused('broke off: connection reset', false));
    expect(held.now).toEqual(refused('takes no calls', true));
  });

  test('go on after a message that was refused: later ones are sent', async () => {
    const { sent, send } = sender();
    const first = send('one');
    await settle();
    sent[0]?.part(`${REFUSED}FORMAT versions differ`);
    sent[0]?.end();
    await settle();
    expect(first.now).toEqual(refused('refused the call: FORMAT versions differ', true));
    const later = send('two');
    await settle();
    expect(sent.map(({ calls }) => calls)).toEqual([['one'], ['two']]);
    expect(later.now).toBe('waiting');
  });

  test('that the node took before are not known to be undone', async () => {
    const { sent, send } = sender();
    const call = send('one');
    await settle();
    sent[0]?.part(`${REFUSED}REPLAYED It came before.`);
    sent[0]?.end();
    await settle();
    expect(call.now).toEqual(refused('REPLAYED', false));
  });

  test('keep their first outcome: a second one, and one of no call, change nothing', async () => {
    const { sent, send } = sender();
    const call = send('one');
    await settle();
    sent[0]?.answer(ACCEPTED);
    for (const part of [[[0, { result: 1 }]], [[0, { result: 2 }]], [[7, { result: 3 }]]])
      sent[0]?.answer(JSON.stringify(part));
    sent[0]?.end();
    await settle();
    expect(call.now).toEqual({ outcome: { result: 1 } });
  });

  test('that are not answered before the node ends are refused, and so are those that wait', async () => {
    const { send, die } = sender();
    const first = send('one');
    await settle();
    const held = send('two');
    die();
    await settle();
    expect(first.now).toEqual(refused('Node b is gone.', false));
    expect(held.now).toEqual(refused('takes no calls', true));
  });

  test('without an outcome at the end of the answer are refused, as not known', async () => {
    const { sent, send } = sender();
    const calls = [send('one'), send('two')];
    await settle();
    sent[0]?.answer(ACCEPTED);
    sent[0]?.answer(JSON.stringify([[1, { result: 2 }]]));
    sent[0]?.end();
    await settle();
    expect(calls.map(({ now }) => now)).toEqual([
      refused('ended without an answer', false),
      { outcome: { result: 2 } },
    ]);
  });
});
