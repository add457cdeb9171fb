// A machine anchored in another one: by hand, by itself, and what a mother holds.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { PAGE, Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { Ok, Sha256, Tick } from '../schemas.ts';
import { signedIn } from '../signed-in.ts';

const READ = ['NOT_FOUND', 'FORBIDDEN', 'ADMIN_REQUIRED', 'ZID_NOT_LINKED'] as const;
const WRITE = [...READ, 'MACHINE_ARCHIVED', 'CONFLICT', 'QUEUE_FULL'] as const;
const { mothers, witnesses, everyTicks } = LIMITS.chain.anchors;

const Pseudonym = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .describe('What the child is called at this mother, and nowhere else.');

const MotherHash = Sha256.describe('id_hash of the mother, which the signature covers.');

const Anchor = z
  .strictObject({
    pseudonym: Pseudonym,
    public_key: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Ed25519 key of the pseudonym, hex.'),
    size: z.int().describe("Rows of the child's chain that the root covers."),
    root: Sha256.describe("Root of the child's tree (RFC 6962)."),
    svcond: Tick.describe('When the child signed it.'),
    sig: z
      .string()
      .describe(
        'Ed25519, base64, over the canonical JSON of {format: "svc-anchor/1", mother, pseudonym, root, size, svcond}.',
      ),
    seq: z.int().describe("Its row in the mother's chain."),
    row_hash: Sha256.describe('Hash of that row.'),
  })
  .meta({ id: 'Anchor' });

const SeqCursor = z
  .string()
  .regex(/^\d{1,15}$/)
  .optional()
  .describe('`next_cursor` of the page before.');

const MOTHER_PAGE = { motherSlug: Slug, limit: PAGE.limit, cursor: SeqCursor };

const pageOf = ({ limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }) => ({
  limit,
  before: cursor === undefined ? undefined : Number(cursor),
});

export const anchorMachine = defineOperation({
  name: 'anchor.add',
  summary: 'Anchor the newest checkpoint of a machine in the chain of another one.',
  description:
    'For admins of the child who may read the mother. She learns a pseudonym, never the slug; the child notes her row. The same checkpoint is anchored once.',
  route: 'POST /api/chain/{motherSlug}/anchor',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({ motherSlug: Slug, child_slug: Slug.describe('The machine that is anchored.') }),
  output: z.strictObject({
    ok: Ok,
    mother: MotherHash,
    ...Anchor.shape,
    duplicate: z.boolean().describe('It stood there before.'),
    child_seq: z.int().describe("The row of the child's chain that notes it."),
  }),
  errors: [...WRITE],
  handle: async ({ motherSlug, child_slug }, { services, principal }) => {
    const child = await services.machines.find(child_slug, principal, 'admin');
    const mother = await services.machines.find(motherSlug, principal, 'reader');
    return { ok: true as const, ...(await services.anchors.anchor(child, mother, signedIn(principal))) };
  },
});

export const listAnchors = defineOperation({
  name: 'anchor.list',
  summary: 'The anchors that a machine holds, newest first.',
  route: 'GET /api/chain/{motherSlug}/anchors',
  tier: 'public',
  effect: 'read',
  input: z.object({ ...MOTHER_PAGE, pseudonym: Pseudonym.optional().describe('Only those of one child.') }),
  output: z.strictObject({
    ok: Ok,
    mother: MotherHash,
    rows: z.array(Anchor),
    next_cursor: z.string().nullable(),
  }),
  errors: ['NOT_FOUND'],
  handle: async ({ motherSlug, pseudonym, ...page }, { services, principal }) => {
    const mother = await services.machines.find(motherSlug, principal, 'reader');
    return { ok: true as const, ...(await services.anchors.held(mother, { ...pageOf(page), pseudonym })) };
  },
});

export const listAnchored = defineOperation({
  name: 'anchor.overview',
  summary: 'Who is anchored in a machine, by pseudonym, and how far each has come.',
  route: 'GET /api/chain/{motherSlug}/anchored',
  tier: 'public',
  effect: 'read',
  input: z.object(MOTHER_PAGE),
  output: z.strictObject({
    ok: Ok,
    mother: MotherHash,
    rows: z.array(
      z.strictObject({
        pseudonym: Pseudonym,
        continues: Pseudonym.nullable().describe('The pseudonym that the same child had before.'),
        count: z.int(),
        first_svcond: Tick,
        newest: Anchor,
      }),
    ),
    next_cursor: z.string().nullable(),
  }),
  errors: ['NOT_FOUND'],
  handle: async ({ motherSlug, ...page }, { services, principal }) => {
    const mother = await services.machines.find(motherSlug, principal, 'reader');
    return { ok: true as const, ...(await services.anchors.summaries(mother, pageOf(page))) };
  },
});

