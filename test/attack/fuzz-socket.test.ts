// Fuzzes the WebSocket with sequences of messages. SVC_FUZZ=10 sends ten times as many.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ERROR_FORMS } from '../../src/core/errors.ts';
import { CLOSE_CODES, SOCKET_OPS, type SocketOp } from '../../src/operations/node/socket.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { arbitraryOf, schemaOf } from '../http/arbitrary-of.ts';
import { isLong } from '../http/long-run.ts';
import type { Json } from '../http/service-fixture.ts';
import { connectSocket } from '../streams/socket-client.ts';
import { type Change, CUTS, changed, changes, cut } from './fuzz/hostile.ts';
import { ACTORS, type Actor, keyOf, startFuzzedNode } from './fuzz/node.ts';
import { fuzzSettings, runAll } from './fuzz/settings.ts';

const SEQUENCES = 300;
const MAX_MESSAGES = 40;
/** Kernel time of one run. */
const MAX_KERNEL_MS = 5;
const CHANNELS = ['pulse', 'solve', 'run', 'explorer', 'transitions', 'events', 'aggregate', 'nothing'];

const node = await startFuzzedNode();
const { seed, factor } = fuzzSettings();

interface Message {
  readonly op: SocketOp;
  readonly fields: Json;
  readonly changes: readonly Change[];
  readonly cut: (typeof CUTS)[number];
  readonly isBinary: boolean;
}

const messageOf = (op: SocketOp): fc.Arbitrary<Message> =>
  fc.record({
    op: fc.constant(op),
    fields: fc
      .record({
        any: arbitraryOf(schemaOf(SOCKET_OPS[op])) as fc.Arbitrary<Json>,
        channel: fc.constantFrom(...CHANNELS),
        solver: fc.constantFrom(...SOLVERS.map(({ id }) => id)),
        id: fc.constantFrom('a', 'b', 'c'),
      })
      .map(({ any, channel, solver, id }) => ({
        ...any,
        ...('channel' in any ? { channel, parameters: { slug: node.existing().slug } } : {}),
        ...('solver' in any ? { solver } : {}),
        ...('id' in any ? { id } : {}),
      })),
    changes: fc.array(changes(), { maxLength: 2 }),
    cut: fc.oneof({ weight: 19, arbitrary: fc.constant('whole' as const) }, fc.constantFrom(...CUTS)),
    isBinary: fc.nat(15).map((n) => n === 0),
  });

const sequences = fc.record({
  actor: fc.constantFrom<Actor>(...ACTORS),
  messages: fc.array(fc.oneof(...(Object.keys(SOCKET_OPS) as SocketOp[]).map(messageOf)), {
    minLength: 10,
    maxLength: MAX_MESSAGES,
    size: 'max',
  }),
});
type Sequence = typeof sequences extends fc.Arbitrary<infer T> ? T : never;

/** Of the protocol, and of RFC 6455: protocol error, not UTF-8, too large. */
const ALLOWED_CLOSES: readonly number[] = [...Object.values(CLOSE_CODES), 1000, 1002, 1005, 1007];
const counts = { sent: 0, ok: 0, refused: 0, frames: 0 };

/** A connection gets the messages; then a last one is answered, or the connection was closed with a code. */
async function assertSurvived(_: object, { actor, messages }: Sequence): Promise<void> {
  await node.count();
  const key = keyOf(node, actor);
  const client = await connectSocket(node.url);
  const closed = client.closed();
  const { socket } = client;
  if (key !== '') client.send({ op: 'auth', key });
  for (const { op, fields, changes: all, cut: how, isBinary } of messages) {
    if ((op === 'solve' || op === 'stream') && isLong(String(fields.solver), fields.input, MAX_KERNEL_MS)) continue;
    const bytes = cut(changed({ op, ...fields }, all), how);
    if (socket.readyState === WebSocket.OPEN) socket.send(bytes, { binary: isBinary });
    counts.sent++;
  }
  client.send({ op: 'cancel', id: 'the last' });
  const isLast = ({ id, ok }: Json) => id === 'the last' && ok !== undefined;
  for (;;) {
    const message = await client.receive().catch(() => undefined);
    if (message === undefined) {
      const { code } = await closed;
      if (!ALLOWED_CLOSES.includes(code)) throw new Error(`The connection was closed with ${code}.`);
      break;
    }
    assertMessage(message);
    if (isLast(message)) break;
  }
  socket.terminate();
}

function assertMessage(message: Json): void {
  if (message.ok === true) counts.ok++;
  else if (message.ok === undefined) counts.frames++;
  else {
    counts.refused++;
    const form = ERROR_FORMS[message.code as keyof typeof ERROR_FORMS];
    const isRefusal = form !== undefined && (form.status < 500 || message.code === 'QUEUE_FULL');
    if (!isRefusal || typeof message.error !== 'string') throw new Error(`An answer is ${JSON.stringify(message)}.`);
  }
}

test(`hostile messages are answered or refused, or close the connection (seed ${seed})`, {
  timeout: 600_000 * Math.max(1, factor),
}, async () => {
  await runAll(SEQUENCES * factor, 2, sequences, () => ({ close() {} }), assertSurvived);
  await node.assertSound();
  expect(counts.sent).toBeGreaterThan(SEQUENCES * factor * 10);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan((SEQUENCES * factor) / 10);
});
