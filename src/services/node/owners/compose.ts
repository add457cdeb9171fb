// Composes the ownership of machines: leases, and calls between nodes.

import { DomainError } from '../../../core/errors.ts';
import type { Nats } from '../nats.ts';
import type { Platform } from '../platform.ts';
import type { SealedBox } from '../sealed-box.ts';
import { CallReceiver, type MakeCall } from './call-receiver.ts';
import { CallRouter } from './call-router.ts';
import { CallSender, OwnerUnreachable } from './call-sender.ts';
import { HttpTransport } from './http-transport.ts';
import { MachineOwners } from './machine-owners.ts';
import { NatsTransport } from './nats-transport.ts';
import { SignedMessages } from './signed-messages.ts';
import type { Receive, Transport } from './transport.ts';

export interface OwnersModule {
  readonly owners: MachineOwners;
  readonly router: CallRouter;
  /** Take a message of another node. */
  readonly receive: Receive;
  readonly admits: (ticket: string) => boolean;
  readonly counts: () => {
    readonly sent: CallSender['sent'];
    readonly received: number;
    readonly refused: number;
  };
  /** Begins to take calls at this address. @throws DomainError CONFLICT if another node answers there */
  readonly open: (url: string, makeCall: MakeCall) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface OwnersModuleOptions extends Pick<Platform, 'storage' | 'clock' | 'randomBytes' | 'log'> {
  readonly box: SealedBox;
  readonly nodeId: string;
  /** Name of the session of a node in PostgreSQL. */
  readonly sessionOf: (nodeId: string) => string;
  /** The connection to NATS, for calls between nodes. */
  readonly nats: Nats | undefined;
  readonly leaseMs?: number | undefined;
  /** Overrides the format of messages. */
  readonly format?: number | undefined;
}

/** Anybody may send what is refused, so few of them are logged; metrics count all. */
const REFUSALS_LOGGED_EVERY_NS = 1_000_000_000n;

function logRefusals({ log, clock }: Pick<Platform, 'log' | 'clock'>): (refusal: string) => void {
  let loggedAt: bigint | undefined;
  return (refusal) => {
    const now = clock.now();
    if (loggedAt !== undefined && now >= loggedAt && now - loggedAt < REFUSALS_LOGGED_EVERY_NS) return;
    loggedAt = now;
    log.warn({ refusal }, 'a message of another node was refused');
  };
}

export function composeOwners(options: OwnersModuleOptions): OwnersModule {
  const { storage, clock, randomBytes, log, box, nats, leaseMs, format } = options;
  const isAlone = storage.database.kind === 'embedded';
  // An embedded database has one node, so leases from before a crash are still valid.
  const id = isAlone ? 'embedded' : options.nodeId;
  const ofFormat = format === undefined ? {} : { format };
  const owners = new MachineOwners({
    leases: storage.shardLeases,
    nodes: storage.liveNodes,
    clock,
    id,
    isAlone,
    sessionOf: options.sessionOf,
    leaseMs,
    ...ofFormat,
    onError: (err) => log.warn({ err }, 'ownership of machines could not be renewed'),
  });
  const messages = new SignedMessages({ box, clock, randomBytes, id, ...ofFormat });
  let makeCall: MakeCall = async () => {
    throw new DomainError('SHUTTING_DOWN', 'The node takes no calls yet.');
  };
  const receiver = new CallReceiver({
    messages,
    makeCall: (call) => makeCall(call),
    onRefused: logRefusals({ log, clock }),
    onFailed: (err) => log.warn({ err }, 'a call of another node failed'),
  });
  const http = new HttpTransport((to) => messages.ticket(to));
  const transports: Transport[] = [http];
  if (nats !== undefined && !isAlone) transports.unshift(new NatsTransport({ nats, id, receive: receiver.receive }));
  const sender = new CallSender({ messages, owners, transports });
  const router = new CallRouter({ owners, sender, machines: storage.machines });

  /** Earlier runs at this address have ended, since this node answers there. */
  const succeedAt = async (url: string) => {
    const earlier = owners.others.filter((node) => node.url === url);
    for (const node of earlier) {
      const error = await sender.ping({ id: node.id, url }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined)
        throw new DomainError('CONFLICT', `Another node answers at ${url}; give each node a SVC_NODE_URL of its own.`);
      if (error instanceof OwnerUnreachable && error.message.includes(`this is node ${id}.`))
        await owners.succeed(node.id);
    }
  };

  return {
    owners,
    router,
    receive: receiver.receive,
    admits: (ticket) => messages.admits(ticket),
    counts: () => ({ sent: sender.sent, ...receiver.counts }),
    open: async (url, make) => {
      makeCall = make;
      await nats?.start();
      if (isAlone) return;
      await owners.announce(url);
      await succeedAt(url);
    },
    close: () => http.close(),
  };
}
