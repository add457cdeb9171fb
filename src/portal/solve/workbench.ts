// Workbench of one solver: runs an experiment in the browser and checks it on the server.

import { h } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { focusInvalidField } from '../kit/focus-invalid-field.ts';
import { mediaQuery } from '../kit/media-query.ts';
import { ModelEquations } from '../kit/model-equations.ts';
import { useDebounce } from '../kit/use-debounce.ts';
import { useRefusals } from '../kit/use-refusals.ts';
import { currentRoute, replaceUrl } from '../router.ts';
import {
  currentResult,
  Experiment,
  type Input,
  isOfInput,
  type LocalRun,
  refusalOf,
  solverSpec,
} from './experiment.ts';
import { ExportPanel } from './export-panel.ts';
import { type Draft, defaultDraft, parseDraft } from './fields.ts';
import { FieldList } from './form.ts';
import { KeptRuns } from './kept-runs.ts';
import { ownSymbols, withoutSwept } from './own-symbols.ts';
import { ResultComparison } from './result-comparison.ts';
import { ResultPanel } from './result-panel.ts';
import { SamplesPanel } from './samples-panel.ts';
import { toCurl, toMcpCall, toTypeScript } from './snippets.ts';
import type { SolverDescription } from './solver-description.ts';
import type { SweepInput } from './sweep-draft.ts';
import { SweepPanel } from './sweep-panel.ts';
import { answerOf, unitWordsOf } from './unit-words.ts';
import { draftFromSearch, draftOf, urlOf } from './url.ts';

/** Wide windows always show the inputs; narrow ones fold them. */
const isWide = mediaQuery('(min-width: 60.01rem)');

/** Fragment of addresses that run the experiment at once, however long it takes, here and on the server. */
const RUN = '#run';

/** Debounce time before changed inputs are computed. */
const DEBOUNCE_MS = 350;

/** Longest run that follows a slider. */
const MAX_QUICK_MS = 2_000;

