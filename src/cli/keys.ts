// svc keys: manages API keys.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { call } from '../client/client.ts';
import { readConfiguration } from '../configuration.ts';
import { DomainError } from '../core/errors.ts';
import { createKey, listKeys, mintDemoKey, revokeKey } from '../operations/access/keys.ts';
import { type CliContext, keyOption, urlOption } from './context.ts';
import { print, printStatus } from './terminal.ts';

interface KeyOptions {
  readonly url: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** The given key (`--key` or SVC_KEY), or the admin key in the data folder of a service on this machine. */
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

export function addKeyCommands(keys: Command, context: CliContext): void {
  const { terminal } = context;
  const json = () => new Option('--json', 'print JSON');

  keys
    .command('mint')
    .description('mint a free demo key, valid for 24 hours')
    .addOption(urlOption())
    .addOption(json())
    .action(async (options: KeyOptions) => {
      const minted = await call(mintDemoKey, {}, { url: options.url });
      print(terminal, options.json ? JSON.stringify(minted, null, 2) : String(minted.key));
      if (!options.json) printStatus(terminal, `valid until ${minted.expires_at}; use it with SVC_KEY or --key`);
    });

  keys
    .command('list')
    .description('list the keys of the account')
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(json())
    .action(async (options: KeyOptions) => {
      const { rows } = (await call(listKeys, {}, { url: options.url, key: resolveAdminKey(context, options.key) })) as {
        rows: Record<string, string | null>[];
      };
      if (options.json) {
        print(terminal, JSON.stringify(rows, null, 2));
        return;
      }
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
    .action(async (name: string, options: KeyOptions & { scope: string; tier: string; expires?: string }) => {
      const input = {
        name,
        scope: options.scope,
        rate_limit_tier: options.tier,
        ...(options.expires === undefined ? {} : { expires_at: options.expires }),
      };
      const created = await call(createKey, input, { url: options.url, key: resolveAdminKey(context, options.key) });
      print(terminal, options.json ? JSON.stringify(created, null, 2) : String(created.key));
      if (!options.json) printStatus(terminal, 'Save it now: it is not shown again.');
    });

  keys
    .command('revoke <id>')
    .description('revoke a key immediately and permanently')
    .addOption(urlOption())
    .addOption(keyOption())
    .action(async (id: string, options: KeyOptions) => {
      await call(revokeKey, { id }, { url: options.url, key: resolveAdminKey(context, options.key) });
      printStatus(terminal, `revoked ${id}`);
    });
}
