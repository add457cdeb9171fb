// svc solve: runs a solver.

import { writeFileSync } from 'node:fs';
import { type Command, Help, Option } from 'commander';
import { z } from 'zod';
import { type Client, createClient, type SolveAnswer } from '../client/client.ts';
import { canonicalCopy } from '../core/canonical-json.ts';
import { systemClock } from '../core/clock.ts';
import { parseReal } from '../core/decimal.ts';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { convertReading } from '../core/temperature-scales.ts';
import { quoteValue } from '../core/validation.ts';
import { definitionOf, type SealedDefinition } from '../operators/definition.ts';
import { findOperator } from '../operators/load.ts';
import { PULSE_OPERATOR } from '../operators/operator.ts';
import { solverComputation } from '../protocol/computation.ts';
import { computeLawHere } from '../protocol/compute-law.ts';
import { meshVtk } from '../protocol/mesh-file.ts';
import { type PureFields, refusedPrecision } from '../protocol/pure-fields.ts';
import { RunObserver } from '../protocol/run-observer.ts';
import type { SweepSpec } from '../protocol/sweep/axes.ts';
import type { SamplesRequest } from '../protocol/sweep/samples.ts';
import { bindSolverSweep, hasPoints } from '../protocol/sweep/solver-request.ts';
import { inputUnitsOf } from '../protocol/words/inputs.ts';
import { withClock } from '../solvers/clock-input.ts';
import { withComputedLaws } from '../solvers/computed-laws.ts';
import type { Field, SolverDefinition } from '../solvers/definition.ts';
import { SOLVERS } from '../solvers/index.ts';
import type { Plot } from '../solvers/plot.ts';
import { plotFault } from '../solvers/plot-fault.ts';
import { type QuantityWords, quantityWords } from '../solvers/quantity-words.ts';
import { bindInput, unitOf } from '../solvers/request.ts';
import { printGate } from './compute.ts';
import { type CliContext, keyOption, NOT_SEALED_NOTE, REJECTED_EXIT, sealingUrlOption } from './context.ts';
import { arraysOption, csvOption, printCsv } from './csv.ts';
import { fieldHelp } from './field-help.ts';
import { type LiveView, liveView } from './live-view.ts';
import { runHere, saveResult } from './local-run.ts';
import { plotLines, plotSummary } from './plot.ts';
import {
  parseFieldSweep,
  parseUncertainties,
  samplesOption,
  sweepOption,
  sweepText,
  uncertaintyOption,
} from './sweep.ts';
import { columnsOf, paint, print, printJson, printStatus, progressBar, type Terminal } from './terminal.ts';
import { budgetLines, type Digits, digitsOption, valueText } from './value-text.ts';

export interface SolveOptions {
  readonly digits?: Digits;
  readonly json?: boolean;
  readonly url?: string;
  readonly key?: string;
  readonly output?: string;
  /** File for the mesh with its fields. */
  readonly vtk?: string;
  readonly plot: boolean;
  readonly sweep?: readonly string[];
  readonly csv?: boolean;
  /** Name of a table of arrays, with `csv`. */
  readonly arrays?: string;
  readonly monteCarlo?: SamplesRequest;
  readonly uncertainty?: readonly string[];
  /** Write a receipt that links long arrays instead of holding them. */
  readonly linked?: boolean;
  /** Draw the run while it computes. */
  readonly live?: boolean;
  /** Operators of an extensible solver, separated by commas. */
  readonly operators?: string;
  readonly [field: string]: unknown;
}

const CLI_OPTIONS = new Set([
  'digits',
  'json',
  'url',
  'key',
  'output',
  'vtk',
  'plot',
  'operators',
  'linked',
  'live',
  'sweep',
  'csv',
  'arrays',
  'monteCarlo',
  'uncertainty',
]);

export function addSolveCommands(svc: Command, context: CliContext): void {
  const solve = svc.command('solve').description(`run a solver: ${SOLVERS.map((solver) => solver.id).join(', ')}`);
  for (const solver of SOLVERS) {
    const help = fieldHelp(solver);
    const command = solve
      .command(solver.id)
      .description(`${solver.title}. ${solver.summary}`)
      .configureHelp({ optionDescription: (option) => help(option.attributeName()) ?? describeOption(option) });
    for (const [name, field] of Object.entries(solver.inputs.shape))
      if (field.meta()?.unlisted !== true) command.addOption(fieldOption(name, field as z.ZodType));
    if (solver.mesh !== undefined)
      command.option('--vtk <file>', 'write the mesh with its fields to a file of VTK, for ParaView and others');
    if (solver.open)
      command.option('--operators <ids>', 'operators whose laws are added to the equations, separated by commas');
    command
      .addOption(sweepOption())
      .addOption(csvOption())
      .addOption(arraysOption())
      .addOption(uncertaintyOption())
      .addOption(samplesOption())
      .addOption(digitsOption())
      .addOption(sealingUrlOption())
      .addOption(keyOption())
      .option('--output <file>', 'write the complete result or receipt to a file')
      .option('--linked', 'write a receipt that links arrays above 4096 numbers instead of holding them')
      .option('--live', 'draw the run while it computes, on a terminal; elsewhere say what its frames show')
      .option('--json', 'print the complete result or receipt as JSON')
      .option('--no-plot', 'do not print a plot')
      .action((options: SolveOptions) => runSolve(context, solver, options));
  }
}

