// The composition root: the only place that builds storage and services.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { NoteSigner } from './chain/note.ts';
import type { Configuration } from './configuration.ts';
import type { World } from './contracts/reaction.ts';
import type { Evaluate } from './contracts/typed.ts';
import { type Clock, systemClock, TICK_SECONDS, tickOf } from './core/clock.ts';
import { uuidV7 } from './core/ids.ts';
import { LIMITS } from './core/limits.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from './expressions/evaluate.ts';
import { compileKernel, instantiate } from './kernels/instance.ts';
import { kernelSlugs, loadKernel } from './kernels/load-node.ts';
import { createPool, type Pool } from './kernels/pool.ts';
import { LocalRunner } from './kernels/run-here.ts';
import type { Services } from './operations/services.ts';
import { definitionOf } from './operators/definition.ts';
import { findOperator, OPERATORS } from './operators/load.ts';
import { kernelBlock, kernelMarkdown, kernelPrompt } from './protocol/kernel-description.ts';
import type { Signer } from './protocol/seal.ts';
import { AccessService } from './services/access.ts';
import { AnchorConfigService } from './services/anchor-config.ts';
import { AnchorKeys } from './services/anchor-keys.ts';
import { AnchorService } from './services/anchors.ts';
import { AwarenessService } from './services/awareness.ts';
import { BundleService } from './services/bundles.ts';
import { ComputeService } from './services/compute.ts';
import { ContractEngine } from './services/contract-engine.ts';
import { ContractPreviews } from './services/contract-preview.ts';
import { ContractProofs } from './services/contract-proof.ts';
import { Runtimes } from './services/contract-runtime.ts';
import { computeInContract, stampOf } from './services/contract-world.ts';
import { ContractService } from './services/contracts.ts';
import { Courier } from './services/courier.ts';
import { DecryptionService } from './services/decryption.ts';
import { DeveloperKeyService } from './services/developer-keys.ts';
import { EquationKeys } from './services/equation-keys.ts';
import { ErasureService } from './services/erasure.ts';
import { GeneratorService } from './services/generate.ts';
import { IdempotencyService } from './services/idempotency.ts';
import { ImageCleaner } from './services/images.ts';
import { KeptSamples } from './services/kept-samples.ts';
import { KernelArchive } from './services/kernel-archive.ts';
import { openKeyRing } from './services/key-ring.ts';
import { KeyService } from './services/keys.ts';
import { MachineLog } from './services/machine-log.ts';
import { MachineReports } from './services/machine-reports.ts';
import { MachineStreams } from './services/machine-streams.ts';
import { MachineTails } from './services/machine-tails.ts';
import { MachineService } from './services/machines.ts';
import { loadMasterKey, masterKeySource } from './services/master-key.ts';
import { MemberService } from './services/members.ts';
import { OraclePoller } from './services/oracle-poller.ts';
import { assertSource } from './services/oracle-sources.ts';
import { OracleService } from './services/oracles.ts';
import { Outbound } from './services/outbound.ts';
import { OverviewService } from './services/overview.ts';
import { OwnContracts } from './services/own-contracts.ts';
import { PayloadKeys } from './services/payload-keys.ts';
import { ProofService } from './services/proofs.ts';
import { PublicFeed } from './services/public-feed.ts';
import { PulseService } from './services/pulse.ts';
import { RateLimiter, type RateTier } from './services/rate-limit.ts';
import { ReadPasses } from './services/read-passes.ts';
import { RefusalLog } from './services/refusals.ts';
import { ReplayService } from './services/replay.ts';
import { ResultService } from './services/results.ts';
import { RunService } from './services/runs.ts';
import { Scheduler } from './services/scheduler.ts';
import { CIPHER, SealedBox } from './services/sealed-box.ts';
import { sealFor } from './services/sealed-payload.ts';
import { SealService } from './services/seals.ts';
import { SecretRing } from './services/secret-ring.ts';
import { SevenSteps } from './services/seven-steps.ts';
import { ShareService } from './services/shares.ts';
import { SolveService } from './services/solve.ts';
import { SolverGuards } from './services/solver-guards.ts';
import { TallyService } from './services/tally.ts';
import { TreeService } from './services/trees.ts';
import { repeat, sweepUp } from './services/upkeep.ts';
import { WebhookSecrets } from './services/webhook-secrets.ts';
import { assertWebhooks, WebhookService } from './services/webhooks.ts';
import { WhatIfService } from './services/what-if.ts';
import { WitnessService } from './services/witness.ts';
import { WitnessClient } from './services/witness-client.ts';
import { Witnessing } from './services/witnessing.ts';
import { type EventBus, LocalBus } from './storage/event-bus.ts';
import { Ledger } from './storage/ledger.ts';
import type { Machine } from './storage/machines.ts';
import { NotifyBus, type NotifyBusOptions } from './storage/notify-bus.ts';
import { openStorage, type Storage } from './storage/storage.ts';
import type { Timers } from './streams/timers.ts';

