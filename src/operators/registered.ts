// The kept list of definition hashes, and the registration by it. Its 30 KB are for programs that hold the registry;
// registration.ts takes the list from elsewhere.

import REGISTERED from './registered.json' with { type: 'json' };
import { type Registration, registrationOf } from './registration.ts';

/** @param definition  also one of an untrusted receipt */
export const registration = (definition: unknown): Registration => registrationOf(definition, REGISTERED);
