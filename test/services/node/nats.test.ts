// The connection to NATS, with the real server.

import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { Nats } from '../../../src/services/node/nats.ts';
import { hasNats, NATS } from '../../suites/nats-server.ts';

/** So many that some are on their way to the subscriber when it has taken the first ones. */
const MESSAGES = 5_000;

describe.runIf(hasNats)('a connection to NATS', () => {
  const open: Nats[] = [];
  afterEach(() => Promise.all(open.splice(0).map((nats) => nats.close())));
  const connect = async (name: string) => {
    const nats = new Nats({ url: `nats://${NATS.host}:${NATS.port}`, name, onChange: () => {} });
    open.push(nats);
    await nats.start();
    return nats;
  };

  test('a subscription that ends takes every message that is on its way to it, and no more', async () => {
    const [receiver, sender] = [await connect('receiver'), await connect('sender')];
    const subject = `svc-test.${randomUUID()}`;
    const group = 'takers';
    let ended: Promise<void> | undefined;
    let taken = 0;
    const end = receiver.subscribe({
      subject,
      group,
      take: (message) => {
        taken++;
        ended ??= end();
        message.reply('taken');
      },
    });
    // The server knows the first subscription when it knows the second.
    receiver.subscribe({ subject: `${subject}.ready`, take: (message) => message.reply('ready') });
    await expect.poll(() => outcomeOf(sender, `${subject}.ready`)).toBe('ready');
    let [answered, refused] = [0, 0];
    for (let i = 0; i < MESSAGES; i++) {
      sender.request(subject, String(i), {
        onPart: () => void answered++,
        // The server says so for those that come after the end.
        onNobody: () => void refused++,
        onFailed: () => {},
      });
    }
    await expect.poll(() => answered + refused, { timeout: 10_000 }).toBe(MESSAGES);
    await ended;
    expect(answered).toBe(taken);
    // Otherwise none was on its way when the subscription ended.
    expect(answered).toBeGreaterThan(1);
    // The group has no member any more.
    expect(await outcomeOf(sender, subject)).toBe('nobody');
  });
});

const outcomeOf = (nats: Nats, subject: string) =>
  new Promise<string>((resolve, reject) => {
    nats.request(subject, '', { onPart: resolve, onNobody: () => resolve('nobody'), onFailed: reject });
  });
