// Operations of machines and their chains.

import { createDeveloperKey, listDeveloperKeys, revokeDeveloperKey } from './access/developer-keys.ts';
import { addMember, changeMember, listMembers, removeMember } from './access/members.ts';
import { disableShares, setShare } from './access/shares.ts';
import { unlockMachine } from './access/unlock.ts';
import { machineAnalytics, machineSources } from './analytics.ts';
import { awarenessStatus } from './awareness.ts';
import { machineBundle, machineBundlePage } from './bundles.ts';
import { exploreMachine, machineAt, machineBlock, machineState, machineStats } from './chain.ts';
import { decryptAudit } from './decryption.ts';
import { erasePayload } from './erasure.ts';
import { machineEvents } from './events.ts';
import { logConnection, logEvent, logEvents, logFile, logRejection, logState } from './log.ts';
import { createMachine, getMachine, listMachines, patchMachine, setMachineStatus, spinUp } from './machines.ts';
import { nodeSeal } from './node-seal.ts';
import { activeMachines, aggregateList, fleet, newestMachines, observer, recentRows } from './overview.ts';
import { chainCheckpoint, consistencyProof, inclusionProof, validateChain } from './proofs.ts';
import { aggregateStream, eventStream, exploreStream } from './streams.ts';
import { getAvatar, setAvatar } from './tally/avatar.ts';
import { createTally, getMintRate, getTally, setMintRate, tallySupply } from './tally/tally.ts';
import { getToken, listTokens, verifyTally } from './tally/tokens.ts';
import { submitTransition } from './transactions.ts';
import { verifyAnchor } from './verify-anchor.ts';

/** Machines, their settings and who may use them. */
export const MACHINE_OPERATIONS = [
  spinUp,
  createMachine,
  listMachines,
  newestMachines,
  recentRows,
  observer,
  activeMachines,
  aggregateList,
  aggregateStream,
  fleet,
  verifyAnchor,
  nodeSeal,
  getMachine,
  setMachineStatus,
  patchMachine,
  listMembers,
  addMember,
  changeMember,
  removeMember,
  listDeveloperKeys,
  createDeveloperKey,
  revokeDeveloperKey,
  setShare,
  disableShares,
  unlockMachine,
] as const;

const TALLY_OPERATIONS = [
  createTally,
  getTally,
  tallySupply,
  getMintRate,
  setMintRate,
  listTokens,
  setAvatar,
  getAvatar,
  getToken,
  verifyTally,
] as const;

/** Rows of one machine: written, read, verified. */
export const CHAIN_OPERATIONS = [
  logEvent,
  logEvents,
  logConnection,
  logFile,
  logState,
  logRejection,
  submitTransition,
  erasePayload,
  decryptAudit,
  ...TALLY_OPERATIONS,
  exploreMachine,
  exploreStream,
  machineState,
  machineStats,
  machineAt,
  machineBlock,
  machineAnalytics,
  machineSources,
  machineEvents,
  eventStream,
  awarenessStatus,
  validateChain,
  chainCheckpoint,
  inclusionProof,
  consistencyProof,
  machineBundle,
  machineBundlePage,
] as const;
