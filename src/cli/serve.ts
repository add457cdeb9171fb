// svc serve

import { readConfiguration } from '../configuration.ts';
import { serve } from '../server.ts';
import type { CliContext } from './context.ts';

export async function runServe({ env, signal }: CliContext): Promise<void> {
  await serve(readConfiguration(env), signal);
}
