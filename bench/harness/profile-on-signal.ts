// Preloaded into a server process: SIGUSR2 starts a CPU profile, and the next one writes it to SVC_PROFILE.

import { writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { isMainThread } from 'node:worker_threads';

const SAMPLING_INTERVAL_US = 200;

const { SVC_PROFILE: path } = process.env;
let session: Session | undefined;

async function toggle(target: string): Promise<void> {
  if (session === undefined) {
    session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
    await session.post('Profiler.start');
    return;
  }
  const { profile } = (await session.post('Profiler.stop')) as { profile: Profiler.Profile };
  session.disconnect();
  session = undefined;
  writeFileSync(target, JSON.stringify(profile));
}

if (isMainThread && path !== undefined) process.on('SIGUSR2', () => void toggle(path));