const describeOption = (option: Option) => new Help().optionDescription(option);

/** Makes an option of an input field. Only its form is parsed here; the schema does the rest. */
function fieldOption(name: string, field: z.ZodType): Option {
  const kind = kindOf(field);
  // A truth may stand alone: --steady.
  const option = new Option(kind instanceof z.ZodBoolean ? `--${name} [value]` : `--${name} <value>`);
  // For completions; the schema refuses other words.
  if (kind instanceof z.ZodEnum) option.argChoices = kind.options.map(String);
  if (kind instanceof z.ZodString) return option;
  if (kind instanceof z.ZodRecord) return option.argParser(parseRecord);
  if (kind instanceof z.ZodNumber) return option.argParser((text) => parseReading(name, text, unitOf(field) ?? '1'));
  return option.argParser(kind instanceof z.ZodArray ? parseList : parseAny);
}

/** The schema of a field that is given. */
function kindOf(field: z.ZodType): z.ZodType {
  return field instanceof z.ZodDefault || field instanceof z.ZodOptional ? kindOf(field.unwrap() as z.ZodType) : field;
}

/** Units that are names of the problem's own: its time is no tonne, its temperature no tesla. */
const OWN_UNITS: ReadonlySet<string> = new Set(['1', 't', 'T', 'E']);

/** A number, and perhaps a unit of the dimension of the field: `36cm`, `20 degC`. @throws DomainError VALIDATION_FAILED */
function parseReading(name: string, text: string, unit: string): unknown {
  const [, digits = '', typed = ''] = READING.exec(text.trim()) ?? [];
  if (typed === '' || OWN_UNITS.has(unit)) return parseAny(text);
  try {
    return convertReading(Number(digits), typed, unit);
  } catch (cause) {
    const message = `${name} is ${quoteValue(text)}; a number in ${unit} is expected, and ${typed} cannot be converted to that.`;
    throw new DomainError('VALIDATION_FAILED', message, {
      cause,
      details: [{ path: name, code: 'UNIT_MISMATCH', message }],
    });
  }
}

/** A number, and a unit that does not begin as an exponent does. */
const READING = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(?!e[+-]?\d)([a-zµΩ].*)$/iu;

/** `0.1,0.2`, or JSON. */
function parseList(text: string): unknown {
  if (!text.trim().startsWith('[')) return text.split(',').map((part) => parseScalar(part.trim()));
  return parseJsonOr(text);
}

/** JSON, or `m=2,v=3`. */
function parseRecord(text: string): unknown {
  if (text.trim().startsWith('{')) return parseJsonOr(text);
  const pairs = text.split(',').map((part) => part.split('=').map((one) => one.trim()));
  if (pairs.some(({ length }) => length !== 2)) return text;
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, parseScalar(value)]));
}

/** An object or a list in JSON, or a scalar. */
function parseAny(text: string): unknown {
  return /^\s*[[{]/.test(text) ? parseJsonOr(text) : parseScalar(text);
}

function parseJsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parseScalar(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  const value = parseReal(text);
  return Number.isNaN(value) ? text : value;
}

function parseOperatorIds({ operators = '' }: SolveOptions): string[] {
  return operators.split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim()]));
}

/** @param options  the inputs by field, beside those of the command */
export async function runSolve(context: CliContext, solver: SolverDefinition, options: SolveOptions): Promise<void> {
  const input = Object.fromEntries(
    Object.entries(options).filter(([name, value]) => !CLI_OPTIONS.has(name) && value !== undefined),
  );
  if (options.url === undefined) await solveLocally(context, solver, input, options);
  else await solveRemotely(context, solver, input, { ...options, url: options.url });
}

