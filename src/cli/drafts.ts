// svc contract check, test, simulate, diff and explain: definitions in files, without a service.

import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { compareDefinitions } from '../contracts/authoring/compare.ts';
import { type CheckedDraft, checkDraft, type Finding } from '../contracts/authoring/draft.ts';
import { explain, explanationText } from '../contracts/authoring/explain.ts';
import { readScenarios, runScenarios, type Trial, type TrialEnvironment } from '../contracts/authoring/trial.ts';
import { nameOfCall } from '../contracts/calls/compile.ts';
import type { CompiledContract } from '../contracts/compiled.ts';
import type { Scalars } from '../contracts/definition.ts';
import { lastOfInstances, type StepReport } from '../contracts/simulate.ts';
import { isoFromNs, startOfTick, systemClock, tickOf } from '../core/clock.ts';
import { DomainError } from '../core/errors.ts';
import { parseStrictJson } from '../core/strict-json.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../expressions/evaluate.ts';
import { compileKernel, instantiate } from '../kernels/instance.ts';
import { loadKernel } from '../kernels/load-node.ts';
import { evaluateOperator } from '../operators/evaluate.ts';
import { findOperator, OPERATORS } from '../operators/load.ts';
import { callFaults } from '../protocol/contract-calls.ts';
import { type CliContext, jsonOption, REJECTED_EXIT } from './context.ts';
import { parseParameters } from './contract-parameters.ts';
import { paint, print, printJson, type Terminal } from './terminal.ts';

interface DraftOptions {
  readonly json?: boolean;
  readonly parameter?: readonly string[];
}

export function addDraftCommands(contract: Command, { terminal }: CliContext): void {
  const command = (usage: string, description: string) =>
    contract
      .command(usage)
      .description(`${description}; needs no service`)
      .option('--parameter <name=value...>', 'parameters that replace the defaults')
      .addOption(jsonOption());
  command('check <file>', 'check a definition: faults in order of cause with their fixes, then warnings')
    .option('--strict', 'warnings count as faults')
    .action((file: string, options: DraftOptions & { readonly strict?: boolean }) => runCheck(terminal, file, options));
  command(
    'test <files...>',
    'run the scenarios of definitions (beside x.json: x.scenarios.json), and count what they cover',
  )
    .option('--covered', 'every transition must fire, and every guard be true and false')
    .action((files: readonly string[], options: DraftOptions & { readonly covered?: boolean }) =>
      runTests(terminal, files, options),
    );
  command('simulate <file>', 'let time pass and events happen, and print what fires')
    .option('--for <duration>', 'how long: a duration such as P30D, or ticks', 'P30D')
    .option(
      '--send <event...>',
      'event@seconds[:party][=payload], by seconds after the deployment: pay@60:buyer={"amount":5}',
    )
    .option('--start <instant>', 'instant of the deployment', '2026-01-05T00:00:00Z')
    .action((file: string, options: SimulateOptions) => runSimulate(terminal, file, options));
  command('diff <before> <after>', 'compare two definitions, and say what a change means for running contracts')
    .option('--exit-code', `exit with ${REJECTED_EXIT} if they differ`)
    .action((before: string, after: string, options: DraftOptions & { readonly exitCode?: boolean }) =>
      runDiff(terminal, before, after, options),
    );
  command('explain <file>', 'print the agreement in sentences, bound to the hash of the definition')
    .option('--name <party=name...>', 'names of the parties')
    .action((file: string, options: DraftOptions & { readonly name?: readonly string[] }) =>
      runExplain(terminal, file, options),
    );
}

/** A file as JSON. @throws DomainError BAD_REQUEST */
function readDocument(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new DomainError('BAD_REQUEST', `${path} cannot be read: ${(cause as Error).message}.`, { cause });
  }
  try {
    return parseStrictJson(text);
  } catch (cause) {
    const reason = cause instanceof DomainError ? cause.message : (cause as Error).message;
    throw new DomainError('BAD_REQUEST', `${path} is not JSON: ${reason}`, { cause });
  }
}

