// Opens the log: destination, level, and redaction of keys.

import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './configuration.ts';
import { redactKeys } from './services/access/key-format.ts';

const STDERR = 2;

/** JSON lines on stderr. Keys that a client puts into a path or a field by mistake are redacted. */
export function openLog(level: LogLevel, destination: DestinationStream = pino.destination(STDERR)): Logger {
  return pino({ level, hooks: { streamWrite: redactKeys } }, destination);
}
