// Composes the services of the node: keys, kernels, pulse clock, secrets and outbound requests.

import type { NoteSigner } from '../../chain/note.ts';
import { tickOf } from '../../core/clock.ts';
import { findKernel, kernelSlugs, loadKernel } from '../../kernels/load-node.ts';
import {
  type KernelBlock,
  type KernelVersion,
  kernelBlock,
  kernelMarkdown,
  kernelPrompt,
} from '../../protocol/kernel-description.ts';
import { AccountMacs } from '../../storage/access/account-macs.ts';
import { ACCOUNT_MACS, beginAccountMacs } from './begin-account-macs.ts';
import type { FreeSpace } from './free-space.ts';
import { IdempotencyService } from './idempotency.ts';
import { KernelArchive } from './kernel-archive.ts';
import { type KeyRing, openKeyRing } from './key-ring.ts';
import { loadMasterKey, type MasterKeyOptions, type MasterKeySource, masterKeySource } from './master-key.ts';
import { Metrics } from './metrics.ts';
import type { Nats } from './nats.ts';
import { OutboundClient } from './outbound.ts';
import type { AllowedTarget } from './outbound-address.ts';
import { composeOwners, type OwnersModule } from './owners/compose.ts';
import { type Platform, unixMs } from './platform.ts';
import { PulseService } from './pulse.ts';
import { ReadinessService } from './readiness.ts';
import { CIPHER, SealedBox } from './sealed-box.ts';
import { Sealer } from './sealer.ts';
import { SealService } from './seals.ts';
import { SecretRing } from './secret-ring.ts';

export interface NodeServices {
  readonly keyRing: KeyRing;
  /** Seals statements; those of one turn of the event loop share a signature. */
  readonly sealer: Sealer;
  readonly kernels: KernelArchive;
  readonly pulse: PulseService;
  readonly readiness: ReadinessService;
  /** The free space of the database. */
  readonly freeSpace: FreeSpace;
  /** Measurements for monitoring. */
  readonly metrics: Metrics;
  readonly seals: SealService;
  readonly idempotency: IdempotencyService;
  /** Which machines are this node's, and calls to the nodes of the others. */
  readonly owners: OwnersModule;
  /** How the node's secrets are stored. */
  readonly sealing: { readonly cipher: string; readonly key_source: MasterKeySource };
  readonly description: {
    block(baseUrl: string, version: KernelVersion): KernelBlock;
    prompt(version: KernelVersion): string;
    markdown(baseUrl: string): string;
  };
}

/** The services of the node, and the parts that other modules use. */
export interface NodeModule {
  readonly services: NodeServices;
  /** Encrypts under the master key. */
  readonly box: SealedBox;
  /** Confirms accounts, keys and filed runs. */
  readonly accountMacs: AccountMacs;
  readonly outbound: OutboundClient;
  /** Signs checkpoints with the seal key, under a separate key name. */
  readonly signer: NoteSigner;
}

type NodeOptions = Platform &
  Omit<MasterKeyOptions, 'randomBytes'> & {
    readonly outboundAllowed: readonly AllowedTarget[];
    readonly freeSpace: FreeSpace;
    readonly nodeId: string;
    /** Name of the session of a node in PostgreSQL. */
    readonly sessionOf: (nodeId: string) => string;
    readonly nats: Nats | undefined;
    /** How long the leases of a dead node last. */
    readonly leaseMs: number | undefined;
    /** Overrides the format of messages between nodes. */
    readonly messageFormat?: number | undefined;
  };

/** @throws DomainError VALIDATION_FAILED if the master key is missing, weak or not the one that sealed the secrets */
export async function composeNode(options: NodeOptions): Promise<NodeModule> {
  const { storage, clock, randomBytes, outboundAllowed, freeSpace, log } = options;
  const { secrets, transaction, nodeSeals: seals } = storage;
  const nowMs = () => unixMs(clock);
  const box = new SealedBox(loadMasterKey(options), randomBytes);
  const accountMac = box.rowMac(ACCOUNT_MACS);
  const accountMacs = new AccountMacs(accountMac);
  const keyRing = await openKeyRing(new SecretRing({ secrets, transaction, box, clock, randomBytes }));
  const { publicKey, sign } = keyRing.signer;
  const genesis = await storage.node.genesis({ tick: tickOf(clock.now()), unixMs: nowMs() });
  const begun = { macs: accountMacs, mac: accountMac, tick: tickOf(clock.now()) };
  if (!(await beginAccountMacs(storage, begun)))
    log.warn('The record of when MACs of accounts began is missing. Run svc fsck.');
  const kernels = new KernelArchive(storage.kernels, { load: loadKernel, slugs: kernelSlugs, find: findKernel });
  await kernels.storeCurrent();
  return {
    services: {
      keyRing,
      sealer: new Sealer(keyRing.signer),
      kernels,
      pulse: new PulseService(clock, genesis),
      readiness: new ReadinessService(storage.database, clock),
      freeSpace,
      metrics: new Metrics(storage.node),
      seals: new SealService({
        seals,
        signer: keyRing.signer,
        keys: keyRing.jwks().keys.map(({ x }) => Buffer.from(x, 'base64url')),
        genesis,
        clock,
        onRefused: (message) => log.warn(message),
      }),
      idempotency: new IdempotencyService(storage.idempotency, box, nowMs),
      owners: composeOwners({ ...options, box, format: options.messageFormat }),
      sealing: { cipher: CIPHER, key_source: masterKeySource(options) },
      description: { block: kernelBlock, prompt: kernelPrompt, markdown: kernelMarkdown },
    },
    box,
    accountMacs,
    outbound: new OutboundClient({ allowed: outboundAllowed }),
    signer: { publicKey: Buffer.from(publicKey.x, 'base64url'), sign },
  };
}
