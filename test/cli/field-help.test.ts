// Help of commands: svc help and its words, and the fields of every solver with what is allowed, default and example.

import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { fieldHelp } from '../../src/cli/field-help.ts';
import { addSolveCommands } from '../../src/cli/solve.ts';
import { paint, print, printStatus } from '../../src/cli/terminal.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { capture, contextOf } from './captured-terminal.ts';
import { svc } from './run-svc.ts';

const { terminal } = capture(false);
const program = new Command('svc');
addSolveCommands(program, contextOf(terminal));
const [solve = program] = program.commands;

/** The argument of an example, as a shell reads it. */
const unquoted = (text: string) => (text.startsWith("'") ? text.slice(1, -1).replaceAll(String.raw`'\''`, "'") : text);

/** The beginning of a default; lines are written as in JSON. */
function shown(value: unknown): string {
  const text = String(value);
  return (text.includes('\n') ? JSON.stringify(text) : text).slice(0, 60);
}

describe.each(SOLVERS)('svc help solve $id', (solver) => {
  const help = fieldHelp(solver);
  const shape = Object.entries(solver.inputs.shape as Readonly<Record<string, z.ZodType>>);
  const listed = shape.filter(([, field]) => field.meta()?.unlisted !== true);

  test('says of every field what is allowed, and its default', () => {
    expect(listed.length).toBeGreaterThan(0);
    for (const [name, field] of listed) {
      const text = help(name) ?? '';
      expect(text, name).toMatch(
        /\[(?:a number|a whole number|one of|text|a list|true or false|names with values)\b.*\]$/,
      );
      const standard = field.safeParse(undefined);
      if (standard.success && ['number', 'string'].includes(typeof standard.data) && standard.data !== '')
        expect(text, name).toContain(`default ${shown(standard.data)}`);
    }
  });

  test('gives examples that the solver takes', () => {
    const command = solve.commands.find((one) => one.name() === solver.id);
    for (const [name, field] of listed) {
      const [, example] = / --\S+ ((?:'.*')|\S+)\]$/.exec(help(name) ?? '') ?? [];
      if (example === undefined) continue;
      const option = command?.options.find(({ long }) => long === `--${name}`);
      const parsed = option?.parseArg ? option.parseArg(unquoted(example), undefined) : unquoted(example);
      expect(field.safeParse(parsed).error?.issues, `--${name} ${example}`).toBeUndefined();
    }
  });
});

test('the help of heat shows choices, ranges, defaults and examples', async () => {
  const { code, stdout } = await svc(['help', 'solve', 'heat']);
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(code).toBe(0);
  expect(text).toContain('Usage: svc solve heat');
  expect(text).toContain('[one of implicit, explicit; default implicit; --method explicit]');
  expect(text).toContain('[a whole number from 8 to 128; default 64; --nx 128]');
  expect(text).toContain('[a number from 1e-12 to 1000000 in m^2/s; default 1]');
});

test('svc help finds commands by their words, and names the nearest to an unknown one', async () => {
  expect((await svc(['help'])).stdout).toBe((await svc(['--help'])).stdout);
  expect((await svc(['help', 'verify'])).stdout).toContain('Usage: svc verify');
  const unknown = await svc(['help', 'solve', 'heatt']);
  expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Did you mean heat?') });
});

test('a stream without colours gets none, whatever the other has', () => {
  for (const isColoured of [
    { stdout: true, stderr: false },
    { stdout: false, stderr: true },
  ]) {
    const { terminal: plain, stdout, sent } = capture(false);
    const one = { ...plain, isColoured };
    print(one, `a ${paint(one, 'red', 'word')}`);
    printStatus(one, `b ${paint(one, 'bold', 'word')}`);
    const red = isColoured.stdout ? 'a \u001b[31mword\u001b[0m\n' : 'a word\n';
    expect(stdout()).toBe(red);
    expect(sent()).toBe(`${red}${isColoured.stderr ? 'b \u001b[1mword\u001b[0m\n' : 'b word\n'}`);
  }
});
