// Several nodes of one database in this process, each with a server of its own, and calls to them.

import { randomBytes } from 'node:crypto';
import { readConfiguration } from '../../../../src/configuration.ts';
import { openLog } from '../../../../src/log.ts';
import { type ListenOptions, listen, type RunningService } from '../../../../src/server.ts';
import { shardOf } from '../../../../src/storage/contracts/timers.ts';
import { dropSchema, freshSchema } from '../../../storage/databases.ts';

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Readonly<Record<string, unknown>> & {
    readonly error?: { readonly code: string; readonly message: string };
  };
}

export class ServedNodes {
  readonly #databaseUrl: string;
  readonly #schema = freshSchema();
  readonly #masterKey = randomBytes(32).toString('hex');
  readonly #running = new Set<RunningService>();
  #key = '';

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  async start(
    options: Partial<ListenOptions> = {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<RunningService> {
    const configuration = readConfiguration({
      PORT: '0',
      SVC_MASTER_KEY: this.#masterKey,
      SVC_WORKERS: '1',
      SVC_RATE_FACTOR: '100000',
      DATABASE_URL: this.#databaseUrl,
      ...env,
    });
    const node = await listen({ configuration, log: openLog('silent'), schema: this.#schema, ...options });
    this.#running.add(node);
    if (this.#key === '') {
      const opened = await node.services.keys.openAccount({ name: 'a', scope: 'admin', rate_limit_tier: 'high' });
      this.#key = opened.key;
    }
    return node;
  }

  /** Key of the account whose machines they are. */
  get key(): string {
    return this.#key;
  }

  async stop(node: RunningService): Promise<void> {
    this.#running.delete(node);
    await node.close();
  }

  async post(node: RunningService, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    return this.#fetch(node, path, { method: 'POST', body: JSON.stringify(body), headers });
  }

  async get(node: RunningService, path: string) {
    return this.#fetch(node, path, {});
  }

  async #fetch(node: RunningService, path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(`${node.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json', ...init.headers },
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: (await response.json()) as Answer['body'],
    };
  }

  /** Makes machines until there is one that this node owns. @returns its slug */
  async machineOf(owner: RunningService): Promise<string> {
    for (let tries = 0; tries < 200; tries++) {
      const slug = `m-${randomBytes(6).toString('hex')}`;
      const { status, body } = await this.post(owner, '/api/chain/state-machines', { slug });
      if (status !== 201 && status !== 200) throw new Error(JSON.stringify(body));
      const machine = await owner.storage.machines.bySlug(slug);
      if (machine && owner.services.owners.owners.shards.includes(shardOf(machine.id))) return slug;
    }
    throw new Error('The node owns no machine.');
  }

  async dispose(): Promise<void> {
    const [last, ...others] = [...this.#running];
    for (const node of others) await this.stop(node);
    if (last === undefined) return;
    await dropSchema(last.storage.database, this.#schema);
    await last.close().catch(() => undefined);
  }
}
