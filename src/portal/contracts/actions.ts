// Manual control of a contract by a member: fire, pause, skip and resume.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiOutput } from '../../client/client.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { formatCount } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { KeyRequired } from '../machines/key-required.ts';
import type { ContractRecord, MachineRecord } from '../machines/records.ts';
import { callApiAsMember, currentKey } from '../session.ts';

type FireResult = ApiOutput<'contract.fire'>;

/** A button and its call. */
interface Action<Result> {
  readonly label: string;
  readonly call: () => Promise<Result>;
  readonly describe: (result: Result) => string;
}

interface Props {
  readonly slug: string;
  readonly contract: ContractRecord;
  /** Then timers fire on their own only, and keep their deadline over a pause. */
  readonly hasInstances: boolean;
  readonly machineStatus: MachineRecord['status'];
  readonly onContract: (contract: ContractRecord) => void;
}

const MODES = {
  deadline: 'one-shot timers keep their deadline',
  remaining: 'one-shot timers wait the remaining time',
  restart: 'one-shot timers restart',
} as const;

export function Actions({ slug, contract, hasInstances, machineStatus, onContract }: Props) {
  const { id, status, next_fire } = contract;
  const [busy, setBusy] = useState<string | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [message, setMessage] = useState('');
  const [mode, setMode] = useState<keyof typeof MODES>('deadline');
  const runAction = async <Result extends { readonly contract: ContractRecord }>({
    label,
    call,
    describe,
  }: Action<Result>) => {
    setBusy(label);
    setError(undefined);
    setMessage('');
    try {
      const result = await call();
      onContract(result.contract);
      setMessage(describe(result));
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(undefined);
    }
  };
  const button = <Result extends { readonly contract: ContractRecord }>(action: Action<Result>, style = '') =>
    h(
      'button',
      {
        key: action.label,
        type: 'button',
        class: style,
        disabled: busy !== undefined,
        onClick: () => runAction(action),
      },
      busy === action.label ? `${action.label} …` : action.label,
    );
  const of = { slug, id };
  const canResume = status === 'paused' || status === 'failed';
  return h(
    'section',
    { class: 'panel actions', 'aria-labelledby': 'actions-title' },
    h('h2', { id: 'actions-title' }, 'Manual control'),
    machineStatus === 'archived'
      ? h('p', { class: 'quiet-text' }, 'The machine is archived; its contracts no longer fire.')
      : currentKey.value === undefined
        ? h(KeyRequired, { action: 'Controlling a contract' })
        : status === 'completed' || status === 'frozen'
          ? h('p', { class: 'quiet-text' }, `This contract is ${status} and no longer fires.`)
          : h(
              'div',
              { class: 'stack' },
              h(
                'div',
                { class: 'button-row' },
                status === 'active' && !hasInstances
                  ? button({
                      label: 'Fire now',
                      call: () => callApiAsMember('contract.fire', of),
                      describe: fireText,
                    })
                  : null,
                status === 'active'
                  ? button({
                      label: 'Pause',
                      call: () => callApiAsMember('contract.pause', of),
                      describe: () => 'Contract paused.',
                    })
                  : null,
                status === 'active' && next_fire !== null && !hasInstances
                  ? button({
                      label: 'Skip next',
                      call: () => callApiAsMember('contract.skip', { ...of, expected_next_fire: next_fire }),
                      describe: () => 'Next occurrence skipped.',
                    })
                  : null,
                canResume
                  ? button(
                      {
                        label: 'Resume',
                        call: () => callApiAsMember('contract.resume', { ...of, mode }),
                        describe: () => 'Contract resumed.',
                      },
                      'primary',
                    )
                  : null,
              ),
              canResume && !hasInstances
                ? h(
                    'label',
                    { class: 'stack-field' },
                    'On resume',
                    h(
                      'select',
                      {
                        value: mode,
                        onInput: (event: Event) =>
                          setMode((event.target as HTMLSelectElement).value as keyof typeof MODES),
                      },
                      Object.entries(MODES).map(([value, label]) => h('option', { key: value, value }, label)),
                    ),
                  )
                : null,
            ),
    h(
      'div',
      { 'aria-live': 'polite', class: 'actions-said' },
      error === undefined ? null : h(Notice, errorNotice(error)),
      message === '' ? null : h('p', null, message),
    ),
  );
}

function fireText({ fired, fire, reason }: FireResult): string {
  if (!fired || fire === undefined) return `Nothing fired: ${reason ?? 'no transition was ready'}`;
  return `${fire.transition} fired: ${fire.from} → ${fire.to}, row ${formatCount(fire.seq)}.`;
}
