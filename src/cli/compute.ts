// svc compute: evaluates operators of a domain.

import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { createClient } from '../client/client.ts';
import { DomainError } from '../core/errors.ts';
import type { GateFinding } from '../operators/gate.ts';
import { type ComputeRequest, selectComputation } from '../protocol/compute-request.ts';
import type { PureFields } from '../protocol/pure-fields.ts';
import type { SamplesRequest } from '../protocol/sweep/samples.ts';
import { lawsOf } from '../protocol/words/definitions.ts';
import { inputUnitsOf } from '../protocol/words/inputs.ts';
import { type CliContext, keyOption, NOT_SEALED_NOTE, REJECTED_EXIT, sealingUrlOption } from './context.ts';
import { csvOption, printCsv } from './csv.ts';
import { runHere, saveResult } from './local-run.ts';
import { parseSweep, samplesOption, sweepOption, sweepText } from './sweep.ts';
import { columnsOf, paint, print, printJson, printStatus, type Terminal } from './terminal.ts';
import { budgetLines, type Digits, digitsOption, valueText } from './value-text.ts';

export interface ComputeOptions {
  readonly operators?: string;
  readonly detail?: 'full';
  readonly digits?: Digits;
  readonly as?: string;
  readonly query?: string;
  readonly solveFor?: string;
  readonly sweep?: readonly string[];
  readonly csv?: boolean;
  readonly monteCarlo?: SamplesRequest;
  readonly url?: string;
  readonly key?: string;
  readonly output?: string;
  readonly json?: boolean;
}

export function addComputeCommand(svc: Command, context: CliContext): void {
  svc
    .command('compute <domain> [quantities...]')
    .description(
      'evaluate operators of a domain: svc compute QM n=3 m=9.11e-31 L=2.5nm (L=2.5±0.1nm with an uncertainty); a sweep: svc compute CM m=2 --operators CM9 --sweep v=10..40km/h:100',
    )
    .option(
      '--operators <ids>',
      'one to three operators, separated by commas (default: the law that fits the inputs, --as and --query)',
    )
    .option('--as <unit>', 'unit or symbol of the output, for example MJ')
    .option('--query <words>', 'the question in words, which chooses among the laws that fit')
    .option('--solve-for <symbol>', 'input to solve for: svc compute CM9 --solve-for v K=100J m=2kg')
    .addOption(new Option('--detail <level>', 'list all terms of the master equation').choices(['full']))
    .addOption(sweepOption())
    .addOption(csvOption())
    .addOption(samplesOption())
    .addOption(digitsOption())
    .addOption(sealingUrlOption())
    .addOption(keyOption())
    .option('--output <file>', 'write the complete result or receipt to a file')
    .option('--json', 'print the complete result or receipt as JSON')
    .action((domain: string, quantities: string[], options: ComputeOptions) =>
      runCompute(context, domain, quantities, options),
    );
}

