// Errors of operations that write to a machine, besides those of the role they need (machine-role.ts).

/** Changes a machine or what belongs to it. */
export const WRITE_ERRORS = ['MACHINE_ARCHIVED', 'CONFLICT', 'QUEUE_FULL'] as const;

/** Writes a row into its chain. */
export const LOG_ERRORS = ['MACHINE_ARCHIVED', 'QUEUE_FULL'] as const;
