// svc ask: a question in words, offline. Shows what was understood, then runs the solver or law.

import type { Command } from 'commander';
import { z } from 'zod';
import { parseReal } from '../core/decimal.ts';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { multiLine } from '../core/text-schema.ts';
import { parseOrThrow } from '../core/validation.ts';
import { type Dispatch, Dispatcher } from '../dispatch/dispatch.ts';
import { assertAllUsed, chosenOrThrow } from '../dispatch/refusal.ts';
import { requestOf } from '../dispatch/request.ts';
import { findSolver, SOLVERS } from '../solvers/index.ts';
import { runCompute } from './compute.ts';
import { type CliContext, keyOption, sealingUrlOption } from './context.ts';
import { runSolve } from './solve.ts';
import { paint, print, printJson, printStatus, type Terminal } from './terminal.ts';
import { type Digits, digitsOption } from './value-text.ts';

interface AskOptions {
  readonly set?: readonly string[];
  readonly target?: string;
  readonly run: boolean;
  readonly ignoreUnused?: boolean;
  readonly digits?: Digits;
  readonly url?: string;
  readonly key?: string;
  readonly output?: string;
  readonly json?: boolean;
}

export function addAskCommand(svc: Command, context: CliContext): void {
  svc
    .command('ask <question...>')
    .description('answer a question in words: svc ask "kinetic energy of a car of 1200 kg at 30 m/s"')
    .option('--no-run', 'show what was understood, and compute nothing')
    .option('--set <input=value...>', 'inputs that win over those of the question')
    .option('--target <id>', 'the solver or law that is meant')
    .option('--ignore-unused', 'answer although a number of the question has no place')
    .addOption(digitsOption())
    .addOption(sealingUrlOption())
    .addOption(keyOption())
    .option('--output <file>', 'write the complete result or receipt to a file')
    .option('--json', 'print the dispatch (with --no-run) or the complete result as JSON')
    .action((words: string[], options: AskOptions) => runAsk(context, words.join(' '), options));
}

const Question = z.strictObject({ query: multiLine(LIMITS.auto.characters, 1) });

async function runAsk(context: CliContext, question: string, options: AskOptions): Promise<void> {
  const { terminal } = context;
  const { query } = parseOrThrow(Question, { query: question });
  const dispatch = chosenOrThrow(new Dispatcher(SOLVERS).dispatch(query, { target: options.target }));
  const overrides = parseOverrides(options.set ?? []);
  const request = requestOf(dispatch, overrides);
  if (!options.run) {
    if (options.json) printJson(terminal, { dispatch, request });
    else for (const line of linesOf(terminal, dispatch)) print(terminal, line);
    return;
  }
  if (options.ignoreUnused !== true) assertAllUsed(dispatch);
  for (const line of linesOf(terminal, dispatch)) printStatus(terminal, line);
  const { run: _, set: __, target: ___, ignoreUnused: ____, ...shared } = options;
  const solver = dispatch.target.kind === 'solver' ? findSolver(dispatch.target.id) : undefined;
  if (solver !== undefined) {
    await runSolve(context, solver, { ...request.body, ...shared, plot: true });
    return;
  }
  const { domain, inputs } = request.body as { domain: string; inputs: Readonly<Record<string, unknown>> };
  const quantities = Object.entries(inputs).map(([name, value]) => `${name}=${String(value)}`);
  await runCompute(context, domain, quantities, { ...shared, operators: dispatch.target.id });
}

function parseOverrides(texts: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new DomainError('VALIDATION_FAILED', `${text} is not an input. Use --set name=value.`);
      const value = text.slice(at + 1).trim();
      const number = parseReal(value);
      return [text.slice(0, at).trim(), Number.isNaN(number) ? value : number];
    }),
  );
}

/** The choice, and a line for each input with the words that it came from. */
function linesOf(
  terminal: Terminal,
  { target, confidence, inputs, defaults, unused, alternatives }: Dispatch,
): string[] {
  const width = Math.max(8, ...inputs.map(({ name }) => name.length));
  const dim = (text: string) => paint(terminal, 'dim', text);
  return [
    `${paint(terminal, 'bold', target.id)}  ${target.title}  ${dim(`confidence ${confidence}`)}`,
    ...inputs.map(({ name, value, unit, words }) => {
      const suffix = typeof value === 'number' && unit !== '1' ? ` ${unit}` : '';
      const text = String(value).replaceAll('\n', '; ');
      return `  ${name.padEnd(width)} ${text}${suffix}${words === '' ? '' : `  ${dim(JSON.stringify(words))}`}`;
    }),
    ...(defaults.length === 0
      ? []
      : [dim(`  by default ${defaults.map(({ name, value }) => `${name} ${JSON.stringify(value)}`).join(', ')}`)]),
    ...(unused.length === 0 ? [] : [paint(terminal, 'yellow', `  without a place: ${unused.join(', ')}`)]),
    ...(alternatives.length === 0
      ? []
      : [dim(`  or ${alternatives.map(({ id, title }) => `${id} (${title})`).join(', ')}: --target`)]),
  ];
}
