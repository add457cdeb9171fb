// Lists, reads and deploys built-in contract templates.

import { z } from 'zod';
import { Definition } from '../../contracts/definition.ts';
import { Bindings, type GivenBindings } from '../../contracts/parties/bindings.ts';
import { findTemplate, TEMPLATES } from '../../templates/load.ts';
import { WRITE_ERRORS } from '../machines/errors.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { rowsOf, success } from '../schemas.ts';
import { deploy } from './deployment.ts';
import { ContractName, DeployedContract, Parameters, TemplateId } from './schemas.ts';

const Summary = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    category: z.string(),
    description: z.string(),
    states: z.int(),
    transitions: z.int(),
    operators: z.array(z.string()),
  })
  .meta({ id: 'TemplateSummary' });

const summaries = [...TEMPLATES.values()].map(({ id, title, category, definition }) => ({
  id,
  title,
  category,
  description: definition.description ?? '',
  states: Object.keys(definition.states).length,
  transitions: definition.transitions.length,
  operators: definition.operators,
}));

const CATEGORIES = [...new Set(summaries.map(({ category }) => category))];

export const listTemplates = defineOperation({
  name: 'template.list',
  summary: 'The built-in templates of contracts.',
  route: 'GET /api/contracts/templates',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  mcp: {
    tool: 'svc_contract_templates',
    title: 'Contract templates',
    description: 'Use to see which state contracts are ready to deploy: id, title, category, description.',
    profile: 'chain',
  },
  input: z.object({ category: z.enum(CATEGORIES).optional().describe('Only this category.') }),
  output: rowsOf(Summary),
  brief: {
    sentences: ({ rows }) => [
      `${rows.length} templates.`,
      ...rows.map(({ id, title, description }) => `${id} (${title}): ${description}`),
    ],
  },
  errors: [],
  handle: async ({ category }) => ({
    rows: summaries.filter((template) => category === undefined || template.category === category),
  }),
});

export const getTemplate = defineOperation({
  name: 'template.get',
  summary: 'One template with its whole definition.',
  route: 'GET /api/contracts/templates/{templateId}',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: z.object({ templateId: TemplateId }),
  example: { templateId: 'rate-limiter' },
  output: success({ id: z.string(), title: z.string(), category: z.string(), definition: Definition }),
  errors: ['NOT_FOUND'],
  handle: async ({ templateId }) => {
    const { id, title, category, definition } = findTemplate(templateId);
    return { id, title, category, definition };
  },
});

export const deployTemplate = defineOperation({
  name: 'template.deploy',
  summary: 'Deploy a built-in template on one of your machines.',
  route: 'POST /api/contracts/templates/{templateId}/deploy',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  status: 201,
  input: z.strictObject({
    templateId: TemplateId,
    slug: Slug,
    parameters: Parameters.optional(),
    name: ContractName.optional(),
    bindings: Bindings.optional(),
  }),
  example: { templateId: 'rate-limiter', slug: 'boiler' },
  output: DeployedContract,
  errors: WRITE_ERRORS,
  handle: async ({ templateId, ...settings }, { services }, { machine, by }) => ({
    ...(await deploy(services, machine, by, fromTemplate(templateId, settings))),
    template_id: templateId,
  }),
});

/** Deployment request for a template, named by its title by default. @throws DomainError NOT_FOUND */
export function fromTemplate(templateId: string, { parameters, name, bindings }: Settings) {
  const { definition, title } = findTemplate(templateId);
  return { definition, parameters, name: name ?? title, templateId, bindings };
}

interface Settings {
  readonly parameters?: z.output<typeof Parameters> | undefined;
  readonly name?: string | undefined;
  readonly bindings?: GivenBindings | undefined;
}