export const rotateAnchorKey = defineOperation({
  name: 'anchor-key.rotate',
  summary: 'Give a machine a new anchor key, and so new pseudonyms, tied to those before by both keys.',
  description: `At most once in ${everyTicks} ticks. A mother who cannot be told now is told with the next anchor.`,
  route: 'POST /api/chain/state-machines/{slug}/anchor-key/rotate',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({ slug: Slug }),
  output: z.strictObject({
    ok: Ok,
    epoch: z.int().describe('Counts the keys from 1.'),
    mothers: z.array(
      z.strictObject({ mother: Slug, pseudonym: Pseudonym, ok: z.boolean(), code: z.string().nullable() }),
    ),
  }),
  errors: [...WRITE],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, ...(await services.anchors.rotate(machine, signedIn(principal))) };
  },
});

const SETTINGS = {
  mothers: z.array(Slug).max(mothers).describe('Machines that this one is anchored in by itself.'),
  every_ticks: z
    .int()
    .min(everyTicks)
    .max(10_000_000)
    .describe('Ticks from one anchor to the next; without new rows there is none.'),
  witnesses: z
    .array(
      z.strictObject({
        url: z
          .url({ protocol: /^https?$/ })
          .max(500)
          .regex(/[^/]$/, 'no slash at the end is expected')
          .refine((url) => !/[?#@]/.test(url), 'an address without query, fragment and password is expected')
          .describe('Submission prefix of a C2SP witness: /add-checkpoint follows.'),
        verifier_key: z.string().max(400).describe('Its C2SP verifier key, of type 4.'),
      }),
    )
    .max(witnesses)
    .describe('Who is shown the newest checkpoint, with the slug in its origin, to cosign it.'),
};

const LAST = {
  size: z.int().describe('Rows that it has seen.'),
  svcond: Tick.nullable().describe('When it was last tried.'),
  ok: z.boolean(),
  code: z.string().nullable().describe('Why the last try failed.'),
  failures: z.int().describe('All that failed.'),
};

const AnchorConfig = z.strictObject({
  ok: Ok,
  version: z.int().describe('Counts changes; the ETag.'),
  ...SETTINGS,
  due_tick: Tick.nullable().describe('When it is next done.'),
  last: z.array(z.strictObject({ mother: Slug, ...LAST })),
  last_witnessed: z.array(
    z.strictObject({
      url: z.string(),
      ...LAST,
      cosignature: z.string().nullable().describe('A line of a signed note.'),
    }),
  ),
});

export const getAnchorConfig = defineOperation({
  name: 'anchor-config.get',
  summary: 'Where a machine is anchored by itself, who witnesses it, and how the last tries came out.',
  description: 'Only admins are shown mothers whom they may not see themselves.',
  route: 'GET /api/chain/state-machines/{slug}/anchor-config',
  tier: 'key',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: AnchorConfig,
  versionOf: ({ version }) => version,
  errors: [...READ],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'viewer');
    return { ok: true as const, ...(await services.anchorConfig.seenBy(machine, signedIn(principal))) };
  },
});

export const setAnchorConfig = defineOperation({
  name: 'anchor-config.set',
  summary: 'Say where a machine is anchored by itself, how often, and who witnesses it.',
  description:
    'All settings at once, instead of those before. If-Match (or if_match) names the version that you have seen; another one is 409 CONFLICT with current_version.',
  route: 'PUT /api/chain/state-machines/{slug}/anchor-config',
  tier: 'key',
  effect: 'write',
  ifMatch: 'if_match',
  input: z.strictObject({
    slug: Slug,
    mothers: SETTINGS.mothers.default([]),
    every_ticks: SETTINGS.every_ticks.default(everyTicks),
    witnesses: SETTINGS.witnesses.default([]),
    if_match: z.int().min(0).optional().describe('The version that you have seen; the header If-Match fills it too.'),
  }),
  output: AnchorConfig,
  versionOf: ({ version }) => version,
  errors: [...WRITE],
  handle: async ({ slug, if_match: ifVersion, ...settings }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    const set = await services.anchorConfig.set(machine, signedIn(principal), settings, ifVersion);
    return { ok: true as const, ...set };
  },
});
