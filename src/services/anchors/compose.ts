// Composes the services for anchors in other machines and for witnesses of checkpoints.

import type { NoteSigner, VerifierKey } from '../../chain/note.ts';
import type { RateLimiter } from '../access/rate-limit.ts';
import type { MachineServices } from '../machines/compose.ts';
import { type Lifecycle, repeat } from '../node/lifecycle.ts';
import type { OutboundClient } from '../node/outbound.ts';
import type { Platform } from '../node/platform.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import { AnchorService } from './anchors.ts';
import { AnchorConsent } from './consent.ts';
import { AnchorKeys } from './keys.ts';
import { AnchorConfigService } from './settings.ts';
import { WitnessService } from './witness.ts';
import { WitnessClient } from './witness-client.ts';
import { WitnessSubmitter } from './witness-submitter.ts';

export interface AnchorServices {
  readonly anchors: AnchorService;
  readonly anchorConfig: AnchorConfigService;
  readonly witness: WitnessService;
}

export interface AnchorModule {
  readonly services: AnchorServices;
  readonly lifecycle: Lifecycle;
}

type AnchorOptions = Platform &
  Pick<MachineServices, 'machines' | 'trees'> & {
    readonly box: SealedBox;
    readonly rateLimit: RateLimiter;
    readonly outbound: OutboundClient;
    readonly signer: NoteSigner;
    /** Name of this node in the origins of checkpoints. */
    readonly host: string;
    /** Keys of the logs that this node witnesses. */
    readonly witnessLogs: readonly VerifierKey[];
  };

const ANCHOR_INTERVAL_MS = 15_000;
const BATCH_SIZE = 100;

export function composeAnchors(options: AnchorOptions): AnchorModule {
  const { storage, clock, randomBytes, log, machines, trees, box, rateLimit, outbound, signer, host, witnessLogs } =
    options;
  const shared = {
    machines,
    machineRepository: storage.machines,
    members: storage.members,
    anchors: storage.anchors,
    tallies: storage.tallies,
    storedKeys: storage.anchorKeys,
    motherStates: storage.mothers,
    witnessStates: storage.anchorWitnesses,
    settings: storage.anchorSettings,
    trees,
    clock,
  };
  const anchors = new AnchorService({
    ...shared,
    keys: new AnchorKeys({ ...shared, box, randomBytes }),
    consent: new AnchorConsent({ ...shared, rateLimit }),
  });
  const witnessSubmitter = new WitnessSubmitter({
    ...shared,
    client: new WitnessClient({ trees, outbound }),
    onError: (err) => log.warn({ err }, 'checkpoint could not be submitted to a witness'),
  });
  const anchorConfig = new AnchorConfigService({
    ...shared,
    service: anchors,
    witnessSubmitter,
    onError: (err) => log.warn({ err }, 'machine could not be anchored'),
  });
  const anchoring = repeat(
    ANCHOR_INTERVAL_MS,
    () => anchorConfig.sweep(BATCH_SIZE),
    (err) => log.warn({ err }, 'due anchors could not be processed'),
  );
  return {
    services: {
      anchors,
      anchorConfig,
      witness: new WitnessService({
        witnessed: storage.witnessed,
        logs: witnessLogs,
        signer,
        name: `${host}/witness`,
        clock,
      }),
    },
    lifecycle: {
      start: () => anchoring.start(),
      stop: async () => {
        await Promise.all([anchoring.stop(), witnessSubmitter.close()]);
      },
    },
  };
}
