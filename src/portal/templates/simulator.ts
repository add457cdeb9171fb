// Tries a definition before it is deployed: events and time on a simulated clock, and the instances of a contract with a
// key.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiOutput } from '../../client/client.ts';
import { resultNamesOf } from '../../contracts/calls/check.ts';
import type { Definition, Scalars } from '../../contracts/definition.ts';
import { scalarText } from '../contracts/definition-text.ts';
import { parsePayload } from '../contracts/event-payload.ts';
import { PayloadFields } from '../contracts/send-event.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { focusInvalidField } from '../kit/focus-invalid-field.ts';
import { Notice } from '../kit/notice.ts';
import { useRequest } from '../kit/use-request.ts';
import { StatusChip } from '../machines/status-chip.ts';
import { formatTickDuration } from '../machines/tick-format.ts';
import { callApiWithKey } from '../session.ts';
import { answerFields } from './answer-fields.ts';

type SimulatedStep = ApiOutput<'contract.simulate'>['scenarios'][number]['steps'][number];
type SimulatedInstance = SimulatedStep['instances'][number];

interface StepDraft {
  readonly after?: string;
  readonly send?: string;
  readonly by?: string;
  readonly payload?: Scalars;
}

/** A step that has run. */
interface Done {
  readonly draft: StepDraft;
  readonly report: SimulatedStep;
}

interface Props {
  readonly definition: Definition;
  /** Those that differ from their defaults. */
  readonly parameters: Scalars;
}

const LENGTHS = ['PT1M', 'PT1H', 'P1D', 'P3D', 'P7D', 'P30D'] as const;
const WORDS: Readonly<Record<string, string>> = {
  PT1M: 'a minute',
  PT1H: 'an hour',
  P1D: 'a day',
  P3D: '3 days',
  P7D: '7 days',
  P30D: '30 days',
};

export function Simulator({ definition, parameters }: Props) {
  const events = definition.events ?? {};
  const names = Object.keys(events);
  const [done, setDone] = useState<readonly Done[]>([]);
  const [name, setName] = useState(names[0] ?? '');
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [by, setBy] = useState('');
  const [faults, setFaults] = useState<readonly string[]>([]);
  const { isBusy, error, run } = useRequest();
  const declared = (Object.hasOwn(events, name) ? events[name]?.payload : undefined) ?? {};
  const isResult = resultNamesOf(definition).has(name);
  const waiting = done.at(-1)?.report.waiting ?? [];
  const fields = isResult ? answerFields(declared, name, waiting) : declared;
  const parsed = parsePayload(fields, texts);
  const simulate = (steps: readonly StepDraft[]) =>
    run(async () => {
      setFaults([]);
      const scenarios = [{ name: 'trial', steps }];
      const answer = await callApiWithKey('contract.simulate', {
        definition: definition as unknown as Record<string, unknown>,
        parameters,
        scenarios,
      });
      const [result] = answer.scenarios;
      const found = [...answer.faults, ...(result?.faults ?? [])];
      setFaults(found.map(({ message }) => message));
      if (found.length > 0 || result === undefined) return;
      setDone(result.steps.flatMap((report, i) => (steps[i] === undefined ? [] : [{ draft: steps[i], report }])));
    });
  const add = (step: StepDraft) => void simulate([...done.map(({ draft }) => draft), step]);
  const submit = (submitted: Event) => {
    submitted.preventDefault();
    if (Object.keys(parsed.faults).length > 0) {
      focusInvalidField(submitted.target as HTMLFormElement);
      return;
    }
    const sender = isResult ? 'engine' : by;
    add({ send: name, payload: parsed.payload, ...(sender === '' ? {} : { by: sender }) });
  };
  const undo = () => {
    const kept = done.slice(0, -1).map(({ draft }) => draft);
    if (kept.length === 0) setDone([]);
    else void simulate(kept);
  };
  return h(
    'section',
    { class: 'panel simulator', 'aria-labelledby': 'simulator-title' },
    h('h2', { id: 'simulator-title' }, 'Try it'),
    h('p', { class: 'quiet-text' }, 'Send events and let time pass on a simulated clock. Nothing is deployed.'),
    h(
      'form',
      { class: 'stack', onSubmit: submit },
      h(Choice, { label: 'Event', id: 'simulator-event', value: name, choices: names, onChoice: setName }),
      definition.parties === undefined || isResult
        ? null
        : h(Choice, {
            label: 'Sent by',
            id: 'simulator-by',
            value: by,
            choices: ['', ...Object.keys(definition.parties)],
            onChoice: setBy,
          }),
      h(PayloadFields, {
        event: name,
        fields,
        texts,
        faults: parsed.faults,
        onText: (field: string, text: string) => setTexts({ ...texts, [field]: text }),
      }),
      h(
        'div',
        { class: 'button-row' },
        h('button', { type: 'submit', disabled: isBusy || name === '' }, isBusy ? 'Running …' : 'Send'),
        h('button', { type: 'button', disabled: isBusy || done.length === 0, onClick: undo }, 'Undo'),
      ),
    ),
    h(
      'div',
      { class: 'button-row', role: 'group', 'aria-label': 'Let time pass' },
      h('span', { class: 'quiet-text' }, 'Let time pass:'),
      LENGTHS.map((after) =>
        h('button', { key: after, type: 'button', disabled: isBusy, onClick: () => add({ after }) }, WORDS[after]),
      ),
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      error === undefined ? null : h(Notice, errorNotice(error)),
      faults.map((fault) => h('p', { key: fault, class: 'field-fault' }, fault)),
      waiting.length === 0 ? null : h(WaitingCalls, { waiting, onChoice: setName }),
      done.length === 0 ? null : h(Outcome, { definition, done }),
    ),
  );
}

