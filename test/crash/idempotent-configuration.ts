// Configuration that the idempotency crash tests and their child process share.

import { type Configuration, readConfiguration } from '../../src/configuration.ts';

const MASTER_KEY = 'f1c9a8e27b3d4650918273645546372819a0b1c2d3e4f5061728394a5b6c7d8e';

/** @param json  databaseUrl and schema, or dataFolder */
export function configurationOf(json: string): { readonly configuration: Configuration; readonly schema?: string } {
  const { schema, ...location } = JSON.parse(json) as { readonly schema?: string };
  const configuration = {
    ...readConfiguration({ PORT: '0', SVC_MASTER_KEY: MASTER_KEY, SVC_WORKERS: '1' }),
    ...location,
  };
  return { configuration, ...(schema === undefined ? {} : { schema }) };
}
