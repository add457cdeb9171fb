// Worker that checks machines, one after the other, on a connection of its own that sees the snapshot of the main
// thread. It ends when none is left.

import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase, PATIENT } from '../../storage/database/database.ts';
import { checkMachine, type MachineOptions, type MachineResult, type MachineTask } from './machine.ts';

export interface MachineWorkerData {
  readonly databaseUrl: string;
  readonly schema: string | undefined;
  /** As PostgreSQL exported it. */
  readonly snapshot: string;
  readonly options: MachineOptions;
}

/** @param result  of the machine before */
function nextMachine(result: MachineResult | undefined): Promise<MachineTask | undefined> {
  return new Promise((resolve) => {
    parentPort?.once('message', resolve);
    parentPort?.postMessage(result);
  });
}

const { databaseUrl, schema, snapshot, options } = workerData as MachineWorkerData;
const database = await openDatabase({ databaseUrl, schema, timeouts: PATIENT });
try {
  await database.snapshot(async (on) => {
    await on.raw(`set transaction snapshot '${snapshot}'`);
    let machine = await nextMachine(undefined);
    while (machine !== undefined) machine = await nextMachine(await checkMachine(on, machine, options));
  });
} finally {
  await database.close();
}
