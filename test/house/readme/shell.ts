// A reader's terminal: runs commands of the README with one Node first on the PATH.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { McpProcess } from '../../cli/mcp-process.ts';

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const ADDRESS = /http:\/\/127\.0\.0\.1:(\d+)/;
const README_PORT = '8787';
const MAX_OUTPUT_BYTES = 1 << 26;

export class Shell {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;
  #port = README_PORT;
  #service: RunningCommand | undefined;

  constructor({ node, folder }: { readonly node: string; readonly folder: string }) {
    // A new user has no database, no service and no npm script around the terminal.
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(DATABASE_URL$|SVC_|VITEST|NODE_(ENV|OPTIONS)$|npm_(?!config_))/.test(name),
    );
    const path = (process.env.PATH ?? '').split(':').filter((one) => !one.includes('node_modules'));
    this.folder = folder;
    this.#env = {
      ...Object.fromEntries(inherited),
      PATH: [dirname(node), ...path].join(':'),
      SVC_DATA: join(folder, '.svc'),
      PORT: '0',
      // Halves the time of processor of each command.
      NODE_COMPILE_CACHE: join(folder, '.compile-cache'),
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    };
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Runs one line. Its variable KEY is kept for the next lines. */
  run(line: string): Promise<Output> {
    const keyFile = join(this.folder, '.key');
    const script = `set -euo pipefail\n${line.replaceAll(README_PORT, this.#port)}\nprintf %s "\${KEY-}" > ${keyFile}`;
    return new Promise((resolve) => {
      const options = { cwd: this.folder, env: this.#environment(), maxBuffer: MAX_OUTPUT_BYTES };
      execFile('bash', ['-c', script], options, (error, stdout, stderr) => {
        if (error === null) this.#env.KEY = readFileSync(keyFile, 'utf8');
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
      });
    });
  }

  /** Starts the service of later lines, which replaces the one at the README's port. @returns what it printed */
  async serve(line: string): Promise<string> {
    this.#service = await this.start(line, /Stop with Ctrl-C/);
    const { output } = this.#service;
    this.#port = ADDRESS.exec(output)?.[1] ?? README_PORT;
    return output;
  }

  /** Stops the service as Ctrl-C does. */
  async stopService(): Promise<void> {
    await this.#service?.stop();
    this.#port = README_PORT;
  }

  /** Starts a line that runs until it is stopped. Resolves once its output matches. */
  async start(line: string, until: RegExp): Promise<RunningCommand> {
    const script = `exec ${line.replaceAll(README_PORT, this.#port)}`;
    // A process group, so that stopping reaches what npm and npx start.
    const child = spawn('bash', ['-c', script], { cwd: this.folder, env: this.#environment(), detached: true });
    const running = new RunningCommand(child);
    await running.printed(until);
    return running;
  }

  /** Starts a command as a desktop client does: by its name on the PATH, with lines of JSON. */
  startMcp(command: string, args: readonly string[]): McpProcess {
    return new McpProcess(command, args, { cwd: this.folder, env: this.#environment() });
  }

  write(name: string, contents: string): void {
    writeFileSync(join(this.folder, name), contents);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  #environment(): NodeJS.ProcessEnv {
    return this.#port === README_PORT ? this.#env : { ...this.#env, SVC_URL: this.url };
  }
}

export class RunningCommand {
  output = '';
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  constructor(child: ChildProcess) {
    this.#child = child;
    const onData = (chunk: Buffer) => {
      this.output += chunk;
    };
    child.stdout?.on('data', onData);
    child.stderr?.on('data', onData);
    this.#ended = new Promise((resolve) => child.once('close', () => resolve()));
  }

  printed(pattern: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => pattern.test(this.output) && resolve();
      check();
      this.#child.stdout?.on('data', check);
      this.#child.stderr?.on('data', check);
      void this.#ended.then(() => reject(new Error(`The command ended before it printed ${pattern}: ${this.output}`)));
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null)
      process.kill(-(this.#child.pid ?? 0), 'SIGINT');
    await this.#ended;
  }
}