/** `key=value`, `key=value unit`, `key=value±uncertainty unit` (or `+-`). */
const QUANTITY =
  /^([\w-]+(?:\.\w+)?)=([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:\s*(?:±|\+-)\s*((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?))?\s*(.*)$/i;

function parseRequest(
  domain: string,
  quantities: readonly string[],
  { operators, detail, as, query, solveFor, sweep: swept = [], monteCarlo: samples }: ComputeOptions,
): ComputeRequest {
  const inputs: Record<string, number> = {};
  const units: Record<string, string> = {};
  const uncertainties: Record<string, number> = {};
  for (const text of quantities) {
    const [, key = '', value, sigma, unit = ''] = QUANTITY.exec(text) ?? [];
    if (value === undefined) {
      throw new DomainError(
        'VALIDATION_FAILED',
        `${text} is not a quantity. Use key=value, key=2.5nm or key=2.5±0.1nm.`,
      );
    }
    // A unit begins with no digit and no comma.
    if (/^[,'’\d]/.test(unit)) {
      const message = `${text} may have a decimal comma or grouped digits. Write ${key}=1234.5, with a point and without groups.`;
      throw new DomainError('VALIDATION_FAILED', message);
    }
    if (Object.hasOwn(inputs, key)) throw new DomainError('VALIDATION_FAILED', `${key} is given twice; remove one.`);
    inputs[key] = Number(value);
    if (sigma !== undefined) uncertainties[key] = Number(sigma);
    if (unit !== '') units[key] = unit;
  }
  const sweep = parseSweep(swept);
  Object.assign(units, sweep.units);
  return {
    domain,
    inputs,
    ...(operators === undefined ? {} : { operators: operators.split(',').map((id) => id.trim()) }),
    ...(Object.keys(units).length === 0 ? {} : { units }),
    ...(Object.keys(uncertainties).length === 0 ? {} : { uncertainties }),
    ...(detail === undefined ? {} : { detail }),
    ...(as === undefined ? {} : { as }),
    ...(query === undefined ? {} : { query }),
    ...(solveFor === undefined ? {} : { solve_for: solveFor }),
    ...(samples === undefined ? {} : { samples }),
    ...(swept.length === 0 ? {} : { sweep: sweep.axes }),
  };
}

export async function runCompute(
  context: CliContext,
  domain: string,
  quantities: readonly string[],
  options: ComputeOptions,
): Promise<void> {
  const { terminal } = context;
  const request = parseRequest(domain, quantities, options);
  const result =
    options.url === undefined ? await computeLocally(request, options.output) : await computeRemotely(request, options);
  if (options.output !== undefined && 'svcProof' in result)
    writeFileSync(options.output, `${JSON.stringify(result, null, 2)}\n`);
  if ('gate' in result) process.exitCode = REJECTED_EXIT;
  if (options.csv && !('gate' in result)) printCsv(terminal, result);
  else if (options.json) printJson(terminal, result);
  else if ('gate' in result) printGate(terminal, result.gate);
  else printResult(terminal, result, options.digits);
}

type ComputeResult = SealedResult | Pick<PureFields, PrintedField> | { readonly gate: GateFinding };
type PrintedField =
  | 'value'
  | 'unit'
  | 'uncertainty'
  | 'uncertainty_budget'
  | 'converged'
  | 'verification'
  | 'equations'
  | 'results'
  | 'selection'
  | 'quantities'
  | 'solve_for'
  | 'complete'
  | 'plots'
  | 'sweep'
  | 'samples'
  | 'table';
type SealedResult = Pick<PureFields, PrintedField> & { readonly svcond: number; readonly svcProof: string };

/** @param output  path of a result file */
async function computeLocally(request: ComputeRequest, output: string | undefined): Promise<ComputeResult> {
  const bound = selectComputation(request)();
  if (bound.kind === 'gate') return { gate: bound.gate };
  const run = await runHere(bound.computation);
  const fields = { ...run.pure };
  if (output !== undefined)
    saveResult(output, run, inputUnitsOf(fields, lawsOf(fields, { law: () => undefined }), undefined));
  return run.pure;
}

async function computeRemotely(
  request: ComputeRequest,
  { url = '', key: givenKey, output, sweep, monteCarlo }: ComputeOptions,
): Promise<ComputeResult> {
  const key = givenKey ?? (await createClient({ url }).call('demo-key.mint', {})).key;
  // A long table is linked otherwise.
  const self_contained = output !== undefined || sweep !== undefined || monteCarlo !== undefined;
  return createClient({ url, key }).call('compute.run', { ...request, ...(self_contained ? { self_contained } : {}) });
}

function printResult(
  terminal: Terminal,
  result: SealedResult | Pick<PureFields, PrintedField>,
  digits: Digits | undefined,
): void {
  const { value, unit, uncertainty, converged, verification, equations, results, selection } = result;
  const { uncertainty_budget: budget } = result;
  for (const line of sweepText(result, columnsOf(terminal.stdout))) print(terminal, line);
  const warning = converged ? '' : `   ${paint(terminal, 'yellow', 'not converged')}`;
  print(terminal, `${paint(terminal, 'bold', valueText({ value, unit, uncertainty }, digits))}${warning}`);
  for (const line of budgetLines(budget)) print(terminal, line);
  if (result.solve_for !== undefined) printRoots(terminal, result, digits);
  print(terminal, `checked by ${verification.method}`);
  for (const equation of equations.slice(1)) print(terminal, `  ${equation}`);
  for (const step of results.slice(0, -1)) print(terminal, `  ${step.operator_id} = ${valueText(step, digits)}`);
  for (const { operator_id, name, why } of selection?.operators ?? [])
    print(terminal, `  ${operator_id}, ${name}: ${why}`);
  if (selection?.also_fit !== undefined) print(terminal, `  the inputs also fit ${selection.also_fit.join(', ')}`);
  for (const { from, to, symbol } of selection?.chain ?? []) print(terminal, `  ${symbol} of ${to} comes from ${from}`);
  const origin =
    'svcProof' in result
      ? `sealed at tick ${result.svcond}, svcProof ${result.svcProof.slice(0, 16)}…`
      : NOT_SEALED_NOTE;
  printStatus(terminal, paint(terminal, 'dim', origin));
}

/** The unknown: how many roots it has, and whether that is proved. */
function printRoots(terminal: Terminal, result: Pick<PureFields, PrintedField>, digits: Digits | undefined): void {
  const { solve_for: symbol, quantities: roots, complete } = result;
  const proof = complete ? 'proved to be all in its range' : 'there may be others in its range';
  print(terminal, `${symbol} has ${roots.length} ${roots.length === 1 ? 'root' : 'roots'}, ${proof}`);
  if (roots.length === 1) return;
  for (const { value, unit, uncertainty = 0 } of roots)
    print(terminal, `  ${symbol} = ${valueText({ value, unit, uncertainty }, digits)}`);
}

/** Prints why nothing was computed. */
export function printGate(terminal: Terminal, { reason, accepted }: GateFinding): void {
  print(terminal, `${paint(terminal, 'yellow', 'NaN')}  ${reason}`);
  print(terminal, 'accepted inputs:');
  for (const [key, unit] of Object.entries(accepted)) print(terminal, `  ${key} [${unit}]`);
}