type WaitingCall = SimulatedStep['waiting'][number];

interface WaitingCallsProps {
  readonly waiting: readonly WaitingCall[];
  readonly onChoice: (event: string) => void;
}

/** Activities without an answer: the events that give one are chosen above, and sent from there. */
function WaitingCalls({ waiting, onChoice }: WaitingCallsProps) {
  return h(
    'ul',
    { class: 'quiet-text', 'aria-label': 'Activities that wait for an answer' },
    waiting.map(({ call, instance, into, on_error, is_computed }, i) =>
      h(
        'li',
        { key: `${instance ?? ''} ${call} ${i}` },
        `${instance === undefined ? '' : `${instance}: `}${call} waits. `,
        h(
          'button',
          { type: 'button', onClick: () => onChoice(into) },
          is_computed ? `Compute ${into}` : `Answer ${into}`,
        ),
        ' ',
        h('button', { type: 'button', onClick: () => onChoice(on_error) }, `Fail by ${on_error}`),
      ),
    ),
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly id: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly onChoice: (value: string) => void;
}

function Choice({ label, id, value, choices, onChoice }: ChoiceProps) {
  const onInput = (event: Event) => onChoice((event.target as HTMLSelectElement).value);
  return h(
    'label',
    { class: 'stack-field' },
    label,
    h(
      'select',
      { id, value, onInput },
      choices.map((choice) => h('option', { key: choice, value: choice }, choice === '' ? 'an operator' : choice)),
    ),
  );
}

function Outcome({ definition, done }: { readonly definition: Definition; readonly done: readonly Done[] }) {
  const last = done.at(-1)?.report;
  const instances = new Map(done.flatMap(({ report }) => report.instances.map((one) => [one.instance, one] as const)));
  const rows = [...instances.values()].sort((a, b) => (a.instance < b.instance ? -1 : 1));
  return [
    definition.key === undefined
      ? last &&
        h(
          'p',
          null,
          'Now ',
          h('span', { class: 'state-pill' }, last.state),
          ` ${valuesText(last)}`,
          last.next_svcond === null ? null : `; next timer in ${untilText(last.next_svcond, last.svcond)}`,
        )
      : h(InstanceTable, {
          rows,
          now: last?.svcond ?? 0,
          keyName: definition.key.replace(/^event\./, '').replaceAll('_', ' '),
        }),
    h(
      'ol',
      { class: 'simulated-steps', reversed: true },
      done.map(({ draft, report }, i) => h(StepLine, { key: i, draft, report })).reverse(),
    ),
  ];
}

interface InstanceTableProps {
  readonly rows: readonly SimulatedInstance[];
  /** Tick of the simulated clock. */
  readonly now: number;
  readonly keyName: string;
}

function InstanceTable({ rows, now, keyName }: InstanceTableProps) {
  if (rows.length === 0) return h('p', { class: 'quiet-text' }, `No instance yet: none has begun for any ${keyName}.`);
  return h(
    'div',
    { class: 'simulated-table' },
    h(
      'table',
      { class: 'simulated-instances' },
      h('caption', null, 'Instances'),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          [keyName, 'state', 'values', 'status', 'next timer'].map((name) => h('th', { key: name }, name)),
        ),
      ),
      h(
        'tbody',
        null,
        rows.map((one) =>
          h(
            'tr',
            { key: one.instance, 'data-instance': one.instance },
            h('th', { scope: 'row' }, one.instance),
            h('td', null, one.state),
            h('td', null, valuesText(one)),
            h('td', null, h(StatusChip, { status: one.status })),
            h('td', null, one.next_svcond === null ? 'none' : `in ${untilText(one.next_svcond, now)}`),
          ),
        ),
      ),
    ),
  );
}

/** How long until a tick; of a timer that is due now, 0 s. */
const untilText = (tick: number, now: number): string => formatTickDuration(Math.max(0, tick - now));

const valuesText = ({ context }: Pick<SimulatedStep, 'context'>): string =>
  Object.entries(context)
    .map(([name, value]) => `${name} ${scalarText(value)}`)
    .join(', ');

interface StepLineProps {
  readonly draft: StepDraft;
  readonly report: SimulatedStep;
}

function StepLine({ draft, report }: StepLineProps) {
  const { fired, refused } = report;
  const what =
    draft.send === undefined
      ? `${WORDS[draft.after ?? ''] ?? draft.after} later`
      : `${draft.send} ${payloadText(draft)}`;
  const named = (instance: string | undefined) => (instance === undefined ? '' : `${instance}: `);
  return h(
    'li',
    null,
    h('strong', null, what),
    h('span', { class: 'row-aside' }, ` at ${formatTickDuration(report.svcond)}`),
    fired.map(({ instance, transition, from, to, cause, emitted, sends = [], calls = [] }, i) =>
      h(
        'p',
        { key: `f${i}` },
        `${named(instance)}${from} → ${to} (${transition}${cause === 'timer' ? ', by a timer' : ''})`,
        emitted.length === 0 ? null : ` announces ${emitted.map(({ event }) => event).join(', ')}`,
        calls.length === 0 ? null : ` starts ${calls.map(({ call }) => call).join(', ')}`,
        sends.length === 0 ? null : ` sends ${sends.map(({ event, machine }) => `${event} to ${machine}`).join(', ')}`,
      ),
    ),
    refused.map(({ instance, code, reason, transition }, i) =>
      h('p', { key: `r${i}`, class: 'field-fault' }, `${named(instance)}${transition ?? code} refused. ${reason}`),
    ),
    fired.length + refused.length === 0 ? h('p', { class: 'quiet-text' }, 'Nothing happened.') : null,
  );
}

const payloadText = ({ payload = {} }: StepDraft): string =>
  Object.values(payload)
    .map((value) => String(value))
    .join(' ');