interface DraftFile {
  readonly path: string;
  readonly definition: unknown;
  /** Of a template, which has both; otherwise of the file beside it. */
  readonly scenarios: unknown;
}

/** A definition, or a template with its scenarios. */
function readDraft(path: string): DraftFile {
  const document = readDocument(path);
  const isTemplate = typeof document === 'object' && document !== null && 'definition' in document;
  if (isTemplate) {
    const { definition, scenarios } = document as { readonly definition: unknown; readonly scenarios?: unknown };
    return { path, definition, scenarios };
  }
  const beside = path.replace(/(\.json)?$/, '.scenarios.json');
  return { path, definition: document, scenarios: existsSync(beside) ? readDocument(beside) : undefined };
}

function check({ definition }: DraftFile, { parameter }: DraftOptions, environment: TrialEnvironment): CheckedDraft {
  const parameters: Scalars = parameter === undefined ? {} : parseParameters(parameter);
  const deployment = { tick: tickOf(systemClock().now()), source: environment };
  return checkDraft(definition, { parameters, callFaults: (one) => callFaults(one, OPERATORS), deployment });
}

/** @throws DomainError VALIDATION_FAILED with every fault */
function soundContract(file: DraftFile, options: DraftOptions, environment: TrialEnvironment): CompiledContract {
  const { contract, faults } = check(file, options, environment);
  if (contract !== undefined) return contract;
  const details = faults.map(({ pointer: path, code, message }) => ({ path, code, message }));
  throw new DomainError('VALIDATION_FAILED', `${file.path}: ${faults[0]?.message}`, { details });
}

async function loadEnvironment(): Promise<TrialEnvironment> {
  const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
  return {
    evaluate: (program, values) => evaluateProgram(instance, program, values),
    compute: ({ operator, inputs }) => {
      if (operator === undefined)
        throw new DomainError('OPERATOR_UNKNOWN', 'Solvers run in live contracts only, not in simulations.');
      return evaluateOperator(instance, findOperator(operator), inputs);
    },
  };
}

async function runCheck(
  terminal: Terminal,
  path: string,
  options: DraftOptions & { readonly strict?: boolean },
): Promise<void> {
  const checked = check(readDraft(path), options, await loadEnvironment());
  const { isSound, faults, warnings, definitionHash } = checked;
  const isAccepted = isSound && (options.strict !== true || warnings.length === 0);
  if (!isAccepted) process.exitCode = REJECTED_EXIT;
  if (options.json)
    return printJson(terminal, { sound: isSound, definition_hash: definitionHash ?? null, faults, warnings });
  for (const fault of faults) printFinding(terminal, 'red', fault);
  for (const warning of warnings) printFinding(terminal, 'yellow', warning);
  if (isSound) print(terminal, `${paint(terminal, 'green', 'sound')}  ${definitionHash}`);
  else print(terminal, `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`);
}

function printFinding(
  terminal: Terminal,
  style: 'red' | 'yellow',
  { pointer, code, message, fix, cause }: Finding,
): void {
  print(terminal, `${paint(terminal, style, code)} ${paint(terminal, 'bold', pointer || '/')}`);
  print(terminal, `  ${message}`);
  if (fix !== undefined) print(terminal, `  ${fix}`);
  if (cause !== undefined) print(terminal, `  Because of ${cause}, perhaps.`);
}

/** Whether everything was tried. */
const isCovered = ({ coverage: { transitions, guards } }: Trial) =>
  transitions.covered === transitions.total && guards.covered === guards.total;

