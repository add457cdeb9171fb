// Reads settings from the environment and validates them once. Only server.ts and the CLI's entry read `process.env`.

import { parseVerifierKey, type VerifierKey } from './chain/note.ts';
import { parseWhole } from './core/decimal.ts';
import { DomainError } from './core/errors.ts';
import { LIMITS } from './core/limits.ts';
import {
  type AddressRange,
  parseAddress,
  parseRange,
  rangeOf,
  unmapped,
  unmappedRange,
} from './services/node/address-range.ts';
import { type AllowedTarget, parseAllowedTargets } from './services/node/outbound-address.ts';
import type { Witness } from './storage/anchors/settings.ts';

export interface Configuration {
  readonly port: number;
  readonly host: string;
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
  /** Folder of older rows; without it, all rows stay in the database. */
  readonly archiveFolder: string | undefined;
  readonly masterKey: string | undefined;
  readonly isEmbeddedSynced: boolean;
  readonly logLevel: LogLevel;
  readonly workers: number | undefined;
  /** Bytes of contracts in memory. */
  readonly runtimeBytes: number;
  /** To which a database of PostgreSQL may grow. */
  readonly databaseBytes: number | undefined;
  /** The URL printed in documents, if the service runs behind a proxy. */
  readonly publicUrl: string | undefined;
  /** Address for calls of other nodes; that of the server by default. */
  readonly nodeUrl: string | undefined;
  /** Servers of NATS, for events and for calls between nodes. */
  readonly natsUrl: string | undefined;
  /** First word of the subjects of events. */
  readonly natsPrefix: string;
  /** How long the node serves on after a signal to stop, while it says that it is not ready. */
  readonly drainMs: number;
  /** Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed. */
  readonly trustedProxies: readonly AddressRange[];
  /** Multiplies every request rate. */
  readonly rateFactor: number;
  readonly isProduction: boolean;
  /** Verifier keys of the logs that this node witnesses. */
  readonly witnessLogs: readonly VerifierKey[];
  /** Witnesses of this node's own machine, which records its seals. */
  readonly witnesses: readonly Witness[];
  /** Targets that webhooks and oracles may call in addition to public addresses. */
  readonly outboundAllowed: readonly AllowedTarget[];
}

const MEGABYTE = 1_000_000;
const MAX_MEGABYTES = 1_000_000_000;
const NATS_PREFIX = /^[\w-]{1,32}$/;
const MAX_DRAIN_SECONDS = 300;

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws DomainError VALIDATION_FAILED naming the variable, the allowed values and the given value */
export function readConfiguration(env: Environment): Configuration {
  return {
    port: integerSetting(env, 'PORT', 8787, 0, 65_535),
    // An empty host would be all addresses.
    host: env.HOST || '127.0.0.1',
    dataFolder: env.SVC_DATA ?? '.svc',
    databaseUrl: databaseUrlSetting(env),
    archiveFolder: env.SVC_ARCHIVE || undefined,
    masterKey: env.SVC_MASTER_KEY,
    isEmbeddedSynced: env.SVC_EMBEDDED_SYNC === '1',
    logLevel: enumSetting(env, 'SVC_LOG', LOG_LEVELS, 'warn'),
    workers: env.SVC_WORKERS === undefined ? undefined : integerSetting(env, 'SVC_WORKERS', 1, 1, 64),
    runtimeBytes:
      integerSetting(env, 'SVC_RUNTIME_MB', LIMITS.contracts.runtimes.bytes / MEGABYTE, 1, 65_536) * MEGABYTE,
    databaseBytes: env.SVC_DATABASE_MB
      ? integerSetting(env, 'SVC_DATABASE_MB', 0, 1, MAX_MEGABYTES) * MEGABYTE
      : undefined,
    publicUrl: publicUrlSetting(env),
    nodeUrl: nodeUrlSetting(env),
    natsUrl: natsUrlSetting(env),
    natsPrefix: natsPrefixSetting(env),
    drainMs: integerSetting(env, 'SVC_DRAIN_SECONDS', 0, 0, MAX_DRAIN_SECONDS) * 1_000,
    trustedProxies: trustedProxiesSetting(env),
    rateFactor: integerSetting(env, 'SVC_RATE_FACTOR', 1, 1, 1_000_000),
    isProduction: env.NODE_ENV === 'production',
    witnessLogs: witnessLogsSetting(env),
    witnesses: witnessesSetting(env),
    outboundAllowed: parseAllowedTargets(env.SVC_OUTBOUND_ALLOW ?? '', env.NODE_ENV === 'production'),
  };
}

function reject(name: string, message: string): never {
  throw new DomainError('VALIDATION_FAILED', `${name} ${message}`, {
    details: [{ path: name, code: 'INVALID', message: `${name} ${message}` }],
  });
}

function integerSetting(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = parseWhole(text);
  if (!Number.isInteger(value) || value < min || value > max)
    reject(name, `must be a whole number from ${min} to ${max}; got ${JSON.stringify(text)}.`);
  return value;
}

