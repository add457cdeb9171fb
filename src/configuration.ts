// Settings from the environment, checked once. server.ts and the CLI's entry pass `process.env` in; nobody else reads it.

import { parseVerifierKey, type VerifierKey } from './chain/note.ts';
import { DomainError } from './core/errors.ts';
import { type AllowedPlace, parseAllowed } from './services/node/outbound-address.ts';

export interface Configuration {
  readonly port: number;
  readonly host: string;
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
  readonly masterKey: string | undefined;
  readonly isEmbeddedSynced: boolean;
  readonly logLevel: LogLevel;
  readonly workers: number | undefined;
  /** The address that documents name, when the service stands behind another one. */
  readonly publicUrl: string | undefined;
  /** Multiplies every request rate. */
  readonly rateFactor: number;
  readonly isProduction: boolean;
  /** Logs that this node is a witness of. */
  readonly witnessLogs: readonly VerifierKey[];
  /** Answer the test tools of the MCP conformance suite beside our own. */
  readonly hasMcpFixtures: boolean;
  /** Where webhooks and oracles may go beside public addresses. */
  readonly outboundAllowed: readonly AllowedPlace[];
}

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws DomainError VALIDATION_FAILED naming the variable, what was got and what is allowed */
export function readConfiguration(env: Environment): Configuration {
  return {
    port: whole(env, 'PORT', 8787, 0, 65_535),
    host: env.HOST ?? '127.0.0.1',
    dataFolder: env.SVC_DATA ?? '.svc',
    databaseUrl: databaseUrl(env),
    masterKey: env.SVC_MASTER_KEY,
    isEmbeddedSynced: env.SVC_EMBEDDED_SYNC === '1',
    logLevel: oneOf(env, 'SVC_LOG', LOG_LEVELS, 'warn'),
    workers: env.SVC_WORKERS === undefined ? undefined : whole(env, 'SVC_WORKERS', 1, 1, 64),
    publicUrl: publicUrl(env),
    rateFactor: whole(env, 'SVC_RATE_FACTOR', 1, 1, 1_000_000),
    isProduction: env.NODE_ENV === 'production',
    hasMcpFixtures: mcpFixtures(env),
    witnessLogs: witnessLogs(env),
    outboundAllowed: parseAllowed(env.SVC_OUTBOUND_ALLOW ?? '', env.NODE_ENV === 'production'),
  };
}

function refuse(name: string, message: string): never {
  throw new DomainError('VALIDATION_FAILED', `${name} ${message}`, {
    details: [{ path: name, code: 'INVALID', message: `${name} ${message}` }],
  });
}

function whole(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    refuse(name, `is ${JSON.stringify(text)}; a whole number from ${min} to ${max} is allowed.`);
  return value;
}

function oneOf<Choice extends string>(
  env: Environment,
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  return (
    choices.find((choice) => choice === text) ??
    refuse(name, `is ${JSON.stringify(text)}; one of ${choices.join(', ')} is allowed.`)
  );
}

/** The value may hold a password, so it is never repeated in a message. */
function databaseUrl(env: Environment): string | undefined {
  const text = env.DATABASE_URL;
  if (text === undefined || text === '') return undefined;
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    refuse('DATABASE_URL', 'is not of the form postgres://user:password@host:port/database.');
  return text;
}

function publicUrl(env: Environment): string | undefined {
  const text = env.SVC_PUBLIC_URL;
  if (text === undefined || text === '') return undefined;
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    refuse('SVC_PUBLIC_URL', `is ${JSON.stringify(text)}; an http or https address is allowed.`);
  return text.replace(/\/+$/, '');
}

/** Verifier keys of logs, between spaces. */
function witnessLogs(env: Environment): VerifierKey[] {
  const texts = (env.SVC_WITNESS_LOGS ?? '').split(/\s+/).filter((text) => text !== '');
  return texts.map((text, i) => {
    const key = parseVerifierKey(text);
    return key?.algorithm === 'ed25519'
      ? key
      : refuse(
          'SVC_WITNESS_LOGS',
          `has at place ${i + 1} what is no C2SP verifier key of a log (name+id+key, Ed25519).`,
        );
  });
}

function mcpFixtures(env: Environment): boolean {
  if (env.SVC_MCP_FIXTURES !== '1') return false;
  if (env.NODE_ENV === 'production') refuse('SVC_MCP_FIXTURES', 'is for tests; production refuses it.');
  return true;
}
