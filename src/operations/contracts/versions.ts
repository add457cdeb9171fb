// Lists and reads versions of a contract, and rolls back to one.

import { z } from 'zod';
import { Definition } from '../../contracts/definition.ts';
import { Migration } from '../../contracts/migration/schema.ts';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { WRITE_ERRORS } from '../machines/errors.ts';
import { defineOperation } from '../operation.ts';
import { beforeSeq, pageOf, queryInt, SEQ_PAGE, Sha256, success } from '../schemas.ts';
import { CONTRACT_PATH, PatchedContract, Scalars, Version } from './schemas.ts';

export const contractVersions = defineOperation({
  name: 'contract.versions',
  summary: 'The versions of a contract, newest first.',
  route: 'GET /api/chain/{slug}/contracts/{id}/versions',
  tier: 'key',
  effect: 'read',
  machine: 'reader',
  party: true,
  input: z.object({ ...CONTRACT_PATH, ...SEQ_PAGE }),
  output: pageOf(Version),
  errors: [],
  handle: async ({ id, ...page }, { services }, { machine }) => {
    const versions = await services.contracts.versions(machine, id, beforeSeq(page));
    const rows = versions.rows.map(({ definitionHash, ...version }) => ({
      ...version,
      definition_hash: definitionHash,
    }));
    const last = rows.at(-1);
    return { rows, next_cursor: versions.isCut && last ? String(last.no) : null };
  },
});

export const contractVersion = defineOperation({
  name: 'contract.version',
  summary: 'One version of a contract with its definition.',
  route: 'GET /api/chain/{slug}/contracts/{id}/versions/{n}',
  tier: 'key',
  effect: 'read',
  machine: 'reader',
  party: true,
  description:
    'With instance, the version by which that instance is decided or a later one; its own parties read it on a private machine too.',
  input: z.object({
    ...CONTRACT_PATH,
    n: queryInt(1).describe('Number of the version.'),
    instance: singleLine(LIMITS.contracts.instances.keyCharacters)
      .optional()
      .describe('Key of the instance for whose parties it is read.'),
  }),
  output: success({ no: z.int(), definition_hash: Sha256, parameters: Scalars, definition: Definition }),
  errors: ['CONFLICT'],
  handle: async ({ id, n, instance }, { services }, { machine }) => {
    if (instance !== undefined) await services.contractInstances.assertVersion(machine, id, instance, n);
    const { no, definitionHash, parameters, definition } = await services.contracts.version(machine, id, n);
    return { no, definition_hash: definitionHash, parameters, definition };
  },
});

export const rollbackContract = defineOperation({
  name: 'contract.rollback',
  summary: 'Create a new version from an old one; history stays linear.',
  route: 'POST /api/chain/{slug}/contracts/{id}/rollback',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  input: z.strictObject({
    ...CONTRACT_PATH,
    to_version: z.int().min(1),
    reset: z.boolean().default(false),
    migrate: Migration.optional(),
  }),
  output: PatchedContract,
  errors: WRITE_ERRORS,
  handle: ({ id, to_version: to, reset, migrate }, { services }, { machine, by }) =>
    services.contracts.rollback(machine, by, id, to, reset, migrate),
});
