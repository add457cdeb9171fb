import { describeCrashRecovery } from './crash-recovery-suite.ts';

describeCrashRecovery({ kills: 3, seed: 1287, maxRows: 200, minRows: 2, timeoutMs: 120_000 });
