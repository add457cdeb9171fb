// Names of the parameters that a fit may decide, in the order in which the kernel counts them.

export const FITTED = ['beta', 'gamma', 'sigma', 'I0', 'reporting'] as const;

export type Fitted = (typeof FITTED)[number];
