import { describeSurvival } from './survives.ts';

describeSurvival({ kills: 20, seed: 777, mostRows: 300, leastRows: 101, timeoutMs: 600_000 });
