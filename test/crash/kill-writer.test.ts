import { describeSurvival } from './survives.ts';

describeSurvival({ kills: 3, seed: 1287, mostRows: 200, leastRows: 2, timeoutMs: 120_000 });
