// Opens the log: destination, level, redaction of keys, and failures that repeat.
//
// A full disk makes the same work fail several times a second. A line that says nothing but an error is written once;
// what repeats it is counted, and the number is written once a minute. Lines about one request are never left out.

import pino, { type DestinationStream, type LogFn, type Logger } from 'pino';
import type { LogLevel } from './configuration.ts';
import { redactKeys } from './services/access/key-format.ts';

const STDERR = 2;
const COUNTED_MS = 60_000;
const MAX_KINDS = 256;

/** JSON lines on stderr. Keys that a client puts into a path or a field by mistake are redacted. */
export function openLog(level: LogLevel, destination: DestinationStream = pino.destination(STDERR)): Logger {
  const repeats = new Repeats();
  return pino(
    {
      level,
      hooks: {
        streamWrite: redactKeys,
        logMethod(args, method) {
          repeats.write(args, (written) => method.apply(this, written as Parameters<LogFn>));
        },
      },
    },
    destination,
  );
}

type Write = (args: readonly unknown[]) => void;

class Repeats {
  /** Of each kind of line, how often it was left out since it was last written. */
  readonly #counts = new Map<string, number>();

  write(args: readonly unknown[], write: Write): void {
    const kind = kindOf(args);
    const count = kind === undefined ? undefined : this.#counts.get(kind);
    if (kind !== undefined && count !== undefined) {
      this.#counts.set(kind, count + 1);
      return;
    }
    write(args);
    if (kind !== undefined && this.#counts.size < MAX_KINDS) this.#count(kind, args, write);
  }

  #count(kind: string, [line, message]: readonly unknown[], write: Write): void {
    this.#counts.set(kind, 0);
    const onCounted = () => {
      const repeated = this.#counts.get(kind) ?? 0;
      this.#counts.delete(kind);
      if (repeated === 0) return;
      write([{ ...(line as object), repeated }, message]);
      this.#count(kind, [line, message], write);
    };
    setTimeout(onCounted, COUNTED_MS).unref();
  }
}

/** Message and error of a line that says nothing else. */
function kindOf([line, message]: readonly unknown[]): string | undefined {
  if (typeof line !== 'object' || line === null || typeof message !== 'string') return undefined;
  if (Object.keys(line).length !== 1 || !('err' in line) || !(line.err instanceof Error)) return undefined;
  return `${message}\0${line.err.name}\0${line.err.message}`;
}
