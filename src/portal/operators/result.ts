// Result of an operator: value, uncertainty, reference value and the equations with numbers inserted.

import type { Signal } from '@preact/signals';
import { h } from 'preact';
import { conversion, parseUnit } from '../../core/units.ts';
import type { Quantities } from '../../protocol/chain-request.ts';
import { fact } from '../kit/fact.ts';
import { formatExact, formatMilliseconds, formatRounded, withUnit } from '../kit/format.ts';
import { Budget, measuredText, uncertaintyText } from '../kit/measured-value.ts';
import { ReadoutValue } from '../kit/readout-value.ts';
import { UnitChoice } from '../kit/unit-choice.ts';
import { unitChoices } from '../kit/unit-choices.ts';
import { type Refusals, Refused } from '../kit/use-refusals.ts';
import { currentResult, type LocalRun } from '../solve/experiment.ts';
import { StaleNote } from '../solve/stale-note.ts';
import type { RunResult } from '../worker/messages.ts';
import { useInputShares } from './input-shares.ts';
import type { FullOperator } from './registry.ts';

interface ResultProps {
  readonly operator: FullOperator;
  readonly quantities: Quantities;
  readonly localRun: Signal<LocalRun>;
  /** Whether what is shown is of earlier inputs. */
  readonly isStale: boolean;
  /** What is said at the fields of the form. */
  readonly refused: Refusals;
  /** To show the result in; undefined for the sealed one. */
  readonly shownUnit: string | undefined;
  readonly onUnitChange: (unit: string | undefined) => void;
}

export function OperatorResult({ localRun, isStale, refused, ...more }: ResultProps) {
  const run = localRun.value;
  const result = currentResult(run);
  return h(
    'section',
    { class: `stage stage-${run.state} value-stage`, 'aria-label': 'Result', 'aria-busy': run.state === 'running' },
    run.state === 'failed' && !isStale ? h(Refused, { error: run.error, refused }) : null,
    run.state === 'idle' ? h('div', { class: 'stage-idle' }, h('p', null, run.reason ?? 'No result yet.')) : null,
    result !== undefined && isStale ? h(StaleNote, null) : null,
    result === undefined
      ? null
      : h('div', { class: 'stage-content', inert: isStale }, h(ResultDetails, { ...more, result })),
  );
}

interface ResultDetailsProps extends Omit<ResultProps, 'localRun' | 'isStale' | 'refused'> {
  readonly result: RunResult;
}

function ResultDetails({ operator, quantities, result, shownUnit, onUnitChange }: ResultDetailsProps) {
  const { pure, elapsedMs } = result;
  const { unit, verification, equations, precisionBound } = pure;
  const measured = measuredOf(pure);
  const shown = (shownUnit === undefined ? undefined : inUnit(measured, shownUnit)) ?? measured;
  const inputShares = useInputShares(operator, quantities, result.sha256);
  const example = operator.examples.find(({ inputs }) => isEqual(inputs, quantities));
  return [
    h(
      'div',
      { class: 'readout' },
      h(
        'div',
        { class: 'readout-row' },
        h(ReadoutValue, shown),
        unitChoices(unit).length < 2
          ? null
          : h(UnitChoice, {
              label: 'Unit of the result',
              declared: unit,
              unit: shown.unit,
              onChange: (next: string) => onUnitChange(next === unit ? undefined : next),
            }),
      ),
      h(
        'p',
        { class: 'readout-more' },
        h('span', null, uncertaintyText(shown, shown.budget)),
        shown.unit === unit ? null : h('span', null, `sealed as ${measuredText(measured)}`),
        h('span', null, `computed in this browser in ${formatMilliseconds(elapsedMs)}`),
      ),
    ),
    h(Budget, { ...shown, inputShares }),
    h(
      'dl',
      { class: 'facts' },
      ...rootFacts(pure),
      fact('reference method', verification.method),
      fact('reference value', `${withUnit(formatExact(verification.reference), unit)}, ${ulpText(verification.ulp)}`),
      fact('computed by', `revision ${pure.revision}, kernel ${pure.kernel_sha256.slice(0, 12)}`),
      fact('error bound', `${formatRounded(precisionBound, 2)} of the value`),
      example === undefined
        ? null
        : fact('example', `${withUnit(formatExact(example.expected), unit)} (${example.source})`),
    ),
    h('h3', { class: 'equations-title' }, 'Equations with values'),
    h(
      'ol',
      { class: 'equations' },
      equations.map((text) => h('li', { key: text }, h('code', null, text))),
    ),
  ];
}

interface Measured {
  readonly value: number;
  readonly uncertainty: number;
  readonly unit: string;
  readonly budget: RunResult['pure']['uncertainty_budget'];
}

const measuredOf = ({ value, uncertainty, unit, uncertainty_budget: budget }: RunResult['pure']): Measured => ({
  ...{ value, uncertainty, unit, budget },
});

/** The number in another unit; undefined if that measures something else, as after a change of the law's unknown. */
function inUnit({ value, uncertainty, unit, budget }: Measured, to: string): Measured | undefined {
  try {
    const factor = conversion(parseUnit(unit), parseUnit(to));
    const scaled = (width: number) => Math.abs(factor(width) - factor(0));
    return {
      value: factor(value),
      uncertainty: scaled(uncertainty),
      unit: to,
      budget: budget.map((part) => ({ ...part, value: scaled(part.value), unit: to })),
    };
  } catch {
    return undefined;
  }
}

/** All roots of the unknown, and whether that is proved. */
function rootFacts({ solve_for: symbol, quantities, complete }: RunResult['pure']) {
  if (symbol === undefined) return [];
  const proof = complete === true ? 'all in its range, as proved' : 'found in its range; there may be others';
  const roots = quantities.map(({ value, unit, uncertainty = 0 }) => measuredText({ value, unit, uncertainty }));
  return [fact(`${symbol}, ${proof}`, roots.join(', '))];
}

const ulpText = (ulp: number) => (ulp === 0 ? 'identical bits' : `${ulp} ulp apart`);

function isEqual(inputs: Quantities['inputs'], { inputs: given, units, uncertainties }: Quantities): boolean {
  if (units !== undefined || uncertainties !== undefined) return false;
  const names = new Set([...Object.keys(inputs), ...Object.keys(given)]);
  return [...names].every((name) => inputs[name] === given[name]);
}