async function solveLocally(
  { terminal, signal }: CliContext,
  solver: SolverDefinition,
  input: Record<string, unknown>,
  options: SolveOptions,
): Promise<void> {
  const bar = progressBar(terminal, solver.id);
  const laws = parseOperatorIds(options).flatMap((id) =>
    id === PULSE_OPERATOR ? [] : [definitionOf(findOperator(id))],
  );
  const onProgress = (fraction: number) => bar.set(fraction);
  const definitions = [...solver.operatorChain.map((id) => definitionOf(findOperator(id))), ...laws];
  const whole = await withComputedLaws(solver, input, computeLawHere);
  const bound = bindHere(solver, whole, { laws, definitions, points: pointOptions(options) });
  if ('accepted' in bound) {
    bar.clear();
    process.exitCode = REJECTED_EXIT;
    const reason = `${solver.id} takes no ${bound.unrecognised.join(', ')}`;
    printGate(terminal, { reason, unrecognised: bound.unrecognised, accepted: bound.accepted });
    return;
  }
  const { computation } = bound;
  const view = options.live ? liveView(terminal) : undefined;
  const observer = view && new RunObserver(solver, LIMITS.live, (fraction, drawing) => view.show(fraction, drawing));
  const watch = observer?.watchOf(computation);
  const observers = observer
    ? { onProgress: (fraction: number) => observer.onProgress(fraction), ...(watch ? { watch } : {}) }
    : { onProgress };
  const run = await runHere(computation, { ...observers, signal }).finally(() => {
    bar.clear();
    view?.clear();
  });
  if (options.output !== undefined) saveResult(options.output, run, inputUnitsOf({ ...run.pure }, [], solver));
  if (options.vtk !== undefined) saveMesh(options.vtk, solver, run.solution.fields);
  if (options.csv) {
    printCsv(terminal, run.pure, { arrays: run.solution, name: options.arrays });
    return;
  }
  if (options.json) {
    printJson(terminal, run.pure);
    return;
  }
  const { value, uncertainty, witness, quantities, series, fields, plots, notes } = run.solution;
  const { unit, uncertainty_budget: budget } = run.pure;
  const doubt = doubtOf(run.pure);
  const { method } = witness;
  const words = solver.form?.quantities ?? {};
  for (const line of sweepText(run.pure, columnsOf(terminal.stdout))) print(terminal, line);
  printResult(terminal, { value, unit, uncertainty, budget, doubt, method, quantities, notes, words }, options.digits);
  if (options.plot && run.pure.table === undefined) printPlots(terminal, [...series, ...fields], plots);
  printStatus(terminal, paint(terminal, 'dim', NOT_SEALED_NOTE));
}

interface PointOptions {
  readonly sweep?: SweepSpec;
  readonly uncertainties?: Readonly<Record<string, number>>;
  readonly samples?: SamplesRequest;
}

function pointOptions({ sweep: texts, uncertainty, monteCarlo: samples }: SolveOptions): PointOptions {
  const sweep = parseFieldSweep(texts);
  const uncertainties = parseUncertainties(uncertainty);
  return {
    ...(sweep === undefined ? {} : { sweep }),
    ...(uncertainties === undefined ? {} : { uncertainties }),
    ...(samples === undefined ? {} : { samples }),
  };
}

function bindHere(
  solver: SolverDefinition,
  given: Record<string, unknown>,
  {
    laws,
    definitions,
    points,
  }: {
    readonly laws: readonly SealedDefinition[];
    readonly definitions: readonly SealedDefinition[];
    readonly points: PointOptions;
  },
) {
  const input = withClock(solver, { ...given, ...points }, () => systemClock().now());
  if (hasPoints(solver, input)) return bindSolverSweep(solver, input, { laws, definitions });
  const { parsed } = bindInput(solver, input, laws);
  return { computation: solverComputation(solver, { input: canonicalCopy(parsed), consts: {}, definitions }) };
}

/** Draws the frames of a run on the service. */
async function streamed(events: ReturnType<Client['stream']>, view: LiveView): Promise<SolveAnswer> {
  try {
    for await (const event of events) {
      if (event.type === 'result') return event.envelope;
      if (event.type !== 'frame') continue;
      const { fraction, plot, arrays } = event;
      view.show(fraction, plot && { plot, arrays });
    }
  } finally {
    view.clear();
  }
  throw new Error('The service ended the stream without a result.');
}

