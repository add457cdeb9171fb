// Access operations: demo keys and account keys.

import type { Operation } from '../operation.ts';
import { createKey, listKeys, mintDemoKey, revokeKey } from './keys.ts';

export const DEMO_KEY_OPERATIONS: readonly Operation[] = [mintDemoKey];

export const KEY_OPERATIONS: readonly Operation[] = [listKeys, createKey, revokeKey];
