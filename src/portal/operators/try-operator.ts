// Form and result of an operator: computed in the browser while typing, and also on the server by Run.

import { h } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { convert, parseUnit } from '../../core/units.ts';
import type { Quantities } from '../../protocol/chain-request.ts';
import type { SweepSpec } from '../../protocol/sweep/axes.ts';
import type { PointsRequest } from '../../protocol/sweep/law-request.ts';
import { focusInvalidField } from '../kit/focus-invalid-field.ts';
import { formatRounded, formatUnit } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { useDebounce } from '../kit/use-debounce.ts';
import { useRefusals } from '../kit/use-refusals.ts';
import { currentRoute, replaceUrl } from '../router.ts';
import {
  currentResult,
  Experiment,
  type ExperimentSpec,
  type Input,
  isOfInput,
  refusalOf,
} from '../solve/experiment.ts';
import { ExportPanel } from '../solve/export-panel.ts';
import { ResultComparison } from '../solve/result-comparison.ts';
import { SamplesPanel } from '../solve/samples-panel.ts';
import { toCurl, toMcpCall } from '../solve/snippets.ts';
import type { SweepInput } from '../solve/sweep-draft.ts';
import { SweepPanel } from '../solve/sweep-panel.ts';
import { workerClient } from '../worker/worker-client.ts';
import {
  type Draft,
  draftFromSearch,
  draftOf,
  fieldsOf,
  parseDraft,
  resultUnitOf,
  urlOf,
  withResultUnit,
  withUnknown,
} from './draft.ts';
import { QuantityList, UnknownChoice } from './form.ts';
import { type Pin, pinFaults, pinIn, pinOf, withPin } from './pin.ts';
import { Receipt } from './receipt.ts';
import type { FullOperator } from './registry.ts';
import { OperatorResult } from './result.ts';
import { computeRequest, toCommand, toTypeScript } from './snippets.ts';

/** Debounce time before changed inputs are computed. */
const DEBOUNCE_MS = 250;

/** Parts of the request that hold values by symbol. */
const REQUEST_PARTS = ['inputs', 'units', 'uncertainties'];

/** The experiment's input is the request body. */
const operatorSpec = (operator: FullOperator): ExperimentSpec => ({
  operation: 'compute.run',
  solve: (input, _, options) =>
    workerClient.request(
      'compute',
      {
        operator,
        domain: operator.domain,
        quantities: input as unknown as Quantities,
        points: pointsIn(input as PointsRequest),
      },
      options,
    ),
});

const pointsIn = ({ sweep, samples }: PointsRequest): PointsRequest => ({ sweep, samples });

