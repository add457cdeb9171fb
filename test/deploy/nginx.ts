// A real nginx with the configuration that docs/scaling.md publishes. Where nginx is not installed, its tests are left
// out with a message.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const EXECUTABLES = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'];
const SCALING = new URL('../../docs/scaling.md', import.meta.url);
const POLL_MS = 20;

/** Path of nginx; prints a message if it is not installed. */
export function findNginx(): string | undefined {
  const path = EXECUTABLES.find((candidate) => existsSync(candidate));
  if (path === undefined) console.log('nginx is not installed; its tests are skipped');
  return path;
}

/** A port of 127.0.0.1 that nobody uses now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** The published block for these ports. @throws Error if docs/scaling.md states other addresses */
async function publishedBlock(port: number, nodePorts: readonly [number, number]): Promise<string> {
  const [, block = ''] = /```nginx\n([\s\S]*?)```/.exec(await readFile(SCALING, 'utf8')) ?? [];
  const places = {
    'listen 80;': `listen 127.0.0.1:${port};`,
    ':8787 ': `:${nodePorts[0]} `,
    ':8788 ': `:${nodePorts[1]} `,
  };
  return Object.entries(places).reduce((text, [place, value]) => {
    if (text.split(place).length !== 2) throw new Error(`docs/scaling.md must state ${place} once.`);
    return text.replace(place, value);
  }, block);
}

export class Nginx {
  readonly url: string;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(url: string, folder: string, child: ChildProcess) {
    this.url = url;
    this.#folder = folder;
    this.#child = child;
  }

  /** Starts nginx at a port, before two nodes. */
  static async start(path: string, port: number, nodePorts: readonly [number, number]): Promise<Nginx> {
    const folder = await mkdtemp(join(tmpdir(), 'svc-nginx-'));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const configuration = [
      'daemon off;',
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      'worker_processes 2;',
      `pid ${folder}/pid;`,
      'events { worker_connections 512; }',
      'http {',
      "log_format answers '$upstream_addr|$status|$request';",
      `access_log ${folder}/access.log answers;`,
      ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
      await publishedBlock(port, nodePorts),
      '}',
    ];
    await writeFile(join(folder, 'nginx.conf'), configuration.join('\n'));
    const errors = join(folder, 'error.log');
    const child = spawn(path, ['-e', errors, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
    const nginx = new Nginx(`http://127.0.0.1:${port}`, folder, child);
    while (
      !(await fetch(`${nginx.url}/internal/`).then(
        ({ status }) => status === 404,
        () => false,
      ))
    ) {
      if (child.exitCode !== null) throw new Error(await readFile(errors, 'utf8'));
      await sleep(POLL_MS);
    }
    return nginx;
  }

  /** Answers so far: addresses of the nodes that were tried, status, request. */
  async answers(): Promise<readonly string[]> {
    return (await readFile(join(this.#folder, 'access.log'), 'utf8')).trimEnd().split('\n');
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
    await rm(this.#folder, { recursive: true });
  }
}
