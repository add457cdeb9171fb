// Oracles of contracts.

import { listOracles, pushReading } from './oracles.ts';

export const ORACLE_OPERATIONS = [listOracles, pushReading] as const;