export function TryOperator({ operator }: { readonly operator: FullOperator }) {
  const { search } = currentRoute.value;
  const [draft, setDraft] = useState<Draft>(() => draftFromSearch(operator, search));
  const [hasSigmas, setSigmas] = useState(() => Object.values(draft).some(({ sigma }) => sigma !== ''));
  const [pin, setPin] = useState<Pin | undefined>(undefined);
  /** An unknown that was chosen before the value of the law was computed, which takes its place among the inputs. */
  const [awaited, setAwaited] = useState<string | undefined>(undefined);
  const spec = useMemo(() => operatorSpec(operator), [operator]);
  const experiment = useMemo(() => new Experiment(spec), [spec]);
  const { quantities, faults } = parseDraft(operator, draft);
  const isValid = Object.keys(faults).length === 0;
  const request = computeRequest(operator, quantities);

  const preview = (next: Draft) => {
    const parsed = parseDraft(operator, next);
    if (Object.keys(parsed.faults).length > 0) experiment.setIdle('Some inputs are invalid; see the marked fields.');
    else void experiment.preview(computeRequest(operator, parsed.quantities));
  };
  // History navigation opens another computation. A layout effect, so that no key press comes in between.
  useLayoutEffect(() => {
    const next = draftFromSearch(operator, search);
    setDraft(next);
    setAwaited(undefined);
    setPin(pinIn(search));
    preview(next);
    return () => experiment.cancel();
  }, [operator, experiment, search]);

  const debounce = useDebounce(DEBOUNCE_MS);
  const change = (next: Draft) => {
    setDraft(next);
    setPin(undefined);
    replaceUrl(urlOf(operator, next));
    debounce.schedule(() => preview(next));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    debounce.cancel();
    if (isValid) void experiment.run(request);
    else focusInvalidField(event.target as HTMLFormElement);
  };
  const isStale = !isOfInput(experiment.localRun.value, isValid ? request : undefined);
  const refusal = isStale ? undefined : refusalOf(experiment);
  const refused = useRefusals(refusal?.error, {
    names: Object.keys(fieldsOf(operator, draft)),
    parts: REQUEST_PARTS,
    isSubmitted: refusal?.isSubmitted ?? false,
  });
  const serverRun = experiment.serverRun.value;
  const result = currentResult(experiment.localRun.value);
  const current = result === undefined ? undefined : pinOf(operator, result.pure);
  const isComputing = isValid && isStale && experiment.localRun.value.state !== 'idle';
  useLayoutEffect(() => {
    if (awaited === undefined || isComputing) return;
    setAwaited(undefined);
    change(withUnknown(operator, draft, awaited, isStale ? undefined : result?.pure.value));
  }, [awaited, isComputing]);

  return h(
    'div',
    { class: 'try-operator' },
    h(
      'form',
      { ref: refused.form, class: 'try-form', onSubmit: submit, noValidate: true, 'aria-label': 'Quantities' },
      h(Examples, { operator, draft, onPick: change }),
      h(UnknownChoice, {
        operator,
        draft: awaited === undefined ? draft : withUnknown(operator, draft, awaited, undefined),
        onChange: setAwaited,
      }),
      h(QuantityList, {
        operator,
        draft,
        faults: { ...refused.faults, ...faults },
        hasSigmas,
        onChange: (symbol, quantity) => change({ ...draft, [symbol]: quantity }),
      }),
      h(
        'div',
        { class: 'form-actions' },
        h('button', { type: 'submit', class: 'primary' }, serverRun.state === 'running' ? 'Running …' : 'Run'),
        h(
          'button',
          {
            type: 'button',
            class: 'quiet',
            'aria-pressed': hasSigmas,
            onClick: () => {
              if (hasSigmas)
                change(
                  Object.fromEntries(
                    Object.entries(draft).map(([name, quantity]) => [name, { ...quantity, sigma: '' }]),
                  ),
                );
              setSigmas(!hasSigmas);
            },
          },
          '± Uncertainties',
        ),
      ),
    ),
    h(
      'div',
      { class: `try-result${isValid && experiment.localRun.value.state !== 'failed' ? '' : ' is-bare'}` },
      pin === undefined || current === undefined ? null : h(PinNotice, { pin, current }),
      h(OperatorResult, {
        ...{ operator, quantities, localRun: experiment.localRun, isStale, refused },
        shownUnit: resultUnitOf(draft),
        // The computation stays; only its number is shown in another unit.
        onUnitChange: (unit) => {
          const next = withResultUnit(draft, unit);
          setDraft(next);
          replaceUrl(urlOf(operator, next));
        },
      }),
      h(ResultComparison, { experiment, isStale }),
      serverRun.state === 'done' && !isStale
        ? h(Receipt, { key: String(serverRun.envelope.svcProof), envelope: serverRun.envelope })
        : null,
      h(ExportPanel, {
        name: operator.id,
        experiment,
        isStale,
        // With all inputs: the example that the page opens with may be another one day.
        linkOf: (href) =>
          current === undefined ? href : withPin(new URL(urlOf(operator, draft, true), href).href, current),
        snippets: isValid
          ? [
              { label: 'curl', text: () => toCurl(location.origin, 'compute', request) },
              { label: 'TypeScript', text: () => toTypeScript(location.origin, request) },
              { label: 'MCP call', text: () => toMcpCall('compute', request) },
              { label: 'CLI', text: () => toCommand(operator, quantities) },
            ]
          : undefined,
      }),
      h(SweepPanel, {
        key: `sweep ${operator.id}`,
        name: operator.id,
        title: 'Draw this law against an input',
        spec,
        inputs: sweepInputs(operator, draft, quantities).filter(({ name }) => name !== quantities.solve_for),
        result: {
          name: quantities.solve_for ?? operator.output.symbol,
          value: result?.pure.value,
          unit: result?.pure.unit ?? '1',
        },
        requestOf: isValid ? (sweep) => withSweep(operator, quantities, sweep) : undefined,
      }),
      quantities.solve_for === undefined
        ? h(SamplesPanel, {
            key: `samples ${operator.id}`,
            name: operator.id,
            spec,
            inputs: sweepInputs(operator, draft, quantities),
            sigmas: quantities.uncertainties ?? {},
            requestOf: isValid
              ? ({ uncertainties, samples }) => computeRequest(operator, { ...quantities, uncertainties }, { samples })
              : undefined,
          })
        : null,
    ),
  );
}

