// One problem solved in the browser, its value beside that of the witness.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { capitalise, formatExact, formatUnit } from '../../kit/format.ts';
import { loadDescription, type SolverDescription, START_SOLVER } from '../../solve/solver-description.ts';
import type { RunResult } from '../../worker/messages.ts';
import { workerClient } from '../../worker/worker-client.ts';

interface Run {
  readonly result: RunResult;
  readonly solver: SolverDescription;
}

export function WitnessFigure() {
  const [run, setRun] = useState<Run | undefined>(undefined);
  useEffect(() => {
    void Promise.all([
      workerClient.request('solve', { solver: START_SOLVER, input: {} }),
      loadDescription(START_SOLVER),
    ]).then(
      ([result, solver]) => setRun({ result, solver }),
      () => undefined,
    );
  }, []);
  if (run === undefined) return h('p', { class: 'docs-figure-title' }, 'Solving in your browser …');
  const { result, solver } = run;
  const { value, witness } = result.solution;
  const { length } = commonStart(formatExact(value), formatExact(witness.reference));
  const number = (digits: string) =>
    h('span', { class: 'docs-digits' }, digits.slice(0, length), h('em', null, digits.slice(length)));
  const unit = formatUnit(solver.answer?.unit ?? solver.unit);
  return [
    h('p', { class: 'docs-figure-title' }, `${solver.title}, solved in your browser`),
    h(
      'dl',
      { class: 'docs-twin' },
      h('dt', null, `By the kernel: ${solver.method}`),
      h('dd', null, number(formatExact(value)), ` ${unit}`),
      h('dt', null, `By the witness: ${witness.method}`),
      h('dd', null, number(formatExact(witness.reference)), ` ${unit}`),
    ),
    h(
      'figcaption',
      null,
      `${capitalise(`${length > 2 ? 'the digits in colour differ' : 'they differ'}`)}. The distance is ${distanceText(value, witness.reference)} of the number.`,
    ),
  ];
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

const distanceText = (value: number, reference: number) =>
  `${(Math.abs((value - reference) / reference) * 100).toPrecision(2).replace(/e(.*)$/, ' · 10^$1')} %`;
