// Writes docs/coverage.md: every route and tool that the specification names (docs/specified.json), and which of them stand.
//
//   node scripts/coverage.ts

import { readFileSync, writeFileSync } from 'node:fs';
import { OPERATIONS } from '../src/operations/index.ts';
import { ROOT } from './compile-kernel.ts';

interface Specified {
  readonly routes: readonly { readonly group: string; readonly routes: readonly string[] }[];
  readonly tools: readonly string[];
}

/** Parameters may go by other names. */
const shapeOf = (route: string) => route.replace(/\{[^}]*\}/g, '{}');

export function coverage(): string {
  const { routes, tools } = JSON.parse(readFileSync(`${ROOT}/docs/specified.json`, 'utf8')) as Specified;
  const ours = new Map(OPERATIONS.map(({ route, name }) => [shapeOf(route), name]));
  const ourTools = new Set<string>(OPERATIONS.flatMap(({ mcp }) => mcp?.tool ?? []));
  // svc_http calls the others and is no operation itself (src/mcp/http-tool.ts).
  ourTools.add('svc_http');
  const specified = new Set(routes.flatMap((group) => group.routes.map(shapeOf)));
  const standing = [...specified].filter((shape) => ours.has(shape)).length;
  const standingTools = tools.filter((tool) => ourTools.has(tool)).length;
  const more = OPERATIONS.filter(({ route }) => !specified.has(shapeOf(route)));
  return [
    '# What of the specification stands',
    '',
    'Written by `node scripts/coverage.ts` from the routes of this version; a test holds it to them.',
    '',
    `${standing} of ${specified.size} routes, ${standingTools} of ${tools.length} tools; ${more.length} more routes of our own.`,
    ...routes.flatMap(({ group, routes: all }) => [
      '',
      `## ${group}`,
      '',
      '| route | operation |',
      '|---|---|',
      ...all.map((route) => `| \`${route}\` | ${ours.get(shapeOf(route)) ?? '—'} |`),
    ]),
    '',
    '## Tools',
    '',
    `Standing: ${tools.filter((tool) => ourTools.has(tool)).join(', ')}.`,
    '',
    `Missing: ${tools.filter((tool) => !ourTools.has(tool)).join(', ') || 'none'}.`,
    '',
    '## Routes of our own',
    '',
    ...more.map(({ route, summary }) => `- \`${route}\`: ${summary}`),
    '',
  ].join('\n');
}

if (import.meta.main) writeFileSync(`${ROOT}/docs/coverage.md`, coverage());
