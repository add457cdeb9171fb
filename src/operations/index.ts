// All operations, in the order in which the catalog shows them.

import { DEMO_KEY_OPERATIONS, KEY_OPERATIONS } from './access/index.ts';
import { ANCHOR_OPERATIONS } from './anchors/index.ts';
import { COMPUTE_OPERATIONS } from './compute/index.ts';
import { CONTRACT_OPERATIONS } from './contracts/index.ts';
import { CHAIN_OPERATIONS, MACHINE_OPERATIONS } from './machines/index.ts';
import { documentOperations, nodeOperations } from './node/index.ts';
import type { Operation } from './operation.ts';
import { ORACLE_OPERATIONS } from './oracles/index.ts';
import { WEBHOOK_OPERATIONS } from './webhooks/index.ts';

/** The list below; its type does not depend on this function. */
const all = (): readonly Operation[] => OPERATIONS;

export const OPERATIONS = [
  ...nodeOperations(all),
  ...DEMO_KEY_OPERATIONS,
  ...COMPUTE_OPERATIONS,
  ...MACHINE_OPERATIONS,
  ...CHAIN_OPERATIONS,
  ...ANCHOR_OPERATIONS,
  ...CONTRACT_OPERATIONS,
  ...ORACLE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...KEY_OPERATIONS,
  ...documentOperations(all),
] as const;
