// Services available to operations, as types. composition.ts creates them.

import type { AccessServices } from '../services/access/compose.ts';
import type { ActivityServices } from '../services/activities/compose.ts';
import type { AnchorServices } from '../services/anchors/compose.ts';
import type { ComputeServices } from '../services/compute/compose.ts';
import type { ContractServices } from '../services/contracts/compose.ts';
import type { MachineServices } from '../services/machines/compose.ts';
import type { NodeServices } from '../services/node/compose.ts';
import type { OracleServices } from '../services/oracles/compose.ts';
import type { WebhookServices } from '../services/webhooks/compose.ts';

export type Services = NodeServices &
  AccessServices &
  ComputeServices &
  MachineServices &
  OracleServices &
  WebhookServices &
  ActivityServices &
  ContractServices &
  AnchorServices;
