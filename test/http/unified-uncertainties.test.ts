// Uncertainties of unified over REST, MCP and the command line: one answer by each, and one row of a sweep at each point.

import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { addSolveCommands } from '../../src/cli/solve.ts';
import type { Envelope } from '../../src/protocol/envelope.ts';
import { capture, contextOf } from '../cli/captured-terminal.ts';
import { RpcClient } from '../mcp/rpc-client.ts';
import { startService } from './service-fixture.ts';

const service = await startService();
const { url } = service.running;
const mcp = new RpcClient(url);

const DECAY = { equations: "x' = -k*x", vars: { k: 0.7 }, initial: { x: 2 } };
const UNCERTAINTIES = { k: 0.01, x: 0.05 };

async function posted(more: object): Promise<Envelope> {
  const json = { ...DECAY, ...more, self_contained: true };
  const answer: unknown = (await service.call('POST /api/svc/unified', { as: 'write', json })).json();
  return answer as Envelope;
}

async function bySvc(...args: readonly string[]): Promise<Envelope> {
  const { terminal, stdout } = capture(false);
  const svc = new Command('svc');
  addSolveCommands(svc, contextOf(terminal));
  const given = ['--equations', DECAY.equations, '--vars', 'k=0.7', '--initial', 'x=2'];
  await svc.parseAsync(['node', 'svc', 'solve', 'unified', ...given, ...args, '--json']);
  return JSON.parse(stdout());
}

const single = await posted({ t_end: 1, uncertainties: UNCERTAINTIES });

describe('one answer', () => {
  test('over REST', () => {
    expect(single.uncertainty / single.value).toBeCloseTo(2 * Math.hypot(0.01, 0.025), 3);
  });

  test.each([['numbers', UNCERTAINTIES] as const, ['text', 'k = 0.01; x = 0.05'] as const])(
    'over MCP, as %s',
    async (_, uncertainties) => {
      const given = { ...DECAY, t_end: 1, uncertainties };
      const { structuredContent } = await mcp.call('svc_unified', given, { key: service.keys.write });
      expect(structuredContent).toMatchObject({ value: single.value, uncertainty: single.uncertainty });
    },
  );

  test.each([
    ['--uncertainties', 'k=0.01,x=0.05'],
    ['--uncertainties', 'k = 0.01; x = 0.05'],
    ['--uncertainties', '{"k":0.01,"x":0.05}'],
    ['--uncertainty', 'k=0.01', '--uncertainty', 'x=0.05'],
  ])('in the command line, here and on the service: %s %s', async (...args) => {
    for (const place of [[], ['--url', url, '--key', service.keys.write]]) {
      const { value, uncertainty } = await bySvc('--t_end', '1', ...args, ...place);
      expect({ value, uncertainty }).toEqual({ value: single.value, uncertainty: single.uncertainty });
    }
  });
});

describe('a sweep', () => {
  const sweep = { t_end: [0.5, 1] };

  test('has the single answer in each row, and replays', async () => {
    const envelope = await posted({ sweep, uncertainties: UNCERTAINTIES });
    const other = await posted({ t_end: 0.5, uncertainties: UNCERTAINTIES });
    expect(envelope.table?.rows).toEqual([
      [0.5, other.value, other.uncertainty],
      [1, single.value, single.uncertainty],
    ]);
    const replayed = (await service.call('POST /api/svc/replay', { json: envelope })).json();
    expect(replayed).toMatchObject({ equal: true });
  });

  test('in the command line', async () => {
    const { table } = await bySvc('--sweep', 't_end=0.5,1', '--uncertainty', 'k=0.01', '--uncertainty', 'x=0.05');
    expect(table?.rows?.[1]).toEqual([1, single.value, single.uncertainty]);
  });

  test('of another solver still takes none', async () => {
    const body = { dim: 1, nx: 8, steps: 4, sweep: { alpha: [1, 2] }, uncertainties: { dt: 0.1 } };
    const { status } = await service.call('POST /api/svc/heat', { as: 'write', json: body });
    expect(status).toBe(422);
  });
});