async function runTests(
  terminal: Terminal,
  paths: readonly string[],
  options: DraftOptions & { readonly covered?: boolean },
): Promise<void> {
  const environment = await loadEnvironment();
  const tested = paths.map((path) => {
    const file = readDraft(path);
    if (file.scenarios === undefined) {
      const beside = basename(path).replace(/(\.json)?$/, '.scenarios.json');
      throw new DomainError('BAD_REQUEST', `${path} has no scenarios; they are expected beside it, in ${beside}.`);
    }
    const contract = soundContract(file, options, environment);
    return { path, trial: runScenarios(contract, readScenarios(file.scenarios), environment) };
  });
  const hasFailed = tested.some(
    ({ trial }) => trial.results.some(({ isMet }) => !isMet) || (options.covered === true && !isCovered(trial)),
  );
  if (hasFailed) process.exitCode = REJECTED_EXIT;
  if (options.json) {
    const rows = tested.map(({ path, trial: { results, coverage } }) => ({
      file: path,
      scenarios: results.map(({ name, isMet, faults, steps }) => ({
        name,
        met: isMet,
        faults,
        mismatches: steps.flatMap(({ mismatches }, step) => mismatches.map((message) => ({ step, message }))),
      })),
      coverage,
    }));
    return printJson(terminal, { met: !hasFailed, files: rows });
  }
  for (const { path, trial } of tested) printTrial(terminal, path, trial);
}

function printTrial(terminal: Terminal, path: string, { results, coverage }: Trial): void {
  print(terminal, paint(terminal, 'bold', path));
  for (const { name, isMet, faults, steps } of results) {
    print(terminal, `  ${isMet ? paint(terminal, 'green', 'met') : paint(terminal, 'red', 'not met')}  ${name}`);
    for (const { message } of faults) print(terminal, `    ${message}`);
    for (const [i, { mismatches }] of steps.entries())
      for (const mismatch of mismatches) print(terminal, `    step ${i + 1}: ${mismatch}`);
  }
  const { transitions, guards, rows } = coverage;
  print(
    terminal,
    `  ${transitions.covered} of ${transitions.total} transitions, ${guards.covered} of ${guards.total} outcomes of guards`,
  );
  for (const { transition, missed_from: missed, guard } of rows) {
    if (missed.length > 0) print(terminal, `    ${transition} never fired from ${missed.join(', ')}`);
    if (guard?.seen_true === true && !guard.seen_false)
      print(terminal, `    the guard of ${transition} was never false`);
  }
}

interface SimulateOptions extends DraftOptions {
  readonly for: string;
  readonly send?: readonly string[];
  readonly start: string;
}

async function runSimulate(terminal: Terminal, path: string, options: SimulateOptions): Promise<void> {
  const environment = await loadEnvironment();
  const contract = soundContract(readDraft(path), options, environment);
  const sent = (options.send ?? []).map(parseSend).sort((a, b) => a.seconds - b.seconds);
  let elapsed = 0;
  const steps: object[] = sent.map(({ event, seconds, by, payload }) => {
    const after = seconds === elapsed ? {} : { after: `PT${seconds - elapsed}S` };
    elapsed = seconds;
    return {
      ...after,
      send: event,
      ...(by === undefined ? {} : { by }),
      ...(payload === undefined ? {} : { payload }),
    };
  });
  steps.push({ after: /^\d+$/.test(options.for) ? Number(options.for) : options.for });
  const scenarios = readScenarios([{ name: 'simulation', start: options.start, steps }]);
  const [result] = runScenarios(contract, scenarios, environment).results;
  if (result === undefined || result.faults.length > 0) process.exitCode = REJECTED_EXIT;
  if (options.json) return printJson(terminal, result);
  for (const { message } of result?.faults ?? []) print(terminal, message);
  for (const { fired, refusals } of result?.steps ?? []) {
    for (const { tick, instance, from, to, transition, cause, emitted, sends = [], calls = [], logs } of fired) {
      const sent = sends.map(({ event, to: machine }) => ` → ${event} to ${machine}`);
      const started = calls.map((call) => ` → ${nameOfCall(call)}`);
      const events = [...emitted.map(({ event }) => ` → ${event}`), ...sent, ...started].join('');
      print(
        terminal,
        `${isoFromNs(startOfTick(tick))}  ${named(instance)}${from} → ${paint(terminal, 'bold', to)}  ${transition} (${cause})${events}`,
      );
      for (const line of logs) print(terminal, `    ${line}`);
    }
    for (const { instance, transition, code, reason } of refusals)
      print(terminal, `  refused ${named(instance)}${transition ?? code}: ${reason}`);
  }
  const last = result?.steps.at(-1);
  for (const { call, instance } of last?.waiting ?? [])
    print(
      terminal,
      `  waits for an answer: ${named(instance)}${nameOfCall(call)} (--send ${call.into}@seconds:engine)`,
    );
  if (contract.definition.key !== undefined) printInstances(terminal, result?.steps ?? []);
  else if (last !== undefined) print(terminal, `at the end: ${paint(terminal, 'bold', last.state)}, ${last.lifecycle}`);
}

