// An operator at work: computed here as the visitor types, and here and there when it is run.

import { h } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Quantities } from '../../protocol/chain-request.ts';
import { inShort, unitOf } from '../kit/format.ts';
import { showFault } from '../kit/show-fault.ts';
import { place, rename } from '../route.ts';
import { Comparing } from '../solve/comparing.ts';
import { Experiment, type Subject } from '../solve/experiment.ts';
import { asCurl, asMcpCall } from '../solve/snippets.ts';
import { Takeaway } from '../solve/takeaway.ts';
import { desk } from '../work/desk.ts';
import { addressOf, type Draft, draftFrom, draftOf, readDraft } from './draft.ts';
import { QuantityList } from './form.ts';
import { Receipt } from './receipt.ts';
import type { FullOperator } from './registry.ts';
import { Result } from './result.ts';
import { asCommand, asTypeScript, requestOf } from './snippets.ts';

/** Changed inputs are computed once the visitor pauses. */
const TYPING_MS = 250;

/** The input of an experiment is the body of the request. */
const operatorSubject = (operator: FullOperator): Subject => ({
  route: 'compute',
  solve: (input, _, controls) =>
    desk.ask('compute', { operator, domain: operator.domain, quantities: input as unknown as Quantities }, controls),
});

export function TryOperator({ operator }: { readonly operator: FullOperator }) {
  const { search } = place.value;
  const [draft, setDraft] = useState<Draft>(() => draftFrom(operator, search));
  const [hasSigmas, setSigmas] = useState(() => Object.values(draft).some(({ sigma }) => sigma !== ''));
  const experiment = useMemo(() => new Experiment(operatorSubject(operator)), [operator]);
  const { quantities, faults } = readDraft(operator, draft);
  const isValid = Object.keys(faults).length === 0;
  const request = requestOf(operator, quantities);

  const preview = (next: Draft) => {
    const reading = readDraft(operator, next);
    if (Object.keys(reading.faults).length > 0) experiment.wait('Some inputs cannot be used; they are marked.');
    else void experiment.preview(requestOf(operator, reading.quantities));
  };
  // The way back in the browser's history is another computation. Read in the same turn, before a key can be pressed.
  useLayoutEffect(() => {
    const next = draftFrom(operator, search);
    setDraft(next);
    preview(next);
    return () => experiment.cancel();
  }, [operator, experiment, search]);

  const soon = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(soon.current), []);
  const change = (next: Draft) => {
    setDraft(next);
    rename(addressOf(operator, next));
    clearTimeout(soon.current);
    soon.current = setTimeout(() => preview(next), TYPING_MS);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    clearTimeout(soon.current);
    if (isValid) void experiment.run(request);
    else showFault(event.target as HTMLFormElement);
  };
  const there = experiment.there.value;

  return h(
    'div',
    { class: 'try-operator' },
    h(
      'form',
      { class: 'try-form', onSubmit: submit, noValidate: true, 'aria-label': 'Quantities' },
      h(Examples, { operator, draft, onPick: change }),
      h(QuantityList, {
        operator,
        draft,
        faults,
        hasSigmas,
        onChange: (symbol, quantity) => change({ ...draft, [symbol]: quantity }),
      }),
      h(
        'div',
        { class: 'form-actions' },
        h('button', { type: 'submit', class: 'primary' }, there.state === 'running' ? 'Running …' : 'Run'),
        h(
          'button',
          {
            type: 'button',
            class: 'quiet',
            'aria-pressed': hasSigmas,
            onClick: () => {
              if (hasSigmas)
                change(Object.fromEntries(Object.entries(draft).map(([name, one]) => [name, { ...one, sigma: '' }])));
              setSigmas(!hasSigmas);
            },
          },
          '± Uncertainties',
        ),
      ),
    ),
    h(
      'div',
      { class: `try-result${isValid && experiment.here.value.state !== 'failed' ? '' : ' is-bare'}` },
      h(Result, { operator, quantities, here: experiment.here }),
      h(Comparing, { experiment }),
      there.state === 'done' ? h(Receipt, { key: String(there.envelope.svcProof), envelope: there.envelope }) : null,
      h(Takeaway, {
        name: operator.id,
        experiment,
        copies: isValid
          ? [
              { label: 'curl', text: () => asCurl(location.origin, 'compute', request) },
              { label: 'TypeScript', text: () => asTypeScript(location.origin, request) },
              { label: 'MCP call', text: () => asMcpCall('compute', request) },
              { label: 'CLI', text: () => asCommand(operator, quantities) },
            ]
          : undefined,
      }),
    ),
  );
}

interface ExamplesProps {
  readonly operator: FullOperator;
  readonly draft: Draft;
  readonly onPick: (draft: Draft) => void;
}

/** Each fills the form; the tests of the registry hold it to its number. */
function Examples({ operator, draft, onPick }: ExamplesProps) {
  const now = JSON.stringify(draft);
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
          'aria-pressed': JSON.stringify(filled) === now,
          onClick: () => onPick(filled),
        },
        `Example ${at + 1}`,
        h(
          'span',
          { class: 'example-value' },
          `${inShort(example.expected, 4)}${operator.output.unit === '1' ? '' : ` ${unitOf(operator.output.unit)}`}`,
        ),
      );
    }),
  );
}
