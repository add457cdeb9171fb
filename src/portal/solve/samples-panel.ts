// Samples over uncertain inputs of a form: what their standard deviations do to the result.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { formatUnit } from '../kit/format.ts';
import { parseNumber } from '../kit/parse-number.ts';
import type { ExperimentSpec, Input } from './experiment.ts';
import { OTHER_FAULT, type ParsedRequest, PointsPanel } from './points-panel.ts';
import { type DrawnDraft, drawnDraft, parseSamples, type SamplesFields, samplesDraft } from './samples-draft.ts';
import type { SweepInput } from './sweep-draft.ts';

interface Props {
  /** Base name of files. */
  readonly name: string;
  readonly spec: ExperimentSpec;
  /** Inputs that have a number; whole ones have no uncertainty. */
  readonly inputs: readonly SweepInput[];
  /** Standard deviations that the form states. */
  readonly sigmas: Readonly<Record<string, number>>;
  /** The request of these fields; undefined while another input is invalid. */
  readonly requestOf: ((fields: SamplesFields) => Input) | undefined;
}

export function SamplesPanel({ name, spec, inputs, sigmas, requestOf }: Props) {
  const uncertain = inputs.filter(({ isWhole, value }) => !isWhole && value !== undefined);
  const [draft, setDraft] = useState(() => samplesDraft(uncertain, sigmas));
  if (uncertain.length === 0) return null;
  const { drawn } = draft;
  const setDrawn = (next: readonly DrawnDraft[]) => setDraft({ ...draft, drawn: next });
  const parse = (): ParsedRequest => {
    const parsed = parseSamples(draft, (text, field) => parseNumber(text, { name: field, isWhole: false }));
    if ('fault' in parsed) return parsed;
    return requestOf === undefined ? { fault: OTHER_FAULT } : { input: requestOf(parsed) };
  };
  const next = uncertain.find((input) => drawn.every((one) => one.name !== input.name));
  const button = (label: string, onClick: () => void) =>
    h('button', { type: 'button', class: 'quiet', onClick }, label);
  const number = (field: 'count' | 'seed', label: string) =>
    h(NumberField, {
      label,
      name: `samples-${field}`,
      value: draft[field],
      onChange: (text) => setDraft({ ...draft, [field]: text }),
    });
  return h(PointsPanel, {
    ...{ kind: 'samples', name, spec, parse },
    title: 'Samples: what uncertain inputs do to the result',
    runLabel: 'Draw samples',
    actions: [
      next === undefined ? null : button('Add an uncertain input', () => setDrawn([...drawn, drawnDraft(next)])),
      drawn.length < 2 ? null : button('Remove the last one', () => setDrawn(drawn.slice(0, -1))),
    ],
    children: [
      drawn.map((one, at) =>
        h(DrawnFields, {
          key: at,
          id: `samples-${at}`,
          drawn: one,
          inputs: uncertain.filter(
            (input) => input.name === one.name || drawn.every((other) => other.name !== input.name),
          ),
          onChange: (changed: DrawnDraft) => setDrawn(drawn.map((other, index) => (index === at ? changed : other))),
        }),
      ),
      h(
        'fieldset',
        { class: 'points-fields' },
        h('legend', { class: 'visually-hidden' }, 'Draws'),
        number('count', 'samples'),
        number('seed', 'seed'),
      ),
    ],
  });
}

interface DrawnProps {
  readonly id: string;
  readonly drawn: DrawnDraft;
  readonly inputs: readonly SweepInput[];
  readonly onChange: (next: DrawnDraft) => void;
}

function DrawnFields({ id, drawn, inputs, onChange }: DrawnProps) {
  const { name, sigma } = drawn;
  const unit = inputs.find((input) => input.name === name)?.unit ?? '1';
  const pick = (event: Event) => {
    const input = inputs.find((one) => one.name === (event.target as HTMLSelectElement).value);
    if (input !== undefined) onChange(drawnDraft(input));
  };
  return h(
    'fieldset',
    { class: 'points-fields' },
    h('legend', { class: 'visually-hidden' }, `Uncertainty of ${name}`),
    h(
      'label',
      null,
      'input',
      h(
        'select',
        { name: `${id}-input`, value: name, onInput: pick },
        inputs.map((input) =>
          h('option', { key: input.name, value: input.name, selected: input.name === name }, input.name),
        ),
      ),
    ),
    h(NumberField, {
      label: unit === '1' ? '± (one standard deviation)' : `± [${formatUnit(unit)}] (one standard deviation)`,
      name: `${id}-sigma`,
      value: sigma,
      onChange: (text) => onChange({ name, sigma: text }),
    }),
  );
}

interface NumberProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function NumberField({ label, name, value, onChange }: NumberProps) {
  return h(
    'label',
    null,
    label,
    h('input', {
      type: 'text',
      inputMode: 'decimal',
      autocomplete: 'off',
      spellcheck: false,
      name,
      value,
      onInput: (event: Event) => onChange((event.target as HTMLInputElement).value),
    }),
  );
}