const named = (instance: string | undefined) => (instance === undefined ? '' : `[${instance}] `);

function printInstances(terminal: Terminal, steps: readonly StepReport[]): void {
  const instances = lastOfInstances(steps);
  print(terminal, `at the end: ${instances.length} ${instances.length === 1 ? 'instance' : 'instances'}`);
  for (const { instance, state, lifecycle } of instances)
    print(terminal, `  ${named(instance)}${paint(terminal, 'bold', state)}, ${lifecycle}`);
}

interface SentEvent {
  readonly event: string;
  readonly seconds: number;
  readonly by: string | undefined;
  readonly payload: unknown;
}

/** `event@seconds[:party][=payload]` @throws DomainError VALIDATION_FAILED */
function parseSend(text: string): SentEvent {
  const [, event, seconds, by, payload] = /^([a-z][a-z0-9_]*)@(\d{1,9})(?::([^=]+))?(?:=(.*))?$/s.exec(text) ?? [];
  if (event !== undefined)
    return {
      event,
      seconds: Number(seconds),
      by,
      payload: payload === undefined ? undefined : parseStrictJson(payload),
    };
  const example = 'event@seconds, such as pay@60 or pay@60:buyer={"amount":5}';
  throw new DomainError('VALIDATION_FAILED', `--send is ${text}; ${example}, is expected.`);
}

async function runDiff(
  terminal: Terminal,
  before: string,
  after: string,
  options: DraftOptions & { readonly exitCode?: boolean },
): Promise<void> {
  const environment = await loadEnvironment();
  const [old, now] = [before, after].map((path) => soundContract(readDraft(path), options, environment));
  if (old === undefined || now === undefined) return;
  const comparison = compareDefinitions(old, now);
  const { changes, consequences, needs } = comparison;
  if (options.exitCode === true && changes.length > 0) process.exitCode = REJECTED_EXIT;
  if (options.json) return printJson(terminal, comparison);
  const signs = {
    added: paint(terminal, 'green', '+'),
    removed: paint(terminal, 'red', '-'),
    changed: paint(terminal, 'yellow', '~'),
  };
  for (const { kind, pointer, before: was, after: is } of changes) {
    const values = [was, is].filter((value) => value !== undefined).map((value) => JSON.stringify(value));
    print(terminal, `${signs[kind]} ${pointer}  ${values.join(' → ')}`);
  }
  if (changes.length === 0) print(terminal, 'no difference');
  for (const { message } of consequences) print(terminal, `  ${message}`);
  if (needs.states.length > 0) print(terminal, `needs a map: ${needs.states.join(', ')}`);
  if (needs.values.length > 0) print(terminal, `to move or to drop: ${needs.values.join(', ')}`);
}

async function runExplain(
  terminal: Terminal,
  path: string,
  options: DraftOptions & { readonly name?: readonly string[] },
): Promise<void> {
  const contract = soundContract(readDraft(path), options, await loadEnvironment());
  const given = (options.name ?? []).map(
    (text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)] as const,
  );
  const parties = Object.keys(contract.definition.parties ?? {});
  for (const [party] of given) {
    if (parties.includes(party)) continue;
    const known = parties.length === 0 ? 'the definition has no parties' : `one of ${parties.join(', ')} is expected`;
    throw new DomainError('VALIDATION_FAILED', `--name is for ${JSON.stringify(party)}; ${known}, as in party=name.`);
  }
  const explanation = explain(contract, Object.fromEntries(given));
  if (options.json) return printJson(terminal, explanation);
  for (const line of explanationText(explanation).trimEnd().split('\n')) print(terminal, line);
}
