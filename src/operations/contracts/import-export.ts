// Operations that export a contract and import it on another machine: definition and settings, no state.

import { z } from 'zod';
import { Definition } from '../../contracts/definition.ts';
import { Bindings } from '../../contracts/parties/bindings.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { isTemplate } from '../../templates/load.ts';
import { WRITE_ERRORS } from '../machines/errors.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { Sha256, success } from '../schemas.ts';
import { deploy } from './deployment.ts';
import {
  CONTRACT_PATH,
  ContractName,
  DeployedContract,
  EXAMPLE_DEFINITION,
  Parameters,
  TemplateId,
} from './schemas.ts';

const Exported = z
  .strictObject({
    format: z.literal('svc-contract/1'),
    name: ContractName,
    definition: Definition,
    definition_hash: Sha256,
    parameters: Parameters,
    template_id: TemplateId.nullable(),
    current_version_no: z.int(),
  })
  .meta({
    id: 'ExportedContract',
    description: 'An exported contract: definition and settings, no state.',
  });

export const exportContract = defineOperation({
  name: 'contract.export',
  summary: 'An exported contract: definition and settings, no state.',
  route: 'GET /api/chain/{slug}/contracts/{id}/export',
  tier: 'key',
  effect: 'read',
  machine: 'owner',
  input: z.object(CONTRACT_PATH),
  output: success({ export: Exported }),
  errors: [],
  handle: async ({ id }, { services }, { machine }) => {
    const { stored } = await services.contracts.get(machine, id);
    const { name, definition, definitionHash, parameters, templateId, versionNo } = stored;
    return {
      export: {
        format: 'svc-contract/1' as const,
        name,
        definition,
        definition_hash: definitionHash,
        parameters,
        template_id: templateId ?? null,
        current_version_no: versionNo,
      },
    };
  },
});

export const importContract = defineOperation({
  name: 'contract.import',
  summary: 'Deploy an exported contract with initial state.',
  description: 'template_id is kept only if the definition is the one of that template.',
  route: 'POST /api/chain/{slug}/contracts/import',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  status: 201,
  input: z.strictObject({ slug: Slug, export: Exported, bindings: Bindings.optional() }),
  example: {
    slug: 'boiler',
    export: {
      format: 'svc-contract/1',
      name: 'approvals',
      definition: EXAMPLE_DEFINITION,
      definition_hash: sha256Hex(canonicalJson(EXAMPLE_DEFINITION)),
      parameters: {},
      template_id: null,
      current_version_no: 1,
    },
  },
  output: DeployedContract,
  errors: [...WRITE_ERRORS, 'EXPRESSION_INVALID'],
  handle: async ({ export: exported, bindings }, { services }, { machine, by }) => {
    const { name, definition, parameters, template_id, definition_hash } = exported;
    services.contracts.assertHash(definition, definition_hash);
    const templateId = template_id !== null && isTemplate(template_id, definition_hash) ? template_id : undefined;
    const request = { name, definition, parameters, templateId, bindings };
    return deploy(services, machine, by, request);
  },
});
