// The master key and the caller of the nodes that crash tests run, the same after each kill.

export const MASTER_KEY = 'f1c9a8e27b3d4650918273645546372819a0b1c2d3e4f5061728394a5b6c7d8e';

/** An admin whose account needs no rows. */
export const by = {
  accountId: '',
  keyId: '',
  keyPrefix: '',
  scope: 'admin',
  tier: 'high',
  isDemo: false,
  zid: 'c'.repeat(32),
} as const;
