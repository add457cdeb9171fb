// The template registry: every file <category>/<id>.json of this folder, by id. A file in a category's folder adds a
// template.

import { z } from 'zod';
import { readJsonFiles } from '#json-files';
import type { Definition } from '../contracts/definition.ts';
import type { Scenario } from '../contracts/simulate.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { DomainError } from '../core/errors.ts';
import type { JsonFile } from '../core/json-file.ts';
import { didYouMean, nearestSuggestion } from '../core/nearest.ts';
import { sha256Hex } from '../core/sha256.ts';
import { quoteValue } from '../core/validation.ts';

export interface Template {
  readonly id: string;
  readonly category: string;
  readonly title: string;
  readonly definition: z.output<typeof Definition>;
  readonly scenarios: readonly Scenario[];
}

const TemplateFile = z.strictObject({
  id: z.string(),
  category: z.string(),
  title: z.string(),
  definition: z.looseObject({}),
  scenarios: z.array(z.looseObject({})),
});

export const TEMPLATES = loadTemplates(new URL('./', import.meta.url));

/**
 * In order of their folders, then of their ids. Definitions and scenarios are checked by
 * test/templates/templates.test.ts.
 *
 * @throws Error naming the file that is not JSON, has another category or id than its place, or repeats an id
 */
export function loadTemplates(folder: string | URL): ReadonlyMap<string, Template> {
  const templates = new Map<string, Template>();
  const paths = new Map<string, string>();
  for (const file of readJsonFiles(folder)) {
    const template = asTemplate(file);
    const known = paths.get(template.id);
    if (known !== undefined) {
      throw new Error(`${file.path} has the template id ${template.id}, which ${known} has; an id must occur once.`);
    }
    paths.set(template.id, file.path);
    templates.set(template.id, template);
  }
  return templates;
}

function asTemplate({ path, name, content }: JsonFile): Template {
  const parsed = TemplateFile.safeParse(content);
  if (!parsed.success) throw new Error(`${path} is not a template: ${z.prettifyError(parsed.error)}`);
  const { id, category } = parsed.data;
  const expected = `${folderOf(category)}/${id}`;
  if (name !== expected) {
    throw new Error(`${path} has the category ${quoteValue(category)} and the id ${id}; ${expected}.json is expected.`);
  }
  return content as Template;
}

/** "API and traffic control" → api-and-traffic-control */
function folderOf(category: string): string {
  return category.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

/** Whether a template has a definition with this hash: a name alone is only a claim. */
export function isTemplate(id: string, definitionHash: string): boolean {
  const template = TEMPLATES.get(id);
  return template !== undefined && sha256Hex(canonicalJson(template.definition)) === definitionHash;
}

/** @throws DomainError NOT_FOUND */
export function findTemplate(id: string): Template {
  const template = TEMPLATES.get(id);
  if (template) return template;
  const ids = [...TEMPLATES.keys()];
  throw new DomainError('NOT_FOUND', `There is no template ${id}.${didYouMean(id, ids) || nearestSuggestion(id, ids)}`);
}
