// Anchors: a checkpoint of one machine (the child) in the chain of another (the mother).

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { roleErrors } from '../machine-role.ts';
import { WRITE_ERRORS } from '../machines/errors.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { requirePrincipal } from '../require-principal.ts';
import { beforeSeq, Hex32, Hex64, NextCursor, SEQ_PAGE, Sha256, success, Tick } from '../schemas.ts';

const Pseudonym = Hex32.describe('Name of the child at this mother, and nowhere else.');

const MotherHash = Sha256.describe('id_hash of the mother, which the signature covers.');

const Anchor = z
  .strictObject({
    pseudonym: Pseudonym,
    public_key: Hex64.describe('Ed25519 key of the pseudonym, hex.'),
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

const MOTHER_PAGE = { motherSlug: Slug, ...SEQ_PAGE };

export const anchorMachine = defineOperation({
  name: 'anchor.add',
  summary: 'Anchor the newest checkpoint of a machine in the chain of another one.',
  description:
    'For admins of the child whom the mother accepts (its setting accept_anchors: members by default), else 403 ANCHOR_NOT_ACCEPTED. The mother learns a pseudonym, never the slug; the child records the row. A checkpoint is anchored once.',
  route: 'POST /api/chain/{motherSlug}/anchor',
  tier: 'key',
  effect: 'write',
  machine: 'reader',
  status: 201,
  input: z.strictObject({ motherSlug: Slug, child_slug: Slug.describe('The machine that is anchored.') }),
  output: success({
    mother: MotherHash,
    ...Anchor.shape,
    duplicate: z.boolean().describe('It already existed.'),
    child_seq: z.int().describe("Row of the child's chain that records it."),
  }),
  errors: [...roleErrors('admin'), ...WRITE_ERRORS, 'ANCHOR_NOT_ACCEPTED', 'RATE_LIMITED'],
  handle: async ({ child_slug }, { services, principal }, { machine: mother }) => {
    const child = await services.machines.find(child_slug, principal, 'admin');
    const by = requirePrincipal(principal);
    return services.anchors.anchor(child, mother, by, by.zid ?? '');
  },
});

export const listAnchors = defineOperation({
  name: 'anchor.list',
  summary: 'Anchors in the chain of a machine, newest first.',
  route: 'GET /api/chain/{motherSlug}/anchors',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ ...MOTHER_PAGE, pseudonym: Pseudonym.optional().describe('Only those of one child.') }),
  output: success({ mother: MotherHash, rows: z.array(Anchor), next_cursor: NextCursor }),
  errors: [],
  handle: ({ pseudonym, ...page }, { services }, { machine: mother }) =>
    services.anchors.list(mother, { ...beforeSeq(page), pseudonym }),
});

export const listAnchored = defineOperation({
  name: 'anchor.overview',
  summary: 'Children anchored in a machine, by pseudonym, with the newest anchor of each.',
  route: 'GET /api/chain/{motherSlug}/anchored',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object(MOTHER_PAGE),
  output: success({
    mother: MotherHash,
    rows: z.array(
      z.strictObject({
        pseudonym: Pseudonym,
        continues: Pseudonym.nullable().describe('Previous pseudonym of the same child.'),
        count: z.int(),
        first_svcond: Tick,
        newest: Anchor,
      }),
    ),
    next_cursor: NextCursor,
  }),
  errors: [],
  handle: (page, { services }, { machine: mother }) => services.anchors.summaries(mother, beforeSeq(page)),
});

export const rotateAnchorKey = defineOperation({
  name: 'anchor-key.rotate',
  summary: 'Rotate the anchor key of a machine, and so its pseudonyms; both keys sign the link.',
  description: `At most once in ${LIMITS.chain.anchors.everyTicks} ticks. An unreachable mother is updated with the next anchor.`,
  route: 'POST /api/chain/state-machines/{slug}/anchor-key/rotate',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  input: z.strictObject({ slug: Slug }),
  output: success({
    epoch: z.int().describe('Number of the key, from 1.'),
    mothers: z.array(
      z.strictObject({ mother: Slug, pseudonym: Pseudonym, ok: z.boolean(), code: z.string().nullable() }),
    ),
  }),
  errors: WRITE_ERRORS,
  handle: (_, { services }, { machine, by }) => services.anchors.rotate(machine, by),
});
