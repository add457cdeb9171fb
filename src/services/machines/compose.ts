// Composes the services of machines: access, chains, sealing, reports, streams and tokens.

import type { NoteSigner } from '../../chain/note.ts';
import { TICK_SECONDS } from '../../core/clock.ts';
import type { AccountMacs } from '../../storage/access/account-macs.ts';
import { shardOf } from '../../storage/contracts/timers.ts';
import type { Ledger } from '../../storage/machines/ledger.ts';
import type { EventBus } from '../../storage/node/event-bus.ts';
import type { AccessServices } from '../access/compose.ts';
import type { EngineModule } from '../engine/compose.ts';
import type { NodeServices } from '../node/compose.ts';
import { type Lifecycle, repeat } from '../node/lifecycle.ts';
import type { MaintenanceTask } from '../node/maintenance.ts';
import type { Platform } from '../node/platform.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import { DeveloperKeyService } from './access/developer-keys.ts';
import { MemberService } from './access/members.ts';
import { ShareService } from './access/shares.ts';
import { ArchiveService } from './archive.ts';
import { AwarenessService } from './awareness.ts';
import { BundleService } from './bundles.ts';
import { ErasureService } from './erasure.ts';
import { MachineLog } from './log.ts';
import { MachineService } from './machines.ts';
import { OverviewService } from './overview.ts';
import { RefusalLog } from './refusals.ts';
import { MachineReports } from './reports.ts';
import { SealLog } from './seal-log.ts';
import { DecryptionService } from './sealing/decryption.ts';
import { EquationKeys } from './sealing/equation-keys.ts';
import { PayloadKeys } from './sealing/payload-keys.ts';
import { PublicFeed } from './streams/public-feed.ts';
import { MachineStreams } from './streams/streams.ts';
import { MachineTails } from './streams/tails.ts';
import { ImageCleaner } from './tally/images.ts';
import { TallyService } from './tally/tally.ts';
import { SIGNING_MS, TreeService } from './trees.ts';

export interface MachineServices {
  readonly machines: MachineService;
  readonly members: MemberService;
  readonly developerKeys: DeveloperKeyService;
  readonly shares: ShareService;
  readonly machineLog: MachineLog;
  readonly refusals: RefusalLog;
  readonly erasure: ErasureService;
  readonly archive: ArchiveService;
  readonly decryption: DecryptionService;
  readonly trees: TreeService;
  readonly bundles: BundleService;
  readonly machineReports: MachineReports;
  readonly machineStreams: MachineStreams;
  readonly publicFeed: PublicFeed;
  readonly awareness: AwarenessService;
  readonly overview: OverviewService;
  readonly tally: TallyService;
  readonly sealLog: SealLog;
}

/** The services of machines, and the parts that the node uses. */
export interface MachineModule {
  readonly services: MachineServices;
  /** Once a minute. */
  readonly maintenance: readonly MaintenanceTask[];
  /** Signs the heads of the machines of this node. */
  readonly signing: Lifecycle;
  readonly lifecycle: Lifecycle;
}

type MachineOptions = Platform &
  Pick<NodeServices, 'keyRing' | 'seals' | 'owners'> &
  Pick<AccessServices, 'access' | 'keys' | 'rateLimit'> &
  Pick<EngineModule, 'engine'> & {
    readonly box: SealedBox;
    readonly accountMacs: AccountMacs;
    readonly signer: NoteSigner;
    /** Host of this node in checkpoint origins. */
    readonly host: string;
    readonly ledger: Ledger;
    readonly bus: EventBus;
    /** Receives failures to receive commit notices or to read rows for streams. */
    readonly onStreamError: (error: unknown) => void;
    /** The verifier as one HTML file. */
    readonly verifierPage: () => string | undefined;
    /** Whether to write refusals into the chains of machines, once a tick. */
    readonly logsRefusals: boolean;
  };

const TICK_MS = 1_000 * TICK_SECONDS;
const MACHINES_PER_BATCH = 2_000;

export function composeMachines(options: MachineOptions): MachineModule {
  const {
    accountMacs,
    storage,
    clock,
    randomBytes,
    log,
    access,
    keys,
    rateLimit,
    engine,
    bus,
    box,
    seals,
    onStreamError,
  } = options;
  const { audit, sealingKeys, members, developers, overview } = storage;
  const equationKeys = new EquationKeys();
  const machines = new MachineService({
    ...options,
    payloadKeys: new PayloadKeys({ identities: storage.identities, equationKeys }),
    onCreated: ({ id }) => bus.publish({ machineId: id, first: 0, last: 0 }),
  });
  const trees = new TreeService({ ...storage, signer: options.signer, host: options.host, clock });
  const refusals = new RefusalLog({
    machines,
    stored: storage.machines,
    members,
    contracts: storage.contracts,
    clock,
    onError: (err) => log.debug({ err }, 'writing a refusal failed'),
  });
  const archive = new ArchiveService({
    storage,
    clock,
    owns: (id) => options.owners.owners.shards.includes(shardOf(id)),
    onFailed: (err) => log.warn({ err }, 'rows could not be archived; they stay in the database'),
  });
  const sealLog = new SealLog({ ...storage, machines });
  const tails = new MachineTails({ bus, machines: storage.machines, onError: onStreamError });
  return {
    services: {
      machines,
      members: new MemberService({ ...storage, machines }),
      developerKeys: new DeveloperKeyService({
        machines,
        developers,
        members,
        keys,
        storedKeys: storage.keys,
        access,
        accountMacs,
        clock,
        randomBytes,
      }),
      shares: new ShareService({ machines, shares: storage.shares, keys, clock, randomBytes }),
      machineLog: new MachineLog({ machines, engine, trees, audit, clock }),
      refusals,
      archive,
      erasure: new ErasureService({ machines, engine, storage }),
      decryption: new DecryptionService({ audit, sealingKeys, equationKeys, rateLimit }),
      trees,
      bundles: new BundleService({
        ...storage,
        trees,
        keys: () => options.keyRing.jwks().keys.map(({ x }) => Buffer.from(x, 'base64url')),
        verifierPage: options.verifierPage,
      }),
      machineReports: new MachineReports({ audit, clock }),
      machineStreams: new MachineStreams({ ...storage, clock, tails }),
      publicFeed: new PublicFeed({ bus, overview, clock, onError: onStreamError }),
      awareness: new AwarenessService({ ...storage, trees, checkpoints: storage.trees, clock }),
      overview: new OverviewService({ overview, machines: storage.machines, clock }),
      sealLog,
      tally: new TallyService({ ...storage, machines, images: new ImageCleaner(), box }),
    },
    maintenance: [
      (limit) => machines.stateAllSettings(limit),
      (limit) => archive.archiveDue(limit),
      async () => {
        await seals.sealWhenDue();
        await sealLog.record();
      },
    ],
    signing: repeat(
      SIGNING_MS,
      () => {
        const limits = { limit: MACHINES_PER_BATCH, shards: options.owners.owners.shards };
        return trees.signPending((ids) => storage.machines.byIds(ids, false), limits);
      },
      (err) => log.warn({ err }, 'signing checkpoints failed'),
    ),
    lifecycle: repeat(
      TICK_MS,
      async () => (options.logsRefusals ? refusals.flush() : 0),
      (err) => log.warn({ err }, 'writing refusals failed'),
    ),
  };
}
