// Results that the visitor keeps beside the current one, to see what a changed input does.

import { signal } from '@preact/signals';
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ComparedRun } from '../runs/compared-run.ts';
import type { RunResult } from '../worker/messages.ts';
import type { Experiment, Input } from './experiment.ts';
import type { SolverDescription } from './solver-description.ts';
import { answerOf } from './unit-words.ts';
import { draftOf, urlOf } from './url.ts';

interface KeptRun extends ComparedRun {
  readonly solver: string;
}

/** Of one solver; a chart with more curves cannot be read. */
const MAX_KEPT = 5;

/** Kept until the page is loaded again: the arrays of a run can be large. */
const keptRuns = signal<readonly KeptRun[]>([]);

type Comparison = typeof import('../runs/comparison.ts');

interface Props {
  readonly solver: SolverDescription;
  readonly experiment: Experiment;
  /** Whether the result is of earlier inputs. */
  readonly isStale: boolean;
}

export function KeptRuns({ solver, experiment, isStale }: Props) {
  const run = experiment.localRun.value;
  const kept = keptRuns.value.filter((one) => one.solver === solver.id);
  const current = run.state === 'done' && !isStale ? keptRun(solver, run.input, run.result) : undefined;
  const isKept = kept.some(({ id }) => id === current?.id);
  const shown = current === undefined || isKept ? kept : [...kept, current];
  const isFull = kept.length >= MAX_KEPT;
  const [comparison, setComparison] = useState<Comparison | undefined>(undefined);
  const isLoaded = comparison !== undefined || kept.length === 0;
  useEffect(() => {
    if (!isLoaded) void import('../runs/comparison.ts').then(setComparison, () => undefined);
  }, [isLoaded]);
  return h(
    'section',
    { class: 'kept-runs', 'aria-labelledby': 'kept-title' },
    h('h2', { id: 'kept-title' }, 'Compare'),
    h(
      'div',
      { class: 'button-row' },
      h(
        'button',
        {
          type: 'button',
          disabled: current === undefined || isKept || isFull,
          onClick: () => {
            if (current !== undefined) keptRuns.value = [...keptRuns.value, current];
          },
        },
        isKept ? 'Kept' : 'Keep this result',
      ),
      h('span', { class: 'button-row-empty', role: 'status' }, hintOf(kept.length, isKept, isFull)),
    ),
    shown.length > 1 && comparison !== undefined
      ? h(comparison.RunComparison, {
          runs: shown,
          current: isKept ? undefined : current?.id,
          onRemove: (id) => {
            keptRuns.value = keptRuns.value.filter((one) => one.id !== id);
          },
        })
      : null,
  );
}

function hintOf(count: number, isKept: boolean, isFull: boolean): string {
  if (isFull) return `${MAX_KEPT} results are kept; remove one to keep another.`;
  if (isKept) return count === 1 ? 'Now change an input to see both.' : 'Change an input to see it beside these.';
  return count === 0 ? 'Then change an input: both are shown side by side.' : '';
}

function keptRun(solver: SolverDescription, input: Input, { pure, solution, sha256 }: RunResult): KeptRun {
  const { value, uncertainty } = solution;
  const draft = draftOf(solver, input);
  const href = urlOf(solver, draft);
  const unit = answerOf(solver, draft)?.unit ?? pure.unit;
  return { id: sha256, solver: solver.id, href, inputs: inputsOf(pure), value, uncertainty, unit, solution, sha256 };
}

/** The inputs that the run used, with those that it chose. */
const inputsOf = ({ inputs }: RunResult['pure']): Input => inputs as Input;
