// The types of chain rows, for code that writes rows and for filters that select them.

export const ROW_TYPES = [
  'genesis',
  'event',
  'emit',
  'transition',
  'fire_skipped',
  'refused',
  'contract',
  'stamp',
  'reading',
  'connection',
  'file',
  'state',
  'rejection',
  'settings',
  'status',
  'member',
  'share',
  'api_key',
  'webhook',
  'tally_genesis',
  'tally_rate',
  'tally_avatar',
  'payload_erased',
  'anchor',
  'anchor_config',
  'anchor_continuity',
  'anchor_key',
  'anchored',
] as const;

export type RowType = (typeof ROW_TYPES)[number];
