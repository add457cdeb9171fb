// Property tests use a fixed seed, so that a failure is caused by the change under test. The slow suite uses random
// seeds and more cases. A failure prints its seed; `SVC_SEED=<seed>` repeats its cases.

import fc from 'fast-check';

const { SVC_SEED, SVC_SLOW } = process.env;
const FIXED_SEED = 20_261_121;

if (SVC_SLOW === '1' && SVC_SEED === undefined) fc.configureGlobal({ numRuns: 1_000 });
else fc.configureGlobal({ seed: SVC_SEED === undefined ? FIXED_SEED : Number(SVC_SEED) });
