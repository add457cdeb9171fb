// Errors of operations on one machine, by what the operation does.

/** Reads what members may see. */
export const MEMBER_ERRORS = ['NOT_FOUND', 'FORBIDDEN', 'ADMIN_REQUIRED', 'ZID_NOT_LINKED'] as const;

/** Changes a machine or what belongs to it. */
export const MEMBER_WRITE_ERRORS = [...MEMBER_ERRORS, 'MACHINE_ARCHIVED', 'CONFLICT', 'QUEUE_FULL'] as const;

/** Writes a row into its chain. */
export const LOG_ERRORS = ['NOT_FOUND', 'FORBIDDEN', 'ZID_NOT_LINKED', 'MACHINE_ARCHIVED', 'QUEUE_FULL'] as const;
