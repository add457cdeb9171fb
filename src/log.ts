// Where log lines go, and what may not stand in them.

import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './configuration.ts';
import { withoutKeys } from './services/access/key-format.ts';

const STDERR = 2;

/** Lines of JSON on stderr. Who puts a key into a path or a field by mistake does not make it readable here. */
export function openLog(level: LogLevel, destination: DestinationStream = pino.destination(STDERR)): Logger {
  return pino({ level, hooks: { streamWrite: withoutKeys } }, destination);
}
