// Machines anchored in other machines, and this node as a witness of other logs.

import { anchorMachine, listAnchored, listAnchors, rotateAnchorKey } from './anchors.ts';
import { getAnchorConfig, setAnchorConfig } from './config.ts';
import { addCheckpoint } from './witness.ts';

export const ANCHOR_OPERATIONS = [
  anchorMachine,
  listAnchors,
  listAnchored,
  getAnchorConfig,
  setAnchorConfig,
  rotateAnchorKey,
  addCheckpoint,
] as const;
