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
import { AccessService } from './services/access/access.ts';
import { DeveloperKeyService } from './services/access/developer-keys.ts';
import { KeyService } from './services/access/keys.ts';
import { MemberService } from './services/access/members.ts';
import { RateLimiter, type RateTier } from './services/access/rate-limit.ts';
import { ReadPasses } from './services/access/read-passes.ts';
import { ShareService } from './services/access/shares.ts';
import { AnchorService } from './services/anchors/anchors.ts';
import { AnchorKeys } from './services/anchors/keys.ts';
import { AnchorConfigService } from './services/anchors/settings.ts';
import { WitnessService } from './services/anchors/witness.ts';
import { WitnessClient } from './services/anchors/witness-client.ts';
import { Witnessing } from './services/anchors/witnessing.ts';
import { ComputeService } from './services/compute/compute.ts';
import { ProofService } from './services/compute/proofs.ts';
import { ReplayService } from './services/compute/replay.ts';
import { ResultService } from './services/compute/results.ts';
import { RunService } from './services/compute/runs.ts';
import { SevenSteps } from './services/compute/seven-steps.ts';
import { SolveService } from './services/compute/solve.ts';
import { ContractService } from './services/contracts/contracts.ts';
import { ContractEngine } from './services/contracts/engine.ts';
import { GeneratorService } from './services/contracts/generate.ts';
import { KeptSamples } from './services/contracts/kept-samples.ts';
import { OwnContracts } from './services/contracts/own-contracts.ts';
import { ContractPreviews } from './services/contracts/preview.ts';
import { ContractProofs } from './services/contracts/proof.ts';
import { Runtimes } from './services/contracts/runtime.ts';
import { Scheduler } from './services/contracts/scheduler.ts';
import { SolverGuards } from './services/contracts/solver-guards.ts';
import { WhatIfService } from './services/contracts/what-if.ts';
import { computeInContract, stampOf } from './services/contracts/world.ts';
import { AwarenessService } from './services/machines/awareness.ts';
import { BundleService } from './services/machines/bundles.ts';
import { DecryptionService } from './services/machines/decryption.ts';
import { EquationKeys } from './services/machines/equation-keys.ts';
import { ErasureService } from './services/machines/erasure.ts';
import { ImageCleaner } from './services/machines/images.ts';
import { MachineLog } from './services/machines/log.ts';
import { MachineService } from './services/machines/machines.ts';
import { OverviewService } from './services/machines/overview.ts';
import { PayloadKeys } from './services/machines/payload-keys.ts';
import { PublicFeed } from './services/machines/public-feed.ts';
import { RefusalLog } from './services/machines/refusals.ts';
import { MachineReports } from './services/machines/reports.ts';
import { sealFor } from './services/machines/sealed-payload.ts';
import { MachineStreams } from './services/machines/streams.ts';
import { MachineTails } from './services/machines/tails.ts';
import { TallyService } from './services/machines/tally.ts';
import { TreeService } from './services/machines/trees.ts';
import { IdempotencyService } from './services/node/idempotency.ts';
import { KernelArchive } from './services/node/kernel-archive.ts';
import { openKeyRing } from './services/node/key-ring.ts';
import { loadMasterKey, masterKeySource } from './services/node/master-key.ts';
import { Outbound } from './services/node/outbound.ts';
import { PulseService } from './services/node/pulse.ts';
import { CIPHER, SealedBox } from './services/node/sealed-box.ts';
import { SealService } from './services/node/seals.ts';
import { SecretRing } from './services/node/secret-ring.ts';
import { repeat, sweepUp } from './services/node/upkeep.ts';
import { OracleService } from './services/oracles/oracles.ts';
import { OraclePoller } from './services/oracles/poller.ts';
import { assertSource } from './services/oracles/sources.ts';
import { Courier } from './services/webhooks/dispatcher.ts';
import { WebhookSecrets } from './services/webhooks/secrets.ts';
import { assertWebhooks, WebhookService } from './services/webhooks/webhooks.ts';
import { Ledger } from './storage/machines/ledger.ts';
import type { Machine } from './storage/machines/machines.ts';
import { type EventBus, LocalBus } from './storage/node/event-bus.ts';
import { NotifyBus, type NotifyBusOptions } from './storage/node/notify-bus.ts';
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
