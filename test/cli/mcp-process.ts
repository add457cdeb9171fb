// A running MCP server that exchanges lines of JSON over standard input and output, and the messages that it has written.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { vi } from 'vitest';
import type { RpcMessage } from '../mcp/rpc-client.ts';

const RESPONSE_TIMEOUT_MS = 60_000;

export interface McpProcessOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

export class McpProcess {
  readonly messages: RpcMessage[] = [];
  /** Lines of standard output that are not JSON. */
  readonly other: string[] = [];
  stderr = '';
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #ended: Promise<number | null>;

  constructor(command: string, args: readonly string[], options: McpProcessOptions) {
    this.#child = spawn(command, args, { ...options, stdio: 'pipe' });
    this.#ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stderr.on('data', (chunk) => {
      this.stderr += chunk;
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      try {
        this.messages.push(JSON.parse(line) as RpcMessage);
      } catch {
        this.other.push(line);
      }
    });
  }

  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  send(method: string, params: object, id?: string): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params }));
  }

  /** @throws Error with the standard error of a process that ended */
  async response(id: string): Promise<RpcMessage> {
    const find = () => {
      const found = this.messages.find((message) => message.id === id);
      if (!found && this.#child.exitCode !== null) throw new Error(`The MCP process ended: ${this.stderr}`);
      return found;
    };
    return vi.waitUntil(find, { timeout: RESPONSE_TIMEOUT_MS });
  }

  async request(method: string, params: object, id = method): Promise<RpcMessage> {
    this.send(method, params, id);
    return this.response(id);
  }

  /** Closes standard input, as a client does. @returns the exit code */
  end(): Promise<number | null> {
    this.#child.stdin.end();
    return this.#ended;
  }
}
