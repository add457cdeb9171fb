// The package's entry `svc/contracts`, for Node and browsers: contracts are defined, checked, explained, simulated and
// compared here, without a service.

import { loadKernel } from '#load-kernel';
import type { Contract } from './contracts/authoring/define.ts';
import { type CheckedDraft, checkDraft } from './contracts/authoring/draft.ts';
import { type Explanation, explain as explainContract, type PartyTitles } from './contracts/authoring/explain.ts';
import { readScenarios, runScenarios, type Trial, type TrialEnvironment } from './contracts/authoring/trial.ts';
import type { CompiledContract } from './contracts/compiled.ts';
import type { Definition, Scalars } from './contracts/definition.ts';
import type { Scenario } from './contracts/simulate.ts';
import { DomainError } from './core/errors.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from './expressions/evaluate.ts';
import type { KernelImage } from './kernels/abi.ts';
import { compileKernel, instantiate, type KernelInstance } from './kernels/instance.ts';
import { evaluateOperator } from './operators/evaluate.ts';
import type { Operator } from './operators/operator.ts';
import { lawCallFaults } from './protocol/law-calls.ts';

export type { Coverage, TransitionCoverage } from './contracts/authoring/coverage.ts';
export { type Contract, define, type Names, type ScenarioDraft, scenario } from './contracts/authoring/define.ts';
export type { CheckedDraft, Finding } from './contracts/authoring/draft.ts';
export { type Explanation, explanationText, type PartyTitles } from './contracts/authoring/explain.ts';
export type { ScenarioResult, Trial } from './contracts/authoring/trial.ts';
export type { Definition, Scalars } from './contracts/definition.ts';
export type {
  InstanceReport,
  Scenario,
  ScenarioStep,
  SimulatedFire,
  SimulatedRefusal,
  StepReport,
} from './contracts/simulate.ts';
export { DomainError } from './core/errors.ts';

/** A contract of `define`, or a definition as JSON, such as a file has it. */
export type Defined = Contract | Definition | Readonly<Record<string, unknown>>;

export interface AuthoringOptions {
  /** Values that replace the defaults of parameters. */
  readonly parameters?: Scalars;
  /** Operators that the definition computes, from `findOperator` of `svc`; KO42 needs none. */
  readonly operators?: readonly Operator[];
  /** The expression kernel; by default loaded from the package. */
  readonly kernel?: KernelImage;
}

const isContract = (defined: Defined): defined is Contract => 'definition' in defined && 'definition_hash' in defined;

/** Every fault of a definition in order of cause, and its warnings. It throws for no document. */
export function check(defined: Defined, { parameters, operators = [] }: AuthoringOptions = {}): CheckedDraft {
  const known = new Set(['KO42', ...operators.map(({ id }) => id)]);
  return checkDraft(isContract(defined) ? defined.definition : defined, {
    parameters,
    callFaults: (definition) => [
      ...definition.operators
        .filter((id) => !known.has(id))
        .map((id) => ({
          path: 'operators',
          code: 'OPERATOR_UNKNOWN',
          message: `operators names ${id}, which is not among the given operators; one of ${[...known].join(', ')} is expected.`,
        })),
      ...lawCallFaults(definition, (id) => operators.find((one) => one.id === id)),
    ],
  });
}

/**
 * Runs scenarios on a simulated clock: what each step did, which expectations were not met, and what was never tried.
 *
 * @throws DomainError VALIDATION_FAILED with the faults of the definition, or of the form of a scenario; BUDGET_EXCEEDED
 */
export async function simulate(
  defined: Defined,
  scenarios: Scenario | readonly Scenario[],
  options: AuthoringOptions = {},
): Promise<Trial> {
  const contract = soundContract(defined, options);
  const environment = environmentOf(await expressions(options.kernel), options.operators ?? []);
  return runScenarios(contract, readScenarios([scenarios].flat()), environment);
}

/** The agreement in sentences, bound to its hash. @throws DomainError VALIDATION_FAILED with the faults */
export function explain(
  defined: Defined,
  { names, ...options }: AuthoringOptions & { readonly names?: PartyTitles } = {},
): Explanation {
  return explainContract(soundContract(defined, options), names);
}

function soundContract(defined: Defined, options: AuthoringOptions): CompiledContract {
  const { contract, faults } = check(defined, options);
  if (contract !== undefined) return contract;
  const details = faults.map(({ pointer: path, code, message }) => ({ path, code, message }));
  throw new DomainError('VALIDATION_FAILED', faults[0]?.message ?? 'The definition has faults.', { details });
}

let loaded: Promise<KernelInstance> | undefined;

function expressions(given: KernelImage | undefined): Promise<KernelInstance> {
  if (given !== undefined) return compileKernel(given).then(instantiate);
  loaded ??= loadKernel(EXPRESSION_KERNEL)
    .then(compileKernel)
    .then(instantiate)
    .catch((error: unknown) => {
      // A later call may find it.
      loaded = undefined;
      throw error;
    });
  return loaded;
}

function environmentOf(instance: KernelInstance, operators: readonly Operator[]): TrialEnvironment {
  const byId = new Map(operators.map((operator) => [operator.id, operator]));
  return {
    evaluate: (program, values) => evaluateProgram(instance, program, values),
    compute: ({ operator: id = '', inputs }) => {
      const operator = byId.get(id);
      if (operator !== undefined) return evaluateOperator(instance, operator, inputs);
      throw new DomainError('OPERATOR_UNKNOWN', `${id || 'A solver'} is not available in simulations.`);
    },
  };
}
