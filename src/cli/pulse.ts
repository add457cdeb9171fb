// svc pulse: prints the pulse clock of a service.

import { createClient } from '../client/client.ts';
import type { CliContext } from './context.ts';
import { paint, print, printJson } from './terminal.ts';

export async function runPulse({ terminal }: CliContext, options: { url: string; json?: boolean }): Promise<void> {
  const record = await createClient({ url: options.url }).call('pulse.read', {});
  if (options.json) return printJson(terminal, record);
  const { svcond, phase, R_t, timestamp, sinceGenesis } = record;
  print(terminal, `${paint(terminal, 'bold', `tick ${svcond}`)}   phase ${phase.toFixed(4)}   R(t) ${R_t.toFixed(9)}`);
  print(terminal, `${timestamp}   ${sinceGenesis} ticks since genesis`);
}
