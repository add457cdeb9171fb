// Routes by operation name, on Node: as the build wrote them, because to load all operations takes a second.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RoutesByName } from '../operations/route.ts';

/** Written by scripts/build-portal.ts. */
const BUILT = fileURLToPath(new URL('../../build/routes.json', import.meta.url));
/** What names the routes. In a checkout they may be newer than the build. */
const SOURCES = ['../operations/', '../solvers/index.ts'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

export async function loadRoutes(): Promise<RoutesByName> {
  return isBuilt() ? (JSON.parse(readFileSync(BUILT, 'utf8')) as RoutesByName) : currentRoutes();
}

/** The routes of the operations list. */
export async function currentRoutes(): Promise<RoutesByName> {
  const { OPERATIONS } = await import('../operations/index.ts');
  return Object.fromEntries(OPERATIONS.map(({ name, route }) => [name, route]));
}

function isBuilt(): boolean {
  const builtMs = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs;
  if (builtMs === undefined) return false;
  if (!import.meta.url.endsWith('.ts')) return true;
  const [operations = '', ...others] = SOURCES;
  const files = readdirSync(operations, { recursive: true, withFileTypes: true });
  const paths = [operations, ...files.map(({ parentPath, name }) => `${parentPath}/${name}`), ...others];
  return paths.every((path) => statSync(path).mtimeMs < builtMs);
}
