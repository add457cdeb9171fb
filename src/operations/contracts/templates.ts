// The built-in templates of contracts.

import { z } from 'zod';
import { Definition } from '../../contracts/definition.ts';
import { findTemplate, TEMPLATES } from '../../templates/load.ts';
import { defineOperation } from '../operation.ts';
import { Ok } from '../schemas.ts';

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
    description: 'Use to see which state contracts can be deployed as they are: id, title, category, what they do.',
    profile: 'chain',
  },
  input: z.object({ category: z.string().max(80).optional().describe('Only this category.') }),
  output: z.strictObject({ ok: Ok, rows: z.array(Summary) }),
  errors: [],
  handle: async ({ category }) => ({
    ok: true as const,
    rows: summaries.filter((one) => category === undefined || one.category === category),
  }),
});

export const getTemplate = defineOperation({
  name: 'template.get',
  summary: 'One template with its whole definition.',
  route: 'GET /api/contracts/templates/{templateId}',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: z.object({ templateId: z.string().max(64).describe('Id of the template.') }),
  example: { templateId: 'rate-limiter' },
  output: z.strictObject({ ok: Ok, id: z.string(), title: z.string(), category: z.string(), definition: Definition }),
  errors: ['NOT_FOUND'],
  handle: async ({ templateId }) => {
    const { id, title, category, definition } = findTemplate(templateId);
    return { ok: true as const, id, title, category, definition };
  },
});
