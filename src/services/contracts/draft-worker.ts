// Worker thread of the draft pool: checks, explains and simulates definitions that are not deployed. They come from anybody,
// so that a long one keeps a worker busy, and no request of others.

import { checkDraft, type Finding } from '../../contracts/authoring/draft.ts';
import { type Explanation, explain } from '../../contracts/authoring/explain.ts';
import { readScenarios, runScenarios, type Trial, type TrialEnvironment } from '../../contracts/authoring/trial.ts';
import type { Scalars } from '../../contracts/definition.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../expressions/evaluate.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../kernels/instance.ts';
import { loadKernel } from '../../kernels/load-node.ts';
import { serveTasks } from '../../kernels/task-worker.ts';
import { evaluateOperator } from '../../operators/evaluate.ts';
import { findOperator, OPERATORS } from '../../operators/load.ts';
import { callFaults } from '../../protocol/contract-calls.ts';

export interface DraftRequest {
  readonly definition: unknown;
  readonly parameters?: Scalars | undefined;
  /** Names of the parties, for the explanation. */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** Tick of a deployment now. */
  readonly tick: number;
  /** Scenarios to run; without them the definition is checked. */
  readonly scenarios?: unknown;
}

export interface DraftAnswer {
  readonly isSound: boolean;
  readonly definitionHash: string | undefined;
  readonly faults: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly explanation: Explanation | undefined;
  readonly trial: Trial | undefined;
}

let ready: Promise<KernelInstance> | undefined;

async function expressions(): Promise<KernelInstance> {
  ready ??= loadKernel(EXPRESSION_KERNEL).then((image: KernelImage) => compileKernel(image).then(instantiate));
  return ready;
}

function environmentOf(instance: KernelInstance): TrialEnvironment {
  return {
    evaluate: (program, values) => evaluateProgram(instance, program, values),
    compute: ({ operator, inputs }) => {
      if (operator === undefined)
        throw new DomainError('OPERATOR_UNKNOWN', 'Solvers run in live contracts only, not in simulations.');
      return evaluateOperator(instance, findOperator(operator), inputs);
    },
  };
}

async function answer({ definition, parameters, names, tick, scenarios }: DraftRequest): Promise<DraftAnswer> {
  const environment = environmentOf(await expressions());
  const checked = checkDraft(definition, {
    parameters,
    callFaults: (one) => callFaults(one, OPERATORS),
    ...(scenarios === undefined ? { deployment: { tick, source: environment } } : {}),
  });
  const { isSound, definitionHash, faults, warnings, contract } = checked;
  const found = { isSound, definitionHash, faults, warnings, explanation: undefined, trial: undefined };
  if (contract === undefined) return found;
  if (scenarios === undefined) return { ...found, explanation: explain(contract, names) };
  const trial = runScenarios(contract, readScenarios(scenarios), environment);
  return { ...found, trial: shortened(trial) };
}

/** What an answer lists of a step is bounded: a step may have fired a hundred thousand times. */
function shortened({ results, coverage }: Trial): Trial {
  const { listed } = LIMITS.contracts.draft;
  return {
    coverage,
    results: results.map((result) => ({
      ...result,
      steps: result.steps.map((step) => ({
        ...step,
        fired: step.fired.slice(0, listed),
        refused: [],
        refusals: step.refusals.slice(0, listed),
        ...(step.instances === undefined ? {} : { instances: step.instances.slice(0, listed) }),
        emitted: step.emitted.slice(0, listed),
        waiting: step.waiting.slice(0, listed),
      })),
    })),
  };
}

serveTasks(({ request }: { readonly id: number; readonly request: DraftRequest }) => answer(request));