function enumSetting<Choice extends string>(
  env: Environment,
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  return (
    choices.find((choice) => choice === text) ??
    reject(name, `must be one of ${choices.join(', ')}; got ${JSON.stringify(text)}.`)
  );
}

/** The value may hold a password, so it is never repeated in a message. */
function databaseUrlSetting(env: Environment): string | undefined {
  const text = env.DATABASE_URL;
  if (text === undefined || text === '') return undefined;
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    reject('DATABASE_URL', 'must have the form postgres://user:password@host:port/database.');
  return text;
}

function publicUrlSetting(env: Environment): string | undefined {
  const text = env.SVC_PUBLIC_URL;
  if (text === undefined || text === '') return undefined;
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    reject('SVC_PUBLIC_URL', `must be an http or https URL; got ${JSON.stringify(text)}.`);
  return text.replace(/\/+$/, '');
}

/** Of other nodes only, so a path would have no meaning. */
function nodeUrlSetting(env: Environment): string | undefined {
  const text = env.SVC_NODE_URL;
  if (text === undefined || text === '') return undefined;
  if (!/^https?:\/\/[^/?#@]+\/?$/.test(text) || !URL.canParse(text))
    reject('SVC_NODE_URL', `must be an http or https URL of host and port alone; got ${JSON.stringify(text)}.`);
  return text.replace(/\/$/, '');
}

/** The value may hold a password, so it is never repeated in a message. */
function natsPrefixSetting(env: Environment): string {
  const text = env.SVC_NATS_PREFIX || 'svc';
  if (!NATS_PREFIX.test(text))
    reject('SVC_NATS_PREFIX', `must be 1 to 32 letters, digits, - or _; got ${JSON.stringify(text)}.`);
  return text;
}

function natsUrlSetting(env: Environment): string | undefined {
  const text = env.NATS_URL;
  if (text === undefined || text === '') return undefined;
  if (!text.split(',').every((url) => /^(nats|tls):\/\//.test(url) && URL.canParse(url)))
    reject('NATS_URL', 'must have the form nats://host:port or tls://host:port, several separated by commas.');
  return text;
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Addresses, CIDR ranges and `loopback`, separated by commas. IPv4-mapped IPv6 addresses are turned into IPv4. */
function trustedProxiesSetting(env: Environment): AddressRange[] {
  const name = 'SVC_TRUSTED_PROXIES';
  const entries = (env[name] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .flatMap((entry) => (entry === 'loopback' ? LOOPBACK : [entry]));
  return entries.map((entry) => {
    const address = parseAddress(entry);
    const range = address ? rangeOf(unmapped(address)) : parseRange(entry);
    if (range === undefined)
      reject(
        name,
        `has an invalid entry ${JSON.stringify(entry)}; entries must be IP addresses, CIDR ranges or loopback, separated by commas.`,
      );
    const plain = unmappedRange(range);
    if (plain[1] === 0) reject(name, `has ${entry}, which trusts every caller; list the addresses of your proxies.`);
    return plain;
  });
}

/** Verifier keys of logs, separated by spaces. */
function witnessLogsSetting(env: Environment): VerifierKey[] {
  const texts = (env.SVC_WITNESS_LOGS ?? '').split(/\s+/).filter((text) => text !== '');
  return texts.map((text, i) => {
    const key = parseVerifierKey(text);
    return key?.algorithm === 'ed25519'
      ? key
      : reject(
          'SVC_WITNESS_LOGS',
          `must list C2SP verifier keys of logs (name+id+key, Ed25519); entry ${i + 1} is not one.`,
        );
  });
}

/** URLs of witnesses, each followed by its verifier key, separated by spaces. */
function witnessesSetting(env: Environment): Witness[] {
  const name = 'SVC_WITNESSES';
  const words = (env[name] ?? '').split(/\s+/).filter((word) => word !== '');
  const { witnesses: max } = LIMITS.chain.anchors;
  const witnesses: Witness[] = [];
  for (let i = 0; i < words.length; i += 2) {
    const [url = '', verifier_key = ''] = words.slice(i, i + 2);
    if (!/^https?:\/\/[^?#@]+$/.test(url) || !URL.canParse(url))
      reject(
        name,
        `must list pairs of URL and verifier key; ${JSON.stringify(url)} is not an http or https URL without query, fragment and password.`,
      );
    if (parseVerifierKey(verifier_key)?.algorithm !== 'cosignature')
      reject(
        name,
        `must give a C2SP verifier key of type 4 (cosignature) after ${url}; got ${JSON.stringify(verifier_key)}.`,
      );
    if (witnesses.some((witness) => witness.url === url)) reject(name, `has ${url} twice.`);
    witnesses.push({ url, verifier_key });
  }
  if (witnesses.length > max) reject(name, `must list at most ${max} witnesses; got ${witnesses.length}.`);
  return witnesses;
}
