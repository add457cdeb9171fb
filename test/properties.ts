// Property tests draw the same cases in every run, so that a red run is about the change; the slow suite draws new and more ones.
// A failure prints its seed; `SVC_SEED=<seed>` draws its cases again.

import fc from 'fast-check';

const { SVC_SEED, SVC_SLOW } = process.env;
const FIXED = 20_261_121;

if (SVC_SLOW === '1' && SVC_SEED === undefined) fc.configureGlobal({ numRuns: 1_000 });
else fc.configureGlobal({ seed: SVC_SEED === undefined ? FIXED : Number(SVC_SEED) });
