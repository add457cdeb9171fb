// Configuration of automatic anchoring: mothers, witnesses, interval, and the last results.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { WRITE_ERRORS } from '../machines/errors.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { success, Tick } from '../schemas.ts';

const { mothers, witnesses, everyTicks } = LIMITS.chain.anchors;

const SETTINGS = {
  mothers: z.array(Slug).max(mothers).describe('Machines to anchor in automatically.'),
  every_ticks: z.int().min(everyTicks).max(10_000_000).describe('Ticks between anchors; skipped without new rows.'),
  witnesses: z
    .array(
      z.strictObject({
        url: z
          .url({ protocol: /^https?$/ })
          .max(500)
          .regex(/[^/]$/, 'no slash at the end is expected')
          .refine((url) => !/[?#@]/.test(url), 'an address without query, fragment and password is expected')
          .describe('Submission prefix of a C2SP witness: /add-checkpoint follows.'),
        verifier_key: singleLine(400, 0).describe('Its C2SP verifier key, of type 4.'),
      }),
    )
    .max(witnesses)
    .describe('Witnesses that get the newest checkpoint, with the slug in its origin, to cosign.'),
};

const LAST_ATTEMPT = {
  size: z.int().describe('Rows covered.'),
  svcond: Tick.nullable().describe('Last attempt.'),
  ok: z.boolean(),
  code: z.string().nullable().describe('Error of the last attempt.'),
  failures: z.int().describe('Failed attempts.'),
};

const AnchorConfig = success({
  version: z.int().describe('Counts changes; the ETag.'),
  ...SETTINGS,
  due_tick: Tick.nullable().describe('Next attempt.'),
  last: z.array(z.strictObject({ mother: Slug, ...LAST_ATTEMPT })),
  last_witnessed: z.array(
    z.strictObject({
      url: z.string(),
      ...LAST_ATTEMPT,
      cosignature: z.string().nullable().describe('A line of a signed note.'),
    }),
  ),
});

export const getAnchorConfig = defineOperation({
  name: 'anchor-config.get',
  summary: 'Automatic anchoring of a machine: mothers, witnesses and the last results.',
  description: 'Members below admin see only mothers that they may read.',
  route: 'GET /api/chain/state-machines/{slug}/anchor-config',
  tier: 'key',
  effect: 'read',
  machine: 'viewer',
  input: z.object({ slug: Slug }),
  output: AnchorConfig,
  versionOf: ({ version }) => version,
  errors: [],
  handle: (_, { services }, { machine, by }) => services.anchorConfig.getFor(machine, by),
});

export const setAnchorConfig = defineOperation({
  name: 'anchor-config.set',
  summary: 'Configure automatic anchoring of a machine: mothers, interval and witnesses.',
  description:
    'Replaces all settings. If-Match (or if_match) is the version you expect; a mismatch is 409 CONFLICT with current_version.',
  route: 'PUT /api/chain/state-machines/{slug}/anchor-config',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  ifMatch: 'if_match',
  input: z.strictObject({
    slug: Slug,
    mothers: SETTINGS.mothers.default([]),
    every_ticks: SETTINGS.every_ticks.default(everyTicks),
    witnesses: SETTINGS.witnesses.default([]),
    if_match: z.int().min(0).optional().describe('The version you expect; the If-Match header sets it too.'),
  }),
  output: AnchorConfig,
  versionOf: ({ version }) => version,
  errors: WRITE_ERRORS,
  handle: async ({ if_match: ifVersion, ...settings }, { services }, { machine, by }) => {
    return services.anchorConfig.set(machine, by, settings, ifVersion);
  },
});
