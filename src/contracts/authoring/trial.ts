// Runs scenarios of a definition that is not deployed: on a simulated clock, without storage, network or solvers.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { parseOrThrow } from '../../core/validation.ts';
import { type CompiledContract, compileContract } from '../compiled.ts';
import type { Environment } from '../contract-state.ts';
import { type Scenario, type StepReport, simulate } from '../simulate.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { type CheckOptions, checkDraft, type Finding } from './draft.ts';
import { Scenarios, scenarioFaults } from './scenarios.ts';

export interface ScenarioResult {
  readonly name: string;
  /** Whether it ran, and every expectation was met. */
  readonly isMet: boolean;
  /** Why it did not run; pointers are into the scenario. */
  readonly faults: readonly Finding[];
  /** One for each step; fewer if the run ended early. */
  readonly steps: readonly StepReport[];
}

export interface Trial {
  readonly results: readonly ScenarioResult[];
  readonly coverage: Coverage;
}

/** What the trial evaluates with. */
export type TrialEnvironment = Omit<Environment, 'balance'>;

/** Counts the stimuli of a trial. @throws DomainError BUDGET_EXCEEDED, from the function that it returns */
export function stimulusBudget(max: number = LIMITS.contracts.draft.stimuli): () => void {
  let left = max;
  return () => {
    if (left-- > 0) return;
    const message = `The scenarios have more than ${max} events and timers; let them send less, or end earlier.`;
    throw new DomainError('BUDGET_EXCEEDED', message, { facts: { stimuli_max: max } });
  };
}

/** Scenarios as a file or request holds them: a list, or an object with one. @throws DomainError VALIDATION_FAILED */
export function readScenarios(document: unknown): readonly Scenario[] {
  const isObject = typeof document === 'object' && document !== null && 'scenarios' in document;
  return parseOrThrow(Scenarios, isObject ? document.scenarios : document);
}

/**
 * Runs scenarios of one definition.
 *
 * @param contract  with its default parameters; each scenario may replace them
 * @throws DomainError BUDGET_EXCEEDED
 */
export function runScenarios(
  contract: CompiledContract,
  scenarios: readonly Scenario[],
  environment: TrialEnvironment,
  countStimulus: () => void = stimulusBudget(),
): Trial {
  const results = scenarios.map((scenario) => runScenario(contract, scenario, environment, countStimulus));
  const reports = results.flatMap(({ steps }) => steps);
  return { results, coverage: coverageOf(contract, reports) };
}

function runScenario(
  contract: CompiledContract,
  scenario: Scenario,
  environment: TrialEnvironment,
  countStimulus: () => void,
): ScenarioResult {
  const { name, parameters } = scenario;
  const notRun = (faults: readonly Finding[]): ScenarioResult => ({ name, isMet: false, faults, steps: [] });
  const own =
    parameters === undefined
      ? contract
      : parametrized(contract, { parameters: { ...contract.parameters, ...parameters } });
  if ('faults' in own) return notRun(own.faults);
  const faults = scenarioFaults(own, scenario);
  if (faults.length > 0) return notRun(faults);
  try {
    const steps = simulate(own, scenario, environment, countStimulus);
    return { name, isMet: steps.every(({ mismatches }) => mismatches.length === 0), faults, steps };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'BUDGET_EXCEEDED') throw error;
    // A deadline of the initial state has no value, or has passed.
    const [detail] = error.details;
    return notRun([{ pointer: '/start', code: detail?.code ?? error.code, message: error.message }]);
  }
}

/** The contract with other parameters, or what is wrong with them. */
function parametrized(
  { definition }: CompiledContract,
  options: CheckOptions,
): CompiledContract | { readonly faults: readonly Finding[] } {
  const checked = checkDraft(definition, options);
  if (checked.isSound) return compileContract(definition, options.parameters);
  return { faults: checked.faults.map((fault) => ({ ...fault, pointer: pointerInScenario(fault.pointer) })) };
}

/** A fault of a definition that is sound with other parameters is one of a parameter. */
const pointerInScenario = (pointer: string) => (pointer.startsWith('/parameters/') ? pointer : '/parameters');