/** Written by scripts/build-portal.ts; without it the service has no pages. */
export const BUILT_PORTAL = new URL('../build/portal/', import.meta.url);

export interface Composition {
  readonly services: Services;
  readonly storage: Storage;
  readonly pool: Pool;
  readonly clock: Clock;
  close(): Promise<void>;
}

export interface CompositionOptions {
  readonly configuration: Configuration;
  readonly log: Logger;
  readonly clock?: Clock;
  /** An embedded database that is gone with the process. */
  readonly inMemory?: boolean;
  /** PostgreSQL only: all tables live in this schema. */
  readonly schema?: string;
  /** Requests a minute by tier, instead of the configured ones. */
  readonly rates?: Readonly<Record<RateTier, number>>;
  /** How long a node that died keeps its share of the timers. */
  readonly leaseMs?: number;
  /** Heartbeats and patience of streams, instead of the machine's. */
  readonly timers?: Timers;
  /** Refusals are written into the chains of machines once a tick; false leaves them waiting until somebody asks for it. */
  readonly notesRefusals?: boolean;
}

const SWEEP_EVERY_MS = 60_000;
const ANCHOR_EVERY_MS = 15_000;
const ANCHORED_AT_ONCE = 100;
const TICK_MS = 1_000 * TICK_SECONDS;

