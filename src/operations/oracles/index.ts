// Oracles of contracts.

import type { Operation } from '../operation.ts';
import { listOracles, pushReading } from './oracles.ts';

export const ORACLE_OPERATIONS: readonly Operation[] = [listOracles, pushReading];
