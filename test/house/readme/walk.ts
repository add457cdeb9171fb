// A reader's walk through the README: every command in order, each with a check of what it does.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Command, DesktopServer } from './commands.ts';
import type { Output, Shell } from './shell.ts';

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const HEAT = { dim: 1, nx: 64 };
/** The value that the README prints for them. */
const HEAT_VALUE = 0.05007014276463555;

interface Step {
  readonly pattern: RegExp;
  /** Default: succeeds, and prints what the README says after `→`. */
  readonly check?: (output: Output, shell: Shell) => void | Promise<void>;
  /** Default: runs the line. */
  readonly run?: (line: string, shell: Shell) => Promise<Output>;
}

const receipt = (shell: Shell) => JSON.parse(shell.read('receipt.json')) as Record<string, unknown>;

/** Every command of the README that needs a service or the program; a line without a step fails the walk. */
const STEPS: readonly Step[] = [
  { pattern: /^npx svc (solve heat|compute|replay|verify|machine spin-up) / },
  {
    pattern: /^npx svc solve schrodinger /,
    check: (_, shell) => expect(receipt(shell)).toMatchObject({ solver: 'schrodinger', converged: true }),
  },
  { pattern: /^node heat\.mjs$/ },
  {
    pattern: /^KEY=/,
    check: async (_, shell) => expect((await shell.run('echo "$KEY"')).stdout).toMatch(/^svc_ak_demo_/),
  },
  {
    pattern: /^curl .*\/api\/svc\/heat .*> receipt\.json$/,
    check: (_, shell) => expect(receipt(shell)).toMatchObject({ ok: true, solver: 'heat', value: HEAT_VALUE }),
  },
  {
    pattern: /^curl .*\/api\/svc\/replay /,
    check: ({ stdout }) => expect(JSON.parse(stdout)).toMatchObject({ ok: true, equal: true }),
  },
  { pattern: /^npx svc machine list$/, check: ({ stdout }) => expect(stdout).toMatch(/^boiler .*1 rows/m) },
  { pattern: /^npx svc tail boiler$/, run: tail },
  {
    pattern: /^npx svc bundle boiler -o boiler\.json$/,
    check: (_, shell) => expect(JSON.parse(shell.read('boiler.json'))).toMatchObject({ format: 'svc-bundle/1' }),
  },
  {
    pattern: /^npx svc fsck( --replay| --since clean\.json)?$/,
    run: async (line, shell) => {
      await shell.stopService();
      return shell.run(line);
    },
    // The row of boiler, and after a minute of service the machine of the node with its first row and a seal.
    check: ({ stdout }) => expect(stdout).toMatch(/^no faults in (1 rows of 1|3 rows of 2) machines/),
  },
  { pattern: /^claude mcp add --transport http /, run: connectByHttp },
  {
    pattern: /^curl .*jwks\.json > keys\.json$/,
    check: (_, shell) => expect(JSON.parse(shell.read('keys.json'))).toMatchObject({ keys: [{ crv: 'Ed25519' }] }),
  },
  {
    pattern: /^svc verify receipt\.json --jwks keys\.json$/,
    run: withNpx,
    check: ({ stdout }) => expect(stdout).toMatch(/^valid\n/),
  },
  {
    pattern: /^svc replay receipt\.json --jwks keys\.json$/,
    run: withNpx,
    check: ({ stdout }) => expect(stdout).toMatch(/^valid, bits equal\n/),
  },
];

/** Runs the commands in order, those last that need the service to be stopped. */
export async function walk(shell: Shell, commands: readonly Command[]): Promise<void> {
  const last = commands.filter(({ line }) => / fsck\b/.test(line));
  for (const command of [...commands.filter((one) => !last.includes(one)), ...last]) {
    const step = STEPS.find(({ pattern }) => pattern.test(command.line));
    if (step === undefined) throw new Error(`The README's command has no step in walk.ts: ${command.line}`);
    const output = await (step.run ?? runLine)(command.line, shell);
    expect({ line: command.line, ...output }).toMatchObject({ line: command.line, code: 0 });
    if (command.prints !== undefined) {
      expect({ line: command.line, stdout: output.stdout.slice(0, command.prints.length) }).toEqual({
        line: command.line,
        stdout: command.prints,
      });
    }
    await step.check?.(output, shell);
  }
}

function runLine(line: string, shell: Shell): Promise<Output> {
  return shell.run(line);
}

/** Inline commands of the README name the program only. */
function withNpx(line: string, shell: Shell): Promise<Output> {
  return shell.run(`npx ${line}`);
}

/** Follows the machine, which has no new row, until it says so. */
async function tail(line: string, shell: Shell): Promise<Output> {
  const running = await shell.start(line, /following boiler after row 0/);
  await running.stop();
  return { code: 0, stdout: running.output, stderr: '' };
}

/** Connects as the client that the line configures: its URL and header. */
async function connectByHttp(line: string, shell: Shell): Promise<Output> {
  const [, url, header] = /svc (\S+) --header "(.+)"$/.exec(line) ?? [];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE });
  const accept = "-H 'Accept: application/json, text/event-stream' -H 'Content-Type: application/json'";
  const output = await shell.run(`curl -s ${url} -H "${header}" ${accept} -d '${body}'`);
  expect(output.stdout).toContain(`"version":"${packageJson.version}"`);
  return output;
}

/** Starts the server of a desktop client, initializes it and computes with a tool. */
export async function useDesktopServer({ command, args }: DesktopServer, shell: Shell): Promise<void> {
  const mcp = shell.startMcp(command, args);
  const { result } = await mcp.request('initialize', INITIALIZE);
  expect(result).toMatchObject({ serverInfo: { name: 'svc', version: packageJson.version } });
  mcp.send('notifications/initialized', {});
  const computed = await mcp.request('tools/call', { name: 'svc_heat', arguments: HEAT });
  expect(computed.result).toMatchObject({ structuredContent: { ok: true, value: HEAT_VALUE } });
  expect(await mcp.end()).toBe(0);
  expect(mcp.other).toEqual([]);
}

/** Runs the example of the library, and reads the same module from CommonJS. */
export async function useLibrary(example: string, shell: Shell): Promise<void> {
  writeFileSync(join(shell.folder, 'heat.mjs'), example);
  const required = await shell.run(`node -p "typeof require('svc/solvers/heat').heat.solve"`);
  expect(required).toEqual({ code: 0, stdout: 'function\n', stderr: '' });
}