export function Workbench({ solver }: { readonly solver: SolverDescription }) {
  const [draft, setDraft] = useState<Draft>(() => draftFromSearch(solver, currentRoute.value.search));
  // What a link, an example or an earlier edit has filled stays in sight.
  const [opened, setOpened] = useState(draft);
  const spec = useMemo(() => solverSpec(solver), [solver]);
  const experiment = useMemo(() => new Experiment(spec), [spec]);
  const { input, faults } = parseDraft(solver, draft);
  const isValid = Object.keys(faults).length === 0;

  // History navigation opens another experiment. A layout effect, so that no key press comes in between.
  const { search } = currentRoute.value;
  useLayoutEffect(() => {
    const next = draftFromSearch(solver, search);
    setDraft(next);
    setOpened(next);
    const parsed = parseDraft(solver, next);
    if (Object.keys(parsed.faults).length === 0)
      void (location.hash === RUN ? experiment.run(parsed.input) : experiment.preview(parsed.input));
    else experiment.setIdle('Some inputs are invalid; see the marked fields.');
    return () => experiment.cancel();
  }, [solver, experiment, search]);

  const debounce = useDebounce(DEBOUNCE_MS);
  // Browsers allow few addresses a second: that of a slider is written where it rests.
  const change = (next: Draft, isMoving = false) => {
    setDraft(next);
    const writeUrl = () => replaceUrl(urlOf(solver, next));
    if (!isMoving) writeUrl();
    const parsed = parseDraft(solver, next);
    debounce.cancel();
    if (Object.keys(parsed.faults).length > 0) return;
    debounce.schedule(() => {
      if (isMoving) writeUrl();
      void experiment.preview(parsed.input);
    });
  };
  const reset = () => {
    setOpened(defaultDraft(solver));
    change(defaultDraft(solver));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    debounce.cancel();
    replaceUrl(urlOf(solver, draft));
    if (isValid) void experiment.run(input);
    else focusInvalidField(event.target as HTMLFormElement);
  };
  // Cancelling turns the button back into Run, whose click would submit the form.
  const cancel = (event: Event) => {
    event.preventDefault();
    experiment.cancel();
  };
  const localRun = experiment.localRun.value;
  const isStale = !isOfInput(localRun, isValid ? input : undefined);
  const refusal = isStale ? undefined : refusalOf(experiment);
  const refused = useRefusals(refusal?.error, {
    names: solver.fields.map(({ name }) => name),
    isSubmitted: refusal?.isSubmitted ?? false,
  });
  const isRunning =
    (localRun.state === 'running' && !localRun.isPreview) || experiment.serverRun.value.state === 'running';

  return [
    h(
      'header',
      { key: 'head', class: 'page-head' },
      h('h1', null, solver.title),
      h('p', { class: 'lead' }, solver.summary),
      h(ModelEquations, { equations: solver.equations }),
      h(Examples, { solver, draft }),
    ),
    h(
      'form',
      {
        key: 'form',
        ref: refused.form,
        class: 'solve-form',
        onSubmit: submit,
        noValidate: true,
        'aria-label': 'Inputs',
      },
      h(
        'details',
        { class: 'inputs', open: isWide.value || undefined },
        h('summary', null, 'Inputs'),
        h(FieldList, {
          solver,
          draft,
          opened,
          faults: { ...refused.faults, ...faults },
          isQuick: isQuick(localRun),
          onChange: (name: string, value: string | boolean, isMoving?: boolean) =>
            change({ ...draft, [name]: value }, isMoving),
          onFold: () => setOpened(draft),
        }),
      ),
      h(
        'div',
        { class: 'form-actions' },
        isRunning
          ? h('button', { type: 'button', class: 'primary', onClick: cancel }, 'Cancel')
          : h('button', { type: 'submit', class: 'primary' }, 'Run'),
        h('button', { type: 'button', class: 'quiet', onClick: reset }, 'Defaults'),
      ),
    ),
    h(
      'div',
      { key: 'result', class: 'solve-result' },
      h(ResultPanel, {
        localRun: experiment.localRun,
        answer: answerOf(solver, draft),
        words: solver.quantities,
        units: unitWordsOf(solver, draft),
        isStale,
        refused,
      }),
      h(ResultComparison, { experiment, isStale }),
      h(ExportPanel, {
        name: solver.id,
        snippets: isValid ? snippetsOf(solver.id, input) : undefined,
        experiment,
        isStale,
        mesh: solver.mesh,
      }),
      h(KeptRuns, { solver, experiment, isStale }),
      h(SweepPanel, {
        // Another symbol of the caller's equations is another input to begin with.
        key: `sweep ${solver.id} ${ownSymbols(input)[0]?.[0]}`,
        name: solver.id,
        spec,
        inputs: [...ownSymbols(input).map(sweptSymbol), ...sweepInputs(solver, input)],
        requestOf: isValid ? (sweep) => ({ ...withoutSwept(input, Object.keys(sweep)), sweep }) : undefined,
      }),
      h(SamplesPanel, {
        key: `samples ${solver.id}`,
        name: solver.id,
        spec,
        inputs: sweepInputs(solver, input),
        sigmas: {},
        requestOf: isValid ? (fields) => ({ ...input, ...fields }) : undefined,
      }),
      h(Method, { solver }),
    ),
  ];
}

/** Whether inputs are computed while they change. Until something else is known, they are. */
function isQuick(run: LocalRun): boolean {
  if (run.state === 'idle') return run.reason === undefined;
  return (currentResult(run)?.elapsedMs ?? 0) <= MAX_QUICK_MS;
}

/** Problems to start from, and which one is on the screen. */
function Examples({ solver, draft }: { readonly solver: SolverDescription; readonly draft: Draft }) {
  if (solver.examples.length === 0) return null;
  const shown = urlOf(solver, draft);
  return h(
    'ul',
    { class: 'examples', 'aria-label': 'Examples' },
    solver.examples.map(({ title, input }) => {
      const href = urlOf(solver, draftOf(solver, input));
      return h(
        'li',
        { key: title },
        h('a', { class: 'example', href, 'data-page': '', 'aria-current': href === shown ? 'true' : undefined }, title),
      );
    }),
  );
}

const sweepInputs = ({ fields }: SolverDescription, input: Input): SweepInput[] =>
  fields.flatMap(({ name, kind, unit, defaultValue }) => {
    if (kind !== 'number' && kind !== 'integer') return [];
    const value = input[name] ?? defaultValue;
    return [{ name, unit, isWhole: kind === 'integer', value: typeof value === 'number' ? value : undefined }];
  });

/** A number that the caller's equations give to a symbol, in the unit that they give it. */
const sweptSymbol = ([name, value]: readonly [string, number]): SweepInput => ({
  name,
  unit: '1',
  isWhole: false,
  value,
});

const snippetsOf = (id: string, input: Input) => [
  { label: 'curl', text: () => toCurl(location.origin, id, input) },
  { label: 'TypeScript', text: () => toTypeScript(id, input) },
  { label: 'MCP call', text: () => toMcpCall(id, input) },
];

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
