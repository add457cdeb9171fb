// svc compute DOMAIN key=value …

import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { call } from '../client/client.ts';
import { DomainError } from '../core/errors.ts';
import { loadKernel } from '../kernels/load-node.ts';
import { LocalRunner } from '../kernels/run-here.ts';
import { mintDemoKey } from '../operations/access/keys.ts';
import { compute } from '../operations/compute/compute.ts';
import type { GateFinding } from '../operators/gate.ts';
import { type ComputeRequest, selectComputation } from '../protocol/compute-request.ts';
import { type PureFields, pureFields } from '../protocol/pure-fields.ts';
import { assertBudget, runPlan } from '../solvers/run.ts';
import { type CliContext, keyOption, sealingUrlOption } from './context.ts';
import { paint, print, say, type Terminal } from './terminal.ts';

interface ComputeOptions {
  readonly operators?: string;
  readonly detail?: 'full';
  readonly url?: string;
  readonly key?: string;
  readonly output?: string;
  readonly json?: boolean;
}

const REFUSED_EXIT = 4;

export function addComputeCommand(svc: Command, context: CliContext): void {
  svc
    .command('compute <domain> [quantities...]')
    .description(
      'evaluate operators of a domain: svc compute QM n=3 m=9.11e-31 L=2.5nm (L=2.5±0.1nm with its uncertainty)',
    )
    .option('--operators <ids>', 'one to three, separated by commas; without them, those whose inputs are all given')
    .addOption(new Option('--detail <what>', 'list all terms of the master equation').choices(['full']))
    .addOption(sealingUrlOption())
    .addOption(keyOption())
    .option('--output <file>', 'write the whole result or receipt to a file')
    .option('--json', 'print the whole result or receipt as JSON')
    .action((domain: string, quantities: string[], options: ComputeOptions) =>
      runCompute(context, domain, quantities, options),
    );
}

/** `key=value`, `key=value unit`, `key=value±uncertainty unit` (or `+-`). */
const QUANTITY =
  /^([\w-]+(?:\.\w+)?)=([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:\s*(?:±|\+-)\s*((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?))?\s*(.*)$/i;

function requestOf(
  domain: string,
  quantities: readonly string[],
  { operators, detail }: ComputeOptions,
): ComputeRequest {
  const inputs: Record<string, number> = {};
  const units: Record<string, string> = {};
  const uncertainties: Record<string, number> = {};
  for (const text of quantities) {
    const [, key = '', value, sigma, unit = ''] = QUANTITY.exec(text) ?? [];
    if (value === undefined) {
      throw new DomainError(
        'VALIDATION_FAILED',
        `${text} is no quantity; key=value, key=2.5nm or key=2.5±0.1nm is expected.`,
      );
    }
    if (Object.hasOwn(inputs, key)) throw new DomainError('VALIDATION_FAILED', `${key} is given twice.`);
    inputs[key] = Number(value);
    if (sigma !== undefined) uncertainties[key] = Number(sigma);
    if (unit !== '') units[key] = unit;
  }
  return {
    domain,
    inputs,
    ...(operators === undefined ? {} : { operators: operators.split(',').map((id) => id.trim()) }),
    ...(Object.keys(units).length === 0 ? {} : { units }),
    ...(Object.keys(uncertainties).length === 0 ? {} : { uncertainties }),
    ...(detail === undefined ? {} : { detail }),
  };
}

async function runCompute(
  context: CliContext,
  domain: string,
  quantities: readonly string[],
  options: ComputeOptions,
): Promise<void> {
  const { terminal } = context;
  const request = requestOf(domain, quantities, options);
  const answer =
    options.url === undefined ? await computeHere(request) : await computeThere(request, options.url, options.key);
  const text = () => JSON.stringify(answer, null, 2);
  if (options.output !== undefined) writeFileSync(options.output, `${text()}\n`);
  if ('gate' in answer) process.exitCode = REFUSED_EXIT;
  if (options.json) print(terminal, text());
  else if ('gate' in answer) showGate(terminal, answer.gate);
  else show(terminal, answer);
}

type Answer = Sealed | Pick<PureFields, ShownField> | { readonly gate: GateFinding };
type ShownField =
  | 'value'
  | 'unit'
  | 'uncertainty'
  | 'converged'
  | 'verification'
  | 'equations'
  | 'results'
  | 'selection';
type Sealed = Pick<PureFields, ShownField> & { readonly svcond: number; readonly svcProof: string };

async function computeHere(request: ComputeRequest): Promise<Answer> {
  const bound = selectComputation(request)();
  if (bound.kind === 'gate') return { gate: bound.gate };
  const { computation } = bound;
  const work = computation.plan();
  assertBudget(work);
  const image = await loadKernel(computation.kernel);
  const solution = computation.collect(await runPlan(work, image, new LocalRunner()));
  return pureFields(computation, image.sha256, solution).pure;
}

async function computeThere(request: ComputeRequest, url: string, given: string | undefined): Promise<Answer> {
  const key = given ?? String((await call(mintDemoKey, {}, { url })).key);
  return (await call(compute, { ...request }, { url, key })) as unknown as Answer;
}

function show(terminal: Terminal, answer: Sealed | Pick<PureFields, ShownField>): void {
  const { value, unit, uncertainty, converged, verification, equations, results, selection } = answer;
  const doubt = converged ? '' : `   ${paint(terminal, 'yellow', 'not converged')}`;
  print(terminal, `${paint(terminal, 'bold', `${value} ${unit}`)}  ± ${uncertainty.toPrecision(2)}${doubt}`);
  print(terminal, `checked by ${verification.method}`);
  for (const equation of equations.slice(1)) print(terminal, `  ${equation}`);
  for (const result of results.slice(0, -1))
    print(terminal, `  ${result.operator_id} = ${result.value} ${result.unit}  ± ${result.uncertainty.toPrecision(2)}`);
  for (const { operator_id, name, why } of selection?.operators ?? [])
    print(terminal, `  ${operator_id}, ${name}: ${why}`);
  for (const { from, to, symbol } of selection?.chain ?? []) print(terminal, `  ${symbol} of ${to} comes from ${from}`);
  const said =
    'svcProof' in answer
      ? `sealed at tick ${answer.svcond}, svcProof ${answer.svcProof.slice(0, 16)}…`
      : 'computed here and not sealed; --url ADDRESS gives a receipt that anyone can verify';
  say(terminal, paint(terminal, 'dim', said));
}

function showGate(terminal: Terminal, { reason, accepted }: GateFinding): void {
  print(terminal, `${paint(terminal, 'yellow', 'NaN')}  ${reason}`);
  print(terminal, 'accepted are:');
  for (const [key, unit] of Object.entries(accepted)) print(terminal, `  ${key} [${unit}]`);
}
