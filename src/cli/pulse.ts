// svc pulse: prints the pulse clock of a service.

import { call } from '../client/client.ts';
import { pulse } from '../operations/node/pulse.ts';
import type { CliContext } from './context.ts';
import { paint, print } from './terminal.ts';

export async function runPulse({ terminal }: CliContext, options: { url: string; json?: boolean }): Promise<void> {
  const record = await call(pulse, {}, { url: options.url });
  if (options.json) {
    print(terminal, JSON.stringify(record, null, 2));
    return;
  }
  const { svcond, phase, R_t, timestamp, sinceGenesis } = record;
  print(
    terminal,
    `${paint(terminal, 'bold', `tick ${svcond}`)}   phase ${Number(phase).toFixed(4)}   R(t) ${Number(R_t).toFixed(9)}`,
  );
  print(terminal, `${timestamp}   ${sinceGenesis} ticks since genesis`);
}
