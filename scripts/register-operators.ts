// Appends the hashes of new and changed definitions to src/operators/registered.json.
//
//   npm run register:operators

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATORS } from '../src/operators/load.ts';
import type { RegisteredHashes } from '../src/operators/registration.ts';
import { ROOT } from './compile-kernel.ts';
import { appendDefinitions, printRegistered, REGISTERED } from './gates/registered.ts';

const path = join(ROOT, REGISTERED);
const kept = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RegisteredHashes) : {};
const next = appendDefinitions(kept, OPERATORS.values());
writeFileSync(path, printRegistered(next));
const count = (list: RegisteredHashes) => Object.values(list).reduce((sum, hashes) => sum + hashes.length, 0);
console.log(`${REGISTERED}: ${count(next) - count(kept)} new, ${count(next)} in all`);
