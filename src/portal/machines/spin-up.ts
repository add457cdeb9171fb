// Creates a machine, an identity and a key in one step. The secrets are shown once and stored nowhere.

import { signal } from '@preact/signals';
import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiOutput } from '../../client/client.ts';
import { CopyButton } from '../kit/copy-button.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { Notice } from '../kit/notice.ts';
import { useRequest } from '../kit/use-request.ts';
import { callApiAsVisitor, currentKey, storeKey } from '../session.ts';
import { machinePath } from './breadcrumbs.ts';

/** Response with one-time secrets; without them if the visitor's account owns the machine. */
type SpinUpResult = ApiOutput<'machine.spin-up'>;

/** Kept until the visitor confirms or closes the tab, so that navigation does not lose the secrets. */
const created = signal<SpinUpResult | undefined>(undefined);

async function createMachine(displayName: string, isPublic: boolean): Promise<SpinUpResult> {
  const result = await callApiAsVisitor('machine.spin-up', { displayName, is_public: isPublic });
  created.value = result;
  return result;
}

/**
 * Creates a private machine and uses its key in this tab; its secrets are shown by `CreatedSecrets`.
 *
 * @returns its slug
 */
export async function createOwnMachine(displayName: string): Promise<string> {
  const { machine, key } = await createMachine(displayName, false);
  if (key !== undefined) useInTab(key);
  return machine.slug;
}

/** The secrets of that machine until the visitor has saved them; nothing if it was not created in this tab. */
export function CreatedSecrets({ slug }: { readonly slug: string }) {
  const result = created.value;
  if (result?.machine.slug !== slug || result.key === undefined) return null;
  return h(
    'section',
    { class: 'panel created-secrets', 'aria-labelledby': 'created-title' },
    h('h2', { id: 'created-title' }, 'Your new machine'),
    h(CreatedMachine, { result, isFolded: true }),
  );
}

interface Props {
  readonly onCreated: () => void;
}

export function SpinUp({ onCreated }: Props) {
  const [name, setName] = useState('');
  const [isPublic, setPublic] = useState(false);
  const { isBusy, error, run } = useRequest();
  const submit = (event: Event) => {
    event.preventDefault();
    void run(async () => {
      const displayName = name.trim() || 'New machine';
      await createMachine(displayName, isPublic);
      setName('');
      onCreated();
    });
  };
  const isOwner = currentKey.value !== undefined && !currentKey.value.isDemo;
  return h(
    'section',
    { class: 'panel spin-up', 'aria-labelledby': 'spin-up-title' },
    h('h2', { id: 'spin-up-title' }, 'Spin up a machine'),
    created.value === undefined
      ? h(
          'form',
          { class: 'stack', onSubmit: submit },
          h(
            'p',
            { class: 'quiet-text' },
            isOwner
              ? 'Your account will own the machine.'
              : 'No account needed: the machine comes with a new identity and key.',
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
          h(
            'label',
            { class: 'check' },
            h('input', {
              type: 'checkbox',
              checked: isPublic,
              onInput: (event: Event) => setPublic((event.target as HTMLInputElement).checked),
            }),
            ' Anyone may read it',
          ),
          h('button', { type: 'submit', class: 'primary', disabled: isBusy }, isBusy ? 'Creating …' : 'Spin up'),
        )
      : h(CreatedMachine, { result: created.value, isFolded: false }),
    h('div', { 'aria-live': 'polite' }, error === undefined ? null : h(Notice, errorNotice(error))),
  );
}

interface CreatedProps {
  readonly result: SpinUpResult;
  /** Beside what the machine was created for, which the texts would push out of sight. */
  readonly isFolded: boolean;
}

function CreatedMachine({ result, isFolded }: CreatedProps) {
  const { machine, zid, equation, salt, key } = result;
  const secrets = Object.entries({ ZID: zid, equation, salt, key }).flatMap(([name, text]) =>
    text === undefined ? [] : [{ name, text }],
  );
  return h(
    'div',
    { class: 'stack made', role: 'status' },
    h(
      'p',
      { hidden: isFolded },
      h('a', { href: machinePath(machine.slug), 'data-page': '' }, machine.name),
      machine.is_public || key === undefined || currentKey.value?.key === key
        ? ' is ready.'
        : ' is ready. It is private: use its key in this tab to open it.',
    ),
    secrets.length === 0
      ? h('p', { class: 'quiet-text' }, 'Your account owns it.')
      : [
          h(
            'div',
            { class: 'notice notice-warn' },
            h('p', { class: 'notice-title' }, 'These secrets are shown only once. Save them now.'),
            h(
              'p',
              null,
              'Only equation and salt can recover this identity, and nobody can show them to you again. Anyone with the key can write as you.',
            ),
          ),
          isFolded
            ? h('details', null, h('summary', null, 'Show them'), h(SecretList, { secrets }))
            : h(SecretList, { secrets }),
          h(
            'div',
            { class: 'button-row' },
            h(CopyButton, {
              label: 'Copy all',
              text: () =>
                [`machine: ${machine.slug}`, ...secrets.map(({ name, text }) => `${name}: ${text}`)].join('\n'),
            }),
            key === undefined ? null : h(UseKey, { newKey: key }),
            isFolded ? h(SavedButton, { hasSecrets: true }) : null,
          ),
        ],
    isFolded && secrets.length > 0
      ? null
      : h('div', { class: 'button-row' }, h(SavedButton, { hasSecrets: secrets.length > 0 })),
  );
}

function SecretList({ secrets }: { readonly secrets: readonly { readonly name: string; readonly text: string }[] }) {
  return h(
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
  );
}

const SavedButton = ({ hasSecrets }: { readonly hasSecrets: boolean }) =>
  h(
    'button',
    { type: 'button', class: 'quiet', onClick: clearCreated },
    hasSecrets ? 'I have saved them' : 'Create another machine',
  );

const clearCreated = () => {
  created.value = undefined;
};

/** Stores the key only on request, because a stored key authorises all actions of the page. */
function UseKey({ newKey }: { readonly newKey: string }) {
  const isUsed = currentKey.value?.key === newKey;
  return h(
    'button',
    { type: 'button', class: isUsed ? '' : 'primary', disabled: isUsed, onClick: () => useInTab(newKey) },
    isUsed ? 'Used in this tab' : 'Use this key in this tab',
  );
}

const useInTab = (key: string) => storeKey({ key, keyPrefix: key.slice(0, 'svc_ak_'.length + 8), isDemo: false });
