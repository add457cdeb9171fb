// Databases on which a suite starts a service of its own.

import { afterAll } from 'vitest';
import { databaseUrl, dropSchema, freshSchema } from '../storage/databases.ts';
import { startService, type TestService } from './service-fixture.ts';

export const SERVICE_DATABASES: readonly { readonly name: string; readonly url: string | undefined }[] = [
  { name: 'PGlite', url: undefined },
  ...(databaseUrl ? [{ name: 'PostgreSQL', url: databaseUrl }] : []),
];

/** Starts a service on a database of SERVICE_DATABASES; on PostgreSQL in a schema that goes with the suite. */
export async function startServiceOn(
  url: string | undefined,
  ...[options, environment]: Parameters<typeof startService>
): Promise<TestService> {
  if (url === undefined) return startService(options, environment);
  const schema = freshSchema();
  const service = await startService({ ...options, inMemory: false, schema }, { ...environment, DATABASE_URL: url });
  afterAll(() => dropSchema(service.running.storage.database, schema));
  return service;
}
