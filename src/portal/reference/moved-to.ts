// Old addresses of operations, from when all were on one page: /reference?q=compute.run and /reference#tag-compute.

import { pathOfOperation, type ReferenceIndex } from './operation-page.ts';

const TAG_PREFIX = 'tag-';

/** @returns undefined for an address that stays */
export function movedTo(
  { groups }: ReferenceIndex,
  { search, hash }: { readonly search: string; readonly hash: string },
): string | undefined {
  const names = new Set(groups.flatMap(({ operations }) => operations.map(({ name }) => name)));
  const anchor = hash.slice(1);
  const named = [new URLSearchParams(search).get('q') ?? '', anchor].find((name) => names.has(name));
  if (named !== undefined) return pathOfOperation(named);
  if (!anchor.startsWith(TAG_PREFIX)) return undefined;
  const tag = anchor.slice(TAG_PREFIX.length);
  const group = groups.find(({ tags }) => tags.includes(tag));
  if (group === undefined) return undefined;
  const members = group.operations.filter(({ name }) => name.startsWith(`${tag}.`));
  // Where a tag has one operation, as a solver's has, that was what the anchor led to.
  return members.length === 1 && members[0] ? pathOfOperation(members[0].name) : `/reference#${group.id}`;
}
