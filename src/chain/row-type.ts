// What a row of a chain can be about, in one word: the whole list, for those who write rows and those who ask for some.

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
