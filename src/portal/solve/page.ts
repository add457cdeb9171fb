// Solve: one experiment on one page, computed here, checked there.

import { signal } from '@preact/signals';
import { h } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { showFault } from '../kit/show-fault.ts';
import { place, rename } from '../route.ts';
import { addressOf, draftFrom } from './address.ts';
import { Comparing } from './comparing.ts';
import { SOLVERS, type SolverDescription } from './description.ts';
import { Experiment, type Input, solverSubject } from './experiment.ts';
import { type Draft, readDraft, standardDraft } from './fields.ts';
import { FieldList } from './form.ts';
import { asCurl, asMcpCall, asTypeScript } from './snippets.ts';
import { Stage } from './stage.ts';
import { Takeaway } from './takeaway.ts';

/** Where there is room for two columns the inputs always show; on a phone they unfold. */
const wide = matchMedia('(min-width: 60.01rem)');
const isWide = signal(wide.matches);
wide.addEventListener('change', ({ matches }) => {
  isWide.value = matches;
});

/** Changed inputs are computed once the visitor pauses. */
const TYPING_MS = 350;

export function SolvePage({ solver }: { readonly solver: SolverDescription }) {
  const [draft, setDraft] = useState<Draft>(() => draftFrom(solver, place.value.search));
  const experiment = useMemo(() => new Experiment(solverSubject(solver)), [solver]);
  const { input, faults } = readDraft(solver, draft);
  const isValid = Object.keys(faults).length === 0;

  // The way back in the browser's history is another experiment. Read in the same turn, before a key can be pressed.
  const { search } = place.value;
  useLayoutEffect(() => {
    const next = draftFrom(solver, search);
    setDraft(next);
    const reading = readDraft(solver, next);
    if (Object.keys(reading.faults).length === 0) void experiment.preview(reading.input);
    else experiment.wait('Some inputs cannot be read; they are marked.');
    return () => experiment.cancel();
  }, [solver, experiment, search]);

  const soon = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(soon.current), []);
  const change = (next: Draft) => {
    setDraft(next);
    rename(addressOf(solver, next));
    const reading = readDraft(solver, next);
    clearTimeout(soon.current);
    if (Object.keys(reading.faults).length > 0) return;
    soon.current = setTimeout(() => void experiment.preview(reading.input), TYPING_MS);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    clearTimeout(soon.current);
    if (isValid) void experiment.run(input);
    else showFault(event.target as HTMLFormElement);
  };
  // The button is Run again before the press is over, and would submit the form.
  const cancel = (event: Event) => {
    event.preventDefault();
    experiment.cancel();
  };
  const here = experiment.here.value;
  const isRunning = (here.state === 'running' && !here.isPreview) || experiment.there.value.state === 'running';

  return h(
    'div',
    { class: 'page solve' },
    h(SolverTabs, { current: solver.id }),
    h('header', { class: 'page-head' }, h('h1', null, solver.title), h('p', { class: 'lead' }, solver.summary)),
    h(
      'form',
      { class: 'solve-form', onSubmit: submit, noValidate: true, 'aria-label': 'Inputs' },
      h(
        'details',
        { class: 'inputs', open: isWide.value || undefined },
        h('summary', null, 'Inputs'),
        h(FieldList, {
          solver,
          draft,
          faults,
          onChange: (name: string, value: string | boolean) => change({ ...draft, [name]: value }),
        }),
      ),
      h(
        'div',
        { class: 'form-actions' },
        isRunning
          ? h('button', { type: 'button', class: 'primary', onClick: cancel }, 'Cancel')
          : h('button', { type: 'submit', class: 'primary' }, 'Run'),
        h('button', { type: 'button', class: 'quiet', onClick: () => change(standardDraft(solver)) }, 'Defaults'),
      ),
    ),
    h(
      'div',
      { class: 'solve-result' },
      h(Stage, { solver, here: experiment.here }),
      h(Comparing, { experiment }),
      h(Takeaway, { name: solver.id, copies: isValid ? copiesOf(solver.id, input) : undefined, experiment }),
      h(Method, { solver }),
    ),
  );
}

const copiesOf = (id: string, input: Input) => [
  { label: 'curl', text: () => asCurl(location.origin, id, input) },
  { label: 'TypeScript', text: () => asTypeScript(id, input) },
  { label: 'MCP call', text: () => asMcpCall(id, input) },
];

function SolverTabs({ current }: { readonly current: string }) {
  return h(
    'nav',
    { class: 'tabs', 'aria-label': 'Solvers' },
    SOLVERS.map(({ id }) =>
      h(
        'a',
        {
          key: id,
          class: 'tab',
          href: `/solve/${id}`,
          'data-page': '',
          'aria-current': id === current ? 'page' : undefined,
        },
        id,
      ),
    ),
  );
}

function Method({ solver }: { readonly solver: SolverDescription }) {
  return h(
    'details',
    { class: 'method' },
    h('summary', null, 'Method and literature'),
    h('p', null, solver.method),
    solver.stability === undefined ? null : h('p', null, `Stability: ${solver.stability}`),
    h(
      'ul',
      null,
      solver.references.map(({ cite, at, doi }) =>
        h(
          'li',
          { key: cite },
          `${cite}, ${at}`,
          doi === undefined
            ? null
            : [' ', h('a', { href: `https://doi.org/${doi}`, rel: 'noreferrer', target: '_blank' }, `doi:${doi}`)],
        ),
      ),
    ),
  );
}