/** Says that a link was made with another version; nothing if all is as it was. */
function PinNotice({ pin, current }: { readonly pin: Pin; readonly current: Pin }) {
  const points = pinFaults(pin, current);
  if (points.length === 0) return null;
  return h(Notice, {
    kind: 'empty',
    title: 'This link was made with another version.',
    text: 'The number may differ from the one that was shared; a receipt of it still replays.',
    points,
  });
}

/** In the units of the form. */
const sweepInputs = (
  { inputs }: FullOperator,
  draft: Draft,
  { inputs: values }: Pick<Quantities, 'inputs'>,
): SweepInput[] =>
  Object.entries(inputs).map(([name, { unit: declared, integer = false, min, max, default: value }]) => {
    const own = draft[name]?.unit ?? '';
    const unit = own === '' ? declared : own;
    return {
      ...{ name, unit, isWhole: integer, value: values[name] ?? value },
      ...{ min: inUnit(min, declared, unit), max: inUnit(max, declared, unit) },
    };
  });

/** A bound of an input in the unit of the form; undefined in a unit that the form marks as wrong. */
function inUnit(bound: number | undefined, declared: string, unit: string): number | undefined {
  if (bound === undefined || unit === declared) return bound;
  try {
    return convert(bound, parseUnit(declared), parseUnit(unit));
  } catch {
    return undefined;
  }
}

function withSweep(operator: FullOperator, quantities: Quantities, sweep: SweepSpec): Input {
  const inputs = Object.entries(quantities.inputs).filter(([name]) => !Object.hasOwn(sweep, name));
  return computeRequest(operator, { ...quantities, inputs: Object.fromEntries(inputs) }, { sweep });
}

interface ExamplesProps {
  readonly operator: FullOperator;
  readonly draft: Draft;
  readonly onPick: (draft: Draft) => void;
}

/** Buttons that fill the form; the registry's tests verify the expected values. */
function Examples({ operator, draft, onPick }: ExamplesProps) {
  const current = JSON.stringify(draft);
  return h(
    'div',
    { class: 'examples', role: 'group', 'aria-label': 'Examples' },
    operator.examples.map((example, at) => {
      const filled = draftOf(operator, example);
      return h(
        'button',
        {
          key: at,
          type: 'button',
          class: 'example',
          title: example.source,
          'aria-pressed': JSON.stringify(filled) === current,
          onClick: () => onPick(filled),
        },
        `Example ${at + 1}`,
        h(
          'span',
          { class: 'example-value' },
          `${formatRounded(example.expected, 4)}${operator.output.unit === '1' ? '' : ` ${formatUnit(operator.output.unit)}`}`,
        ),
      );
    }),
  );
}
