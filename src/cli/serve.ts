// svc serve, and the service that another command starts for itself.

import { readConfiguration } from '../configuration.ts';
import { openLog } from '../log.ts';
import { listen, serve, work } from '../server.ts';
import type { CliContext } from './context.ts';

export async function runServe({ env, signal }: CliContext): Promise<void> {
  await serve(readConfiguration(env), signal);
}

export async function runWorker({ env, signal }: CliContext): Promise<void> {
  await work(readConfiguration(env), signal);
}

/** A service for this process alone: any free port of this machine, nothing kept. */
export async function startHere(env: CliContext['env']): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { SVC_LOG, SVC_WORKERS } = env;
  const configuration = readConfiguration({ PORT: '0', SVC_LOG, SVC_WORKERS });
  return listen({ configuration, log: openLog(configuration.logLevel), inMemory: true });
}
