// Writes docs/coverage.md: the routes and tools of the specification (docs/specified.json), and which are implemented.
//
//   node scripts/coverage.ts

import { readFileSync, writeFileSync } from 'node:fs';
import { OPERATIONS } from '../src/operations/index.ts';
import { ROOT } from './compile-kernel.ts';

interface Specified {
  readonly routes: readonly { readonly group: string; readonly routes: readonly string[] }[];
  readonly tools: readonly string[];
}

/** Parameters may have other names. */
const shapeOf = (route: string) => route.replace(/\{[^}]*\}/g, '{}');

export function coverage(): string {
  const { routes, tools } = JSON.parse(readFileSync(`${ROOT}/docs/specified.json`, 'utf8')) as Specified;
  const ours = new Map(OPERATIONS.map(({ route, name }) => [shapeOf(route), name]));
  const ourTools = new Set<string>(OPERATIONS.flatMap(({ mcp }) => mcp?.tool ?? []));
  // svc_http calls other operations and is not an operation itself (src/mcp/http-tool.ts).
  ourTools.add('svc_http');
  const specified = new Set(routes.flatMap((group) => group.routes.map(shapeOf)));
  const implemented = [...specified].filter((shape) => ours.has(shape)).length;
  const implementedTools = tools.filter((tool) => ourTools.has(tool)).length;
  const additional = OPERATIONS.filter(({ route }) => !specified.has(shapeOf(route)));
  return [
    '# Coverage of the specification',
    '',
    'Written by `node scripts/coverage.ts` from the operations of this version; a test compares them.',
    '',
    `${implemented} of ${specified.size} routes, ${implementedTools} of ${tools.length} tools; ${additional.length} additional routes.`,
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
    `Implemented: ${tools.filter((tool) => ourTools.has(tool)).join(', ')}.`,
    '',
    `Missing: ${tools.filter((tool) => !ourTools.has(tool)).join(', ') || 'none'}.`,
    '',
    '## Additional routes',
    '',
    ...additional.map(({ route, summary }) => `- \`${route}\`: ${summary}`),
    '',
  ].join('\n');
}

if (import.meta.main) writeFileSync(`${ROOT}/docs/coverage.md`, coverage());
