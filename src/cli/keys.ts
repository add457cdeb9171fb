// svc keys: manages API keys.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { type ApiInput, type Client, createClient } from '../client/client.ts';
import { readConfiguration } from '../configuration.ts';
import { DomainError } from '../core/errors.ts';
import { type CliContext, keyOption, urlOption } from './context.ts';
import { print, printJson, printStatus } from './terminal.ts';

type KeyDraft = ApiInput<'key.create'>;

interface KeyOptions {
  readonly url: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** The given key (`--key` or SVC_KEY), or the admin key in the data folder of a service on this machine. */
interface CreateOptions extends KeyOptions {
  readonly scope: NonNullable<KeyDraft['scope']>;
  readonly tier: NonNullable<KeyDraft['rate_limit_tier']>;
  readonly expires?: string;
}

function resolveAdminKey({ env }: CliContext, givenKey: string | undefined): string {
  if (givenKey !== undefined) return givenKey;
  const path = join(readConfiguration(env).dataFolder, 'admin.key');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new DomainError(
      'AUTH_REQUIRED',
      `No key was given and ${path} cannot be read. Set SVC_KEY, or set SVC_DATA to the service's data folder.`,
    );
  }
}

function adminClient(context: CliContext, { url, key }: KeyOptions): Client {
  return createClient({ url, key: resolveAdminKey(context, key) });
}

export function addKeyCommands(keys: Command, context: CliContext): void {
  const { terminal } = context;
  const json = () => new Option('--json', 'print JSON');

  keys
    .command('mint')
    .description('mint a free demo key, valid for 24 hours')
    .addOption(urlOption())
    .addOption(json())
    .action(async (options: KeyOptions) => {
      const minted = await createClient({ url: options.url }).call('demo-key.mint', {});
      if (options.json) return printJson(terminal, minted);
      print(terminal, minted.key);
      printStatus(terminal, `valid until ${minted.expires_at}; use it with SVC_KEY or --key`);
    });

  keys
    .command('list')
    .description('list the keys of the account')
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(json())
    .action(async (options: KeyOptions) => {
      const { rows } = await adminClient(context, options).call('key.list', {});
      if (options.json) return printJson(terminal, rows);
      for (const row of rows) {
        const state = row.revoked_at
          ? `revoked ${row.revoked_at}`
          : row.expires_at
            ? `until ${row.expires_at}`
            : 'no expiry';
        print(terminal, [row.id, row.keyPrefix, row.scope, row.rate_limit_tier, state, row.name].join('  '));
      }
    });

  keys
    .command('create <name>')
    .description('create a key; it is shown only once')
    .addOption(new Option('--scope <scope>', 'permissions').choices(['read', 'write', 'admin']).default('write'))
    .addOption(new Option('--tier <tier>', 'rate limit').choices(['free', 'standard', 'high']).default('free'))
    .option('--expires <time>', 'expiry time, ISO 8601 in UTC')
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(json())
    .action(async (name: string, options: CreateOptions) => {
      const input: KeyDraft = {
        name,
        scope: options.scope,
        rate_limit_tier: options.tier,
        ...(options.expires === undefined ? {} : { expires_at: options.expires }),
      };
      const created = await adminClient(context, options).call('key.create', input);
      if (options.json) return printJson(terminal, created);
      print(terminal, created.key);
      printStatus(terminal, 'Save it now: it is not shown again.');
    });

  keys
    .command('revoke <id>')
    .description('revoke a key immediately and permanently')
    .addOption(urlOption())
    .addOption(keyOption())
    .action(async (id: string, options: KeyOptions) => {
      await adminClient(context, options).call('key.revoke', { id });
      printStatus(terminal, `revoked ${id}`);
    });
}
