// The groups of the API reference, of the tags of the OpenAPI document: the first parts of the names of operations.

import type { Operation } from '../../../src/operations/operation.ts';

export interface TagGroup {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
}

const GROUPS: readonly TagGroup[] = [
  { id: 'laws', title: 'Laws', tags: ['compute', 'playground', 'auto', 'operator', 'domain'] },
  { id: 'solvers', title: 'Solvers', tags: ['solver', 'field'] },
  { id: 'runs', title: 'Runs and receipts', tags: ['run', 'receipt', 'result', 'proof'] },
  {
    id: 'machines',
    title: 'Machines',
    tags: ['machine', 'member', 'developer-key', 'share', 'transaction', 'rejection'],
  },
  { id: 'chains', title: 'Chains', tags: ['chain', 'explorer', 'observer', 'aggregate'] },
  { id: 'anchors', title: 'Anchors and witnesses', tags: ['anchor', 'anchor-config', 'anchor-key', 'witness'] },
  { id: 'tokens', title: 'Tokens', tags: ['tally'] },
  { id: 'contracts', title: 'Contracts', tags: ['template', 'own-contract', 'seat', 'contract', 'transitions'] },
  {
    id: 'events',
    title: 'Events, activities, oracles and webhooks',
    tags: ['events', 'activity', 'oracle', 'webhook'],
  },
  { id: 'keys', title: 'Keys', tags: ['demo-key', 'key', 'jwks'] },
  { id: 'node', title: 'Node', tags: ['pulse', 'kernel', 'node', 'endpoint', 'openapi', 'mcp', 'socket'] },
];

const SOLVERS = 'solvers';

export interface OperationGroup extends TagGroup {
  readonly operations: readonly Operation[];
}

const tagOf = ({ name }: Operation) => name.split('.')[0] ?? '';

/**
 * Operations by group, in the order of the tags of the group. A solver's own operations are with the solvers.
 *
 * @throws Error for a tag that stands in no group
 */
export function groupedOperations(operations: readonly Operation[]): readonly OperationGroup[] {
  const isSolver = ({ solver, events }: Operation) => solver !== undefined || events?.channel === 'solve';
  const listed = new Set(GROUPS.flatMap(({ tags }) => tags));
  const unlisted = operations.filter((operation) => !isSolver(operation) && !listed.has(tagOf(operation))).map(tagOf);
  if (unlisted.length > 0)
    throw new Error(`${[...new Set(unlisted)].join(', ')} stand in no group of scripts/portal/reference/groups.ts.`);
  return GROUPS.map(({ id, title, tags }) => {
    const own = operations.filter((operation) => !isSolver(operation) && tags.includes(tagOf(operation)));
    const ordered = tags.flatMap((tag) => own.filter((operation) => tagOf(operation) === tag));
    const solvers = id === SOLVERS ? operations.filter(isSolver) : [];
    return { id, title, tags: [...new Set([...tags, ...solvers.map(tagOf)])], operations: [...ordered, ...solvers] };
  });
}
