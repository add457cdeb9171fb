import { describeCrashRecovery } from './crash-recovery-suite.ts';

describeCrashRecovery({ kills: 20, seed: 777, maxRows: 300, minRows: 101, timeoutMs: 600_000 });