/** Open the storage and build every service on it. */
export async function compose(options: CompositionOptions): Promise<Composition> {
  const {
    configuration,
    log,
    clock = systemClock(),
    inMemory = false,
    schema,
    rates = scaledRates(configuration.rateFactor),
  } = options;
  const { databaseUrl, dataFolder, isEmbeddedSynced, masterKey, workers } = configuration;
  const nowMs = () => Number(clock.now() / 1_000_000n);
  const storage = await openStorage({
    databaseUrl,
    dataFolder: inMemory ? undefined : dataFolder,
    inMemory,
    sync: isEmbeddedSynced,
    schema,
  });
  const pool = createPool(workers === undefined ? {} : { size: workers });
  const onMissed = (err: unknown) => log.warn({ err }, 'news of rows was not heard or not read; streams may be late');
  const nodeId = randomBytes(8).toString('hex');
  const bus = await openBus({ databaseUrl, schema, nodeId, onFailed: onMissed });
  try {
    const { accounts, keys, transaction } = storage;
    const keyOptions = { masterKey, databaseUrl, dataFolder: inMemory ? undefined : dataFolder, randomBytes };
    const key = loadMasterKey(keyOptions);
    const box = new SealedBox(key, randomBytes);
    const keyRing = await openKeyRing(
      new SecretRing({ secrets: storage.secrets, transaction, box, clock, randomBytes }),
    );
    const genesis = await storage.node.genesis({ tick: tickOf(clock.now()), unixMs: nowMs() });
    const kernels = new KernelArchive(storage.kernels, { load: loadKernel, slugs: kernelSlugs });
    await kernels.keepCurrent();
    const access = new AccessService({
      keys,
      shares: storage.shares,
      clock,
      onTouchFailed: (err) => log.warn({ err }, 'the last use of keys was not stored'),
    });
    const newId = () => uuidV7(nowMs(), randomBytes(10));
    const definition = (id: string) => {
      const operator = OPERATORS.get(id);
      return operator && definitionOf(operator);
    };
    const rateLimit = new RateLimiter(rates);
    const steps = new SevenSteps({
      clock,
      kernels,
      keyRing,
      runner: pool,
      quickRunner: new LocalRunner(),
      storage,
      newId,
    });
    const equationKeys = new EquationKeys();
    const payloadKeys = new PayloadKeys({ identities: storage.identities, equationKeys });
    const keptSamples = new KeptSamples(storage.keptSamples, box);
    const keyService = new KeyService({ accounts, keys, transaction, access, clock, randomBytes });
    const publish = ({ id }: Machine, first: number, last: number) => bus.publish({ machineId: id, first, last });
    const ledger = new Ledger({
      ...storage,
      randomBytes,
      seal: sealFor,
      onCommitted: (machine, rows) => publish(machine, rows[0]?.seq ?? 0, machine.head.seq),
    });
    const machines = new MachineService({
      storage,
      ledger,
      keys: keyService,
      payloadKeys,
      access,
      rateLimit,
      clock,
      randomBytes,
      onBegun: (machine) => publish(machine, 0, 0),
    });
    const expressions = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
    const evaluate: Evaluate = (program, values) => evaluateProgram(expressions, program, values);
    const world: Omit<World, 'balance'> = { evaluate, compute: (call) => computeInContract(expressions, call) };
    const outbound = new Outbound({ allowed: configuration.outboundAllowed });
    const webhookSecrets = new WebhookSecrets({ secrets: storage.webhookSecrets, box, clock, randomBytes });
    const courier = new Courier({
      outbox: storage.outbox,
      outbound,
      secrets: webhookSecrets,
      clock,
      onFailed: (err) => log.warn({ err }, 'a webhook could not be sent'),
    });
    const solve = new SolveService(steps, (id) => definitionOf(findOperator(id)));
    const solverGuards = new SolverGuards({ solve, fields: storage.fields, clock });
    const engine = new ContractEngine({
      ledger,
      runtimes: new Runtimes({ contracts: storage.contracts, audit: storage.audit, keptSamples, evaluate }),
      clock,
      world,
      newId,
      prove: (fired) => stampOf(fired, keyRing.receipts, clock),
      solve: (call, machineId) => solverGuards.run(call, machineId),
      onFailed: (err) => log.warn({ err }, 'a contract that waited for a solver could not be woken'),
      onWebhooks: () => courier.wake(),
    });
    const scheduler = new Scheduler({
      engine,
      contracts: storage.contracts,
      leases: storage.leases,
      clock,
      // Nobody else has an embedded database: what this node held before it died is still its own.
      owner: storage.database.kind === 'embedded' ? 'embedded' : newId(),
      leaseMs: options.leaseMs,
      onFailed: (err) => log.warn({ err }, 'a contract could not be woken'),
    });
    const host = nodeName(configuration);
    const signer = noteSigner(keyRing.signer);
    const trees = new TreeService({ ...storage, signer, host, clock });
    const contracts = new ContractService({
      engine,
      contracts: storage.contracts,
      operators: new Set(OPERATORS.keys()),
      assertReachable: async (contract, machine, askedBy, before) => {
        assertWebhooks(contract, outbound, before);
        await assertSource(contract, machine, askedBy, storage, world, before);
      },
    });
    const poller = new OraclePoller({
      ...storage,
      engine,
      outbound,
      clock,
      shards: () => scheduler.shards,
      onFailed: (err) => log.warn({ err }, 'an oracle could not be asked'),
    });
    const { members, developers, shares, overview } = storage;
    const anchoring = {
      machines,
      stored: storage.machines,
      members,
      anchors: storage.anchors,
      settings: storage.anchorSettings,
      trees,
      clock,
    };
    const anchorKeys = new AnchorKeys({ ...anchoring, box, randomBytes });
    const anchors = new AnchorService({ ...anchoring, keys: anchorKeys });
    const witnessing = new Witnessing({
      ...anchoring,
      client: new WitnessClient({ trees, outbound }),
      onFailed: (err) => log.warn({ err }, 'a checkpoint could not be shown to a witness'),
    });
    const anchorConfig = new AnchorConfigService({
      ...anchoring,
      service: anchors,
      witnesses: witnessing,
      onFailed: (err) => log.warn({ err }, 'a machine could not be anchored'),
    });
    const refusals = new RefusalLog({
      ...anchoring,
      onFailed: (err) => log.debug({ err }, 'a refusal was not noted'),
    });
    const reading = { audit: storage.audit, contracts: storage.contracts, clock };
    const services: Services = {
      access,
      keys: keyService,
      machines,
      machineLog: new MachineLog({ machines, engine, trees, audit: storage.audit, clock }),
      machineReports: new MachineReports(reading),
      machineStreams: new MachineStreams({
        ...reading,
        machines: storage.machines,
        tails: new MachineTails({ bus, machines: storage.machines, onFailed: onMissed }),
      }),
      publicFeed: new PublicFeed({ bus, overview, clock, onFailed: onMissed }),
      awareness: new AwarenessService({
        ...reading,
        oracles: storage.oracles,
        trees,
        checkpoints: storage.trees,
        developers,
        keys,
      }),
      overview: new OverviewService({ overview, machines: storage.machines, clock }),
      seals: new SealService({ seals: storage.seals, overview, signer: keyRing.signer, clock }),
      anchors,
      anchorConfig,
      witness: new WitnessService({
        witnessed: storage.witnessed,
        logs: configuration.witnessLogs,
        signer,
        name: `${host}/witness`,
        clock,
      }),
      refusals,
      members: new MemberService({ machines, members, identities: storage.identities, developers }),
      developerKeys: new DeveloperKeyService({
        machines,
        developers,
        members,
        keys: keyService,
        storedKeys: keys,
        access,
        clock,
        randomBytes,
      }),
      erasure: new ErasureService({ machines, engine, audit: storage.audit }),
      tally: new TallyService({ ...storage, machines, images: new ImageCleaner(), box }),
      decryption: new DecryptionService({
        audit: storage.audit,
        sealingKeys: storage.sealingKeys,
        equationKeys,
        rateLimit,
      }),
      shares: new ShareService({ machines, shares, clock, randomBytes }),
      readPasses: new ReadPasses({ machines: storage.machines, members, shares, access, rateLimit, box, clock }),
      contracts,
      ownContracts: new OwnContracts({ storage, machines, contracts }),
      contractPreviews: new ContractPreviews({ storage, runtimes: engine.runtimes, world, clock }),
      contractProofs: new ContractProofs({ storage, trees, receipts: keyRing.receipts }),
      generator: new GeneratorService({ contracts, world }),
      whatIf: new WhatIfService({ storage, runtimes: engine.runtimes, contracts, world, clock }),
      oracles: new OracleService({ ...storage, engine, clock }),
      webhooks: new WebhookService({ machines, outbox: storage.outbox, secrets: webhookSecrets, courier }),
      trees,
      bundles: new BundleService({
        ...storage,
        trees,
        keys: () => keyRing.jwks().keys.map(({ x }) => Buffer.from(x, 'base64url')),
        verifierPage,
      }),
      rateLimit,
      idempotency: new IdempotencyService(storage.idempotency, box, nowMs),
      pulse: new PulseService(clock, genesis),
      solve,
      compute: new ComputeService(steps, rateLimit),
      proofs: new ProofService(clock, keyRing.receipts),
      replay: new ReplayService({ kernels, keyRing, runner: pool, definition }),
      runs: new RunService(storage.runs, storage.fields, nowMs),
      results: new ResultService(storage.fields, nowMs),
      kernels,
      keyRing,
      sealing: { cipher: CIPHER, key_source: masterKeySource(keyOptions) },
      description: { block: kernelBlock, prompt: kernelPrompt, markdown: kernelMarkdown },
    };
    const sweeping = repeat(
      SWEEP_EVERY_MS,
      () => sweepUp(storage, trees, nowMs()),
      (err) => log.warn({ err }, 'the sweep failed'),
    );
    const anchorsDue = repeat(
      ANCHOR_EVERY_MS,
      () => anchorConfig.sweep(ANCHORED_AT_ONCE),
      (err) => log.warn({ err }, 'machines could not be anchored'),
    );
    const noting = repeat(
      TICK_MS,
      async () => (options.notesRefusals === false ? 0 : refusals.flush()),
      (err) => log.warn({ err }, 'refusals were not noted'),
    );
    scheduler.start();
    poller.start();
    courier.start();
    const close = async () => {
      await Promise.all([sweeping.stop(), anchorsDue.stop(), noting.stop(), witnessing.close()]);
      await poller.stop();
      await scheduler.stop();
      await courier.stop();
      await engine.settled();
      await pool.close({ drain: true });
      await ledger.settled();
      await bus.close();
      await access.flush();
      await storage.close();
    };
    return { services, storage, pool, clock, close };
  } catch (error) {
    await bus.close();
    await pool.close();
    await storage.close();
    throw error;
  }
}

/** One process hears itself; nodes on one PostgreSQL hear each other. */
async function openBus(
  options: Omit<NotifyBusOptions, 'databaseUrl'> & { databaseUrl: string | undefined },
): Promise<EventBus> {
  const { databaseUrl } = options;
  if (databaseUrl === undefined) return new LocalBus();
  const bus = new NotifyBus({ ...options, databaseUrl });
  await bus.start();
  return bus;
}

/** Checkpoints are signed with the key of the seals, under a name of their own. */
function noteSigner({ publicKey, sign }: Signer): NoteSigner {
  return { publicKey: Buffer.from(publicKey.x, 'base64url'), sign };
}

/** Read when it is asked for: it has the size of all kernels, and few ask. */
function verifierPage(): string | undefined {
  const path = new URL('verifier.html', BUILT_PORTAL);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** What the origins of checkpoints begin with. */
function nodeName({ publicUrl, host, port }: Configuration): string {
  return publicUrl === undefined ? `${host}:${port}` : new URL(publicUrl).host;
}

function scaledRates(factor: number): Record<RateTier, number> {
  const scaled = Object.entries(LIMITS.rate).map(([tier, rate]) => [tier, rate * factor]);
  return Object.fromEntries(scaled) as Record<RateTier, number>;
}
