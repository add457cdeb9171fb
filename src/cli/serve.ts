// svc serve and svc worker, and the local service of other commands.

import { readConfiguration } from '../configuration.ts';
import { openLog } from '../log.ts';
import { listen, serve, startWorker } from '../server.ts';
import type { CliContext } from './context.ts';

export async function runServe({ env, signal }: CliContext): Promise<void> {
  await serve(readConfiguration(env), signal);
}

export async function runWorker({ env, signal }: CliContext): Promise<void> {
  await startWorker(readConfiguration(env), signal);
}

/** Starts a service for this process only, on any free port and in memory. */
export async function startLocalService(
  env: CliContext['env'],
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { SVC_LOG, SVC_WORKERS } = env;
  const configuration = readConfiguration({ PORT: '0', SVC_LOG, SVC_WORKERS });
  return listen({ configuration, log: openLog(configuration.logLevel), inMemory: true });
}
