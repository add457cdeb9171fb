// Worker thread of the verdict pool: verifies or replays one receipt whole, from the seal to the comparison, or finds the
// answer of a computation with its second witness.

import { DomainError } from '../../core/errors.ts';
import type { KernelImage, KernelRunner } from '../../kernels/abi.ts';
import { runToEnd } from '../../kernels/chunked-run.ts';
import { errorOf, type Failure } from '../../kernels/failure.ts';
import { compileKernel, type KernelModule } from '../../kernels/instance.ts';
import { InstanceCache } from '../../kernels/instance-cache.ts';
import { serveTasks, type TaskControls } from '../../kernels/task-worker.ts';
import { registration } from '../../operators/registered.ts';
import { type Answer, answerOf, type ComputationRequest, computationOf, computeWhole } from '../../protocol/answer.ts';
import type { Executed } from '../../protocol/pure-fields.ts';
import { lawsClaim, type ReplayReport, replayEnvelope, verifyEnvelope } from '../../protocol/replay.ts';
import type { Claim } from '../../protocol/seal.ts';
import type { PublicJwk } from '../../protocol/signing.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { StagedPlan } from '../../solvers/definition.ts';
import { findSolver } from '../../solvers/index.ts';
import { assertBudget } from '../../solvers/run.ts';

/** Pool → worker. Everything but the receipt comes from the node. */
export type VerdictTask = { readonly id: number } & VerdictFields;

export type VerdictFields =
  | { readonly kind: 'verify'; readonly receipt: Untrusted; readonly trusted: readonly PublicJwk[] }
  | {
      readonly kind: 'replay';
      readonly receipt: Untrusted;
      readonly trusted: readonly PublicJwk[];
      /** The kernel that the receipt names, from the archive of the node, or why there is none. */
      readonly kernel: { readonly image: KernelImage } | { readonly failure: Failure };
      /** Those of the receipts that it holds. */
      readonly inner: readonly KernelImage[];
    }
  | {
      readonly kind: 'answer';
      readonly request: ComputationRequest;
      readonly executed: Executed;
      readonly isComplete: boolean;
    }
  | {
      readonly kind: 'compute';
      readonly request: ComputationRequest;
      readonly image: KernelImage;
      readonly isComplete: boolean;
    }
  | { readonly kind: 'plan'; readonly request: ComputationRequest };

/** Maximum number of compiled kernels of this thread. */
const MAX_MODULES = 16;

const instances = new InstanceCache();
const modules = new Map<string, Promise<KernelModule>>();

function compiled(image: KernelImage): Promise<KernelModule> {
  const cached = modules.get(image.sha256);
  if (cached) return cached;
  const module = compileKernel(image);
  module.catch(() => modules.delete(image.sha256));
  if (modules.size >= MAX_MODULES) modules.clear();
  modules.set(image.sha256, module);
  return module;
}

const runnerOf = ({ isCancelled }: TaskControls): KernelRunner => ({
  run: async (image, run, { accelerate } = {}) =>
    runToEnd(instances, await compiled(image), run, {
      isCancelled,
      onProgress: undefined,
      compiled: accelerate?.(image, run),
    }),
});

type Verdict = ReplayReport | readonly Claim[] | Answer | StagedPlan;

/** The plan as plain data. @throws DomainError BUDGET_EXCEEDED before its arrays are copied */
function plainPlan(plan: StagedPlan): StagedPlan {
  assertBudget(plan);
  const { runs, estimateNs, estimateBytes, collectNs, firstNs, isParallel } = plan;
  return {
    ...{ runs, estimateNs, estimateBytes },
    ...(collectNs === undefined ? {} : { collectNs }),
    ...(firstNs === undefined ? {} : { firstNs }),
    ...(isParallel === undefined ? {} : { isParallel }),
  };
}

async function decide(task: VerdictTask, controls: TaskControls): Promise<Verdict> {
  if (task.kind === 'verify')
    return [...verifyEnvelope(task.receipt, task.trusted), lawsClaim(task.receipt, { registration })];
  if (task.kind === 'plan') return plainPlan(computationOf(task.request, findSolver).plan());
  if (task.kind === 'answer') return answerOf(computationOf(task.request, findSolver), task.executed, task.isComplete);
  if (task.kind === 'compute')
    return computeWhole(computationOf(task.request, findSolver), task.image, runnerOf(controls), task.isComplete);
  const { receipt, trusted, kernel, inner } = task;
  return replayEnvelope(receipt, {
    kernel: async (sha256) => {
      const held = sha256 === receipt.kernel_sha256 ? undefined : inner.find((one) => one.sha256 === sha256);
      if (held !== undefined) return held;
      if ('failure' in kernel) throw errorOf(kernel.failure);
      return kernel.image;
    },
    solver: findSolver,
    runner: runnerOf(controls),
    registration,
    trusted,
  });
}

serveTasks(async (task: VerdictTask, controls) => {
  try {
    return await decide(task, controls);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('INTERNAL', 'A receipt or an answer could not be found.', { cause });
  }
});
