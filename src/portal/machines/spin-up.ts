// A machine, an identity and a key in one step. The secrets are shown once, and this page is the only place that has them.

import { signal } from '@preact/signals';
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { CopyButton } from '../kit/copy-button.ts';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { ask, keepKey, key } from '../session.ts';
import type { MachineRecord } from './records.ts';
import { machinePath } from './trail.ts';

/** What is answered once only; nothing of it if the visitor's account owns the machine. */
interface SpunUp {
  readonly machine: MachineRecord;
  readonly zid?: string;
  readonly equation?: string;
  readonly salt?: string;
  readonly key?: string;
}

/** Until the visitor says that they are kept, or the tab is closed: a walk to another page loses nothing. */
const made = signal<SpunUp | undefined>(undefined);

interface Props {
  readonly onMade: () => void;
}

export function SpinUp({ onMade }: Props) {
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const mine = key.value;
      const body = { displayName: name.trim() || 'New machine' };
      const answer = await ask('POST', '/api/chain/spin-up', { body, ...(mine && { key: mine.key }) });
      made.value = answer as unknown as SpunUp;
      setName('');
      onMade();
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  const isOwner = key.value !== undefined && !key.value.isDemo;
  return h(
    'section',
    { class: 'panel spin-up', 'aria-labelledby': 'spin-up-title' },
    h('h2', { id: 'spin-up-title' }, 'Spin up a machine'),
    made.value === undefined
      ? h(
          'form',
          { class: 'stack', onSubmit: submit },
          h(
            'p',
            { class: 'quiet-text' },
            isOwner
              ? 'The account of your key will own it. It is public.'
              : 'No account is needed: it comes with an identity and a key of its own. It is public.',
          ),
          h('label', { for: 'spin-up-name' }, 'Name (optional)'),
          h('input', {
            id: 'spin-up-name',
            maxLength: 80,
            autocomplete: 'off',
            placeholder: 'Boiler house 3',
            value: name,
            onInput: (event: Event) => setName((event.target as HTMLInputElement).value),
          }),
          h('button', { type: 'submit', class: 'primary', disabled: isBusy }, isBusy ? 'Making it …' : 'Spin up'),
        )
      : h(Made, { spunUp: made.value }),
    h('div', { 'aria-live': 'polite' }, error === undefined ? null : h(Notice, noticeOf(error))),
  );
}

function Made({ spunUp }: { readonly spunUp: SpunUp }) {
  const { machine, zid, equation, salt, key: own } = spunUp;
  const secrets = Object.entries({ ZID: zid, equation, salt, key: own }).flatMap(([name, text]) =>
    text === undefined ? [] : [{ name, text }],
  );
  return h(
    'div',
    { class: 'stack made', role: 'status' },
    h('p', null, h('a', { href: machinePath(machine.slug), 'data-page': '' }, machine.name), ' is there.'),
    secrets.length === 0
      ? h('p', { class: 'quiet-text' }, 'The account of your key owns it.')
      : [
          h(
            'div',
            { class: 'notice notice-warn' },
            h('p', { class: 'notice-title' }, 'Shown this once. Keep them before you leave.'),
            h(
              'p',
              null,
              'Equation and salt are the only way back to this identity; nobody, this node included, can tell them to you again. Whoever has the key can write as you.',
            ),
          ),
          h(
            'dl',
            { class: 'secrets' },
            secrets.map(({ name, text }) =>
              h(
                'div',
                { key: name },
                h('dt', null, name),
                h('dd', null, h('code', { 'data-secret': name }, text)),
                h('dd', null, h(CopyButton, { label: `Copy ${name}`, text: () => text })),
              ),
            ),
          ),
          h(
            'div',
            { class: 'button-row' },
            h(CopyButton, {
              label: 'Copy all',
              text: () =>
                [`machine: ${machine.slug}`, ...secrets.map(({ name, text }) => `${name}: ${text}`)].join('\n'),
            }),
            own === undefined ? null : h(UseKey, { own }),
          ),
        ],
    h(
      'div',
      { class: 'button-row' },
      h(
        'button',
        { type: 'button', class: 'quiet', onClick: forget },
        secrets.length === 0 ? 'Another machine' : 'I have kept them',
      ),
    ),
  );
}

const forget = () => {
  made.value = undefined;
};

/** Only if the visitor says so: a key in the page is a key that acts. */
function UseKey({ own }: { readonly own: string }) {
  const isUsed = key.value?.key === own;
  const use = () => keepKey({ key: own, keyPrefix: own.slice(0, 'svc_ak_'.length + 8), isDemo: false });
  return h(
    'button',
    { type: 'button', class: isUsed ? '' : 'primary', disabled: isUsed, onClick: use },
    isUsed ? 'In use in this tab' : 'Use this key in this tab',
  );
}