async function solveRemotely(
  { terminal, signal }: CliContext,
  solver: SolverDefinition,
  input: Record<string, unknown>,
  options: SolveOptions & { url: string },
): Promise<void> {
  const { url } = options;
  const key = options.key ?? (await createClient({ url }).call('demo-key.mint', {})).key;
  const operators = parseOperatorIds(options);
  const points = pointOptions(options);
  const hasTable = Object.keys(points).length > 0;
  // The rows of a long table are linked otherwise.
  const isWhole = options.arrays !== undefined || options.vtk !== undefined;
  const self_contained = (options.output !== undefined && options.linked !== true) || hasTable || isWhole;
  const body = {
    ...input,
    ...(operators.length === 0 ? {} : { operators }),
    ...points,
    ...(self_contained ? { self_contained } : {}),
  };
  const client = createClient({ url, key });
  const envelope = options.live
    ? await streamed(client.stream(solver.id, body, { signal }), liveView(terminal))
    : await client.call(`${solver.id}.solve`, body);
  if (options.output !== undefined) writeFileSync(options.output, `${JSON.stringify(envelope, null, 2)}\n`);
  if ('gate' in envelope) process.exitCode = REJECTED_EXIT;
  else if (options.vtk !== undefined) saveMesh(options.vtk, solver, arraysHere(envelope.fields));
  if (options.csv && !('gate' in envelope)) {
    const { plots } = envelope;
    const arrays = { series: arraysHere(envelope.series), fields: arraysHere(envelope.fields), plots };
    printCsv(terminal, envelope, { arrays, name: options.arrays });
    return;
  }
  if (options.json) {
    printJson(terminal, envelope);
    return;
  }
  if ('gate' in envelope) {
    printGate(terminal, envelope.gate);
    return;
  }
  const {
    value,
    unit,
    uncertainty,
    uncertainty_budget: budget,
    verification,
    quantities,
    notes,
    series,
    fields,
    plots,
    svcProof,
    svcond,
  } = envelope;
  const { method } = verification;
  const doubt = doubtOf(envelope);
  const words = solver.form?.quantities ?? {};
  for (const line of sweepText(envelope, columnsOf(terminal.stdout))) print(terminal, line);
  printResult(terminal, { value, unit, uncertainty, budget, doubt, method, quantities, notes, words }, options.digits);
  const inline = arraysHere([...series, ...fields]);
  if (options.plot && !hasTable) printPlots(terminal, inline, plots);
  printStatus(
    terminal,
    paint(
      terminal,
      'dim',
      `sealed at tick ${svcond}, svcProof ${svcProof.slice(0, 16)}…${options.output ? ` → ${options.output}` : ''}`,
    ),
  );
}

function saveMesh(path: string, { id, mesh }: SolverDefinition, fields: readonly Field[]): void {
  const text = mesh && meshVtk(id, mesh, fields);
  if (text === undefined) throw new Error('The result holds no mesh.');
  writeFileSync(path, text);
}

type LinkedField = Omit<Field, 'data'> & { readonly data?: readonly number[] | undefined };

/** Arrays whose numbers the envelope holds. */
const arraysHere = (arrays: readonly LinkedField[]): readonly Field[] =>
  arrays.flatMap((field) => (field.data ? [{ ...field, data: Float64Array.from(field.data) }] : []));

interface ResultSummary {
  readonly value: number;
  readonly unit: string;
  readonly uncertainty: number;
  /** Why it is not converged; undefined if it is. */
  readonly doubt: string | undefined;
  readonly method: string;
  readonly budget: PureFields['uncertainty_budget'];
  readonly quantities: PureFields['quantities'];
  readonly notes: readonly string[];
  readonly words: QuantityWords;
}

function doubtOf(fields: Pick<PureFields, 'converged' | 'precisionBound' | 'invariants'>): string | undefined {
  if (fields.converged) return undefined;
  const reason = refusedPrecision(fields);
  return reason === undefined ? 'not converged' : `not converged: ${reason}`;
}

function printResult(
  terminal: Terminal,
  { value, unit, uncertainty, budget, doubt, method, quantities, notes, words }: ResultSummary,
  digits: Digits | undefined,
): void {
  const text = paint(terminal, 'bold', valueText({ value, unit, uncertainty }, digits));
  print(terminal, doubt === undefined ? text : `${text}   ${paint(terminal, 'yellow', doubt)}`);
  for (const line of budgetLines(budget)) print(terminal, line);
  print(terminal, `checked by ${method}`);
  for (const quantity of quantities) {
    const meaning = quantityWords(words, quantity.name);
    const text = `  ${quantity.name.padEnd(28)} ${valueText(quantity, digits)}`;
    print(terminal, meaning === undefined ? text : `${text}  ${paint(terminal, 'dim', meaning)}`);
  }
  for (const note of notes) print(terminal, `  note: ${note}`);
}

/** Prints the first plot whose arrays are here in full, and a line on each of the others. */
function printPlots(terminal: Terminal, arrays: readonly Field[], plots: readonly Plot[]): void {
  const first = plots.find((plot) => plotFault(plot, arrays) === undefined);
  if (first) for (const line of plotLines(first, arrays, columnsOf(terminal.stdout))) print(terminal, line);
  for (const plot of plots) if (plot !== first) print(terminal, paint(terminal, 'dim', plotSummary(plot, arrays)));
}
