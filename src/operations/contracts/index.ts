// Contract operations: templates, generation, your contracts, and the contracts of one machine.

import { listActivities } from './activities.ts';
import { contractAudit, transitionStream } from './audit.ts';
import { contractBalances, machineBalances } from './balances.ts';
import { createContract, createCustomContract, getContract, listContracts, patchContract } from './contracts.ts';
import { checkContract, simulateContract } from './drafts.ts';
import { dryRunContract } from './dry-run.ts';
import { fireContract, fireTransition } from './fire.ts';
import { generateContract } from './generate.ts';
import { exportContract, importContract } from './import-export.ts';
import { getInstance, instanceAudit, listInstances } from './instances.ts';
import { contractIntegrity, verifyContract } from './integrity.ts';
import { freezeContract, pauseContract, resumeContract, skipContract } from './lifecycle.ts';
import { deployOwnContract, fireOwnContract, getOwnContract, listOwnContracts } from './own-contracts.ts';
import {
  acceptProposal,
  acceptVersion,
  contractParties,
  instanceParties,
  rebindParty,
  sendToContract,
  withdrawProposal,
} from './parties.ts';
import { contractNextFires, previewContract } from './preview.ts';
import { listSeats } from './seats.ts';
import { deployTemplate, getTemplate, listTemplates } from './templates.ts';
import { contractVersion, contractVersions, rollbackContract } from './versions.ts';

export const CONTRACT_OPERATIONS = [
  listTemplates,
  getTemplate,
  deployTemplate,
  generateContract,
  checkContract,
  simulateContract,
  listOwnContracts,
  deployOwnContract,
  getOwnContract,
  fireOwnContract,
  listSeats,
  listContracts,
  createContract,
  createCustomContract,
  importContract,
  getContract,
  patchContract,
  contractAudit,
  transitionStream,
  contractVersions,
  contractVersion,
  contractIntegrity,
  contractNextFires,
  contractBalances,
  listActivities,
  listInstances,
  getInstance,
  instanceAudit,
  contractParties,
  sendToContract,
  acceptProposal,
  withdrawProposal,
  rebindParty,
  instanceParties,
  acceptVersion,
  previewContract,
  dryRunContract,
  verifyContract,
  exportContract,
  fireContract,
  fireTransition,
  pauseContract,
  resumeContract,
  skipContract,
  freezeContract,
  rollbackContract,
  machineBalances,
] as const;
