// Access operations: demo keys and account keys.

import { createKey, listKeys, mintDemoKey, revokeKey } from './keys.ts';

export const DEMO_KEY_OPERATIONS = [mintDemoKey] as const;

export const KEY_OPERATIONS = [listKeys, createKey, revokeKey] as const;
