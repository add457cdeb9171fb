// A contract moved by hand, by a member. What came of it is said in words.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { KeyNeeded } from '../machines/key-needed.ts';
import { contractOf, write } from '../machines/node.ts';
import type { ContractRecord, MachineRecord } from '../machines/records.ts';
import { inThousands } from '../machines/tick-words.ts';
import { key } from '../session.ts';

interface Changed {
  readonly contract: ContractRecord;
  readonly fired?: boolean;
  readonly fire?: { readonly transition: string; readonly from: string; readonly to: string; readonly seq: number };
  readonly reason?: string;
}

interface Props {
  readonly slug: string;
  readonly contract: ContractRecord;
  readonly machineStatus: MachineRecord['status'];
  readonly onContract: (contract: ContractRecord) => void;
}

const MODES = {
  deadline: 'one-shots keep their time',
  remaining: 'one-shots wait for what was left',
  restart: 'one-shots begin again',
} as const;

export function Actions({ slug, contract, machineStatus, onContract }: Props) {
  const { id, status, next_fire } = contract;
  const [busy, setBusy] = useState<string | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [said, setSaid] = useState('');
  const [mode, setMode] = useState<keyof typeof MODES>('deadline');
  const act = async (route: string, body: unknown, words: (changed: Changed) => string) => {
    setBusy(route);
    setError(undefined);
    setSaid('');
    try {
      const changed = await write<Changed>(`${contractOf(slug, id)}/${route}`, body);
      onContract(changed.contract);
      setSaid(words(changed));
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(undefined);
    }
  };
  const button = (label: string, route: string, body: unknown, words: (changed: Changed) => string, style = '') =>
    h(
      'button',
      {
        key: route,
        type: 'button',
        class: style,
        disabled: busy !== undefined,
        onClick: () => act(route, body, words),
      },
      busy === route ? `${label} …` : label,
    );
  const canResume = status === 'paused' || status === 'failed';
  return h(
    'section',
    { class: 'panel actions', 'aria-labelledby': 'actions-title' },
    h('h2', { id: 'actions-title' }, 'By hand'),
    machineStatus === 'archived'
      ? h('p', { class: 'quiet-text' }, 'The machine is archived: nothing moves any more.')
      : key.value === undefined
        ? h(KeyNeeded, { what: 'Moving a contract' })
        : status === 'completed' || status === 'frozen'
          ? h('p', { class: 'quiet-text' }, `It is ${status}; nothing moves it any more.`)
          : h(
              'div',
              { class: 'stack' },
              h(
                'div',
                { class: 'button-row' },
                status === 'active' ? button('Fire now', 'fire-now', {}, firedWords, 'primary') : null,
                status === 'active' ? button('Pause', 'pause', {}, () => 'It is paused.') : null,
                status === 'active' && next_fire !== null
                  ? button(
                      'Skip next',
                      'skip-next',
                      { expected_next_fire: next_fire },
                      () => 'The next occurrence was skipped.',
                    )
                  : null,
                canResume ? button('Resume', 'resume', { mode }, () => 'It goes on.', 'primary') : null,
              ),
              canResume
                ? h(
                    'label',
                    { class: 'stack-field' },
                    'When it goes on',
                    h(
                      'select',
                      {
                        value: mode,
                        onInput: (event: Event) =>
                          setMode((event.target as HTMLSelectElement).value as keyof typeof MODES),
                      },
                      Object.entries(MODES).map(([value, words]) => h('option', { key: value, value }, words)),
                    ),
                  )
                : null,
            ),
    h(
      'div',
      { 'aria-live': 'polite', class: 'actions-said' },
      error === undefined ? null : h(Notice, noticeOf(error)),
      said === '' ? null : h('p', null, said),
    ),
  );
}

function firedWords({ fired, fire, reason }: Changed): string {
  if (fired !== true || fire === undefined) return `Nothing fired: ${reason ?? 'no transition was ready'}`;
  return `${fire.transition} fired: ${fire.from} → ${fire.to}, row ${inThousands(fire.seq)}.`;
}
