// Keys page: creates a demo key, stores an entered key and shows the remaining rate limit.

import { h } from 'preact';
import { dateTimeText } from '../kit/date-text.ts';
import '../style/keys.css';
import { useEffect, useState } from 'preact/hooks';
import { CopyButton } from '../kit/copy-button.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { formatCount } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { useRequest } from '../kit/use-request.ts';
import { type ApiKey, callApi, callApiAsVisitor, currentKey, mintDemoKey, rateLimit, storeKey } from '../session.ts';

export function KeysPage() {
  const { isBusy, error, run } = useRequest();
  const apiKey = currentKey.value;
  return h(
    'div',
    { class: 'page narrow' },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'Keys'),
      h(
        'p',
        { class: 'lead' },
        'An API key identifies you to the server. A demo key is free, needs no account and lasts one day.',
      ),
    ),
    error === undefined ? null : h(Notice, errorNotice(error)),
    h(
      'section',
      { class: 'panel key-panel', 'aria-labelledby': 'key-title' },
      h('h2', { id: 'key-title' }, apiKey === undefined ? 'No key yet' : apiKey.isDemo ? 'Your demo key' : 'Your key'),
      apiKey === undefined ? h(NoKey, null) : h(CurrentKey, { apiKey }),
      h(
        'div',
        { class: 'button-row' },
        h(
          'button',
          {
            type: 'button',
            class: apiKey === undefined ? 'primary' : '',
            disabled: isBusy,
            onClick: () => run(mintDemoKey),
          },
          apiKey === undefined ? 'Create a demo key' : 'Create a new demo key',
        ),
        apiKey === undefined
          ? null
          : h('button', { type: 'button', class: 'quiet', onClick: () => storeKey(undefined) }, 'Remove key'),
      ),
    ),
    h(RateLimitPanel, { hasKey: apiKey !== undefined, refresh: () => void run(refreshRateLimit) }),
    h(KeyForm, { isBusy, onKey: (text: string) => void run(() => enterKey(text)) }),
  );
}

const refreshRateLimit = () => callApiAsVisitor('pulse.read', {});

/** Checks the key with the node before storing it. */
async function enterKey(text: string): Promise<void> {
  await callApi('run.list', { limit: 1 }, { key: text });
  const isDemo = text.startsWith('svc_ak_demo_');
  storeKey({ key: text, keyPrefix: text.slice(0, (isDemo ? 'svc_ak_demo_' : 'svc_ak_').length + 8), isDemo });
}

function NoKey() {
  return h('p', { class: 'key-text' }, 'Solving in this browser needs no key. The server requires one.');
}

function CurrentKey({ apiKey }: { readonly apiKey: ApiKey }) {
  const [isShown, setShown] = useState(false);
  const expires = apiKey.expiresAt === undefined ? undefined : new Date(apiKey.expiresAt);
  return h(
    'div',
    { class: 'own-key' },
    h('code', { class: 'own-key-text' }, isShown ? apiKey.key : `${apiKey.keyPrefix}${'•'.repeat(16)}`),
    h(
      'div',
      { class: 'button-row' },
      h(
        'button',
        { type: 'button', 'aria-pressed': isShown, onClick: () => setShown(!isShown) },
        isShown ? 'Hide' : 'Show',
      ),
      h(CopyButton, { label: 'Copy key', text: () => apiKey.key }),
    ),
    h(
      'p',
      { class: 'key-text' },
      expires === undefined ? 'Stored until you close this tab.' : `Expires ${dateTimeText(expires)}.`,
    ),
  );
}

function RateLimitPanel({ hasKey, refresh }: { readonly hasKey: boolean; readonly refresh: () => void }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    refresh();
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [hasKey]);
  const current = rateLimit.value;
  const seconds = Math.ceil(((current?.resetsAtMs ?? now) - now) / 1000);
  const used = current === undefined || seconds <= 0 ? 0 : current.limit - current.remaining;
  const limit = current?.limit ?? 1;
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'limits-title' },
    h('h2', { id: 'limits-title' }, 'Requests this minute'),
    h(
      'div',
      { class: 'limits' },
      h('meter', { min: 0, max: limit, high: 0.8 * limit, optimum: 0, value: used, 'aria-labelledby': 'limits-title' }),
      h(
        'p',
        { class: 'key-text' },
        current === undefined
          ? 'Unknown until the first request.'
          : `${formatCount(used)} of ${formatCount(limit)} used. ${seconds > 0 ? `Resets in ${seconds} s.` : 'All available.'}`,
      ),
      h('button', { type: 'button', onClick: refresh }, 'Refresh'),
    ),
  );
}

interface KeyFormProps {
  readonly isBusy: boolean;
  readonly onKey: (text: string) => void;
}

function KeyForm({ isBusy, onKey }: KeyFormProps) {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    onKey(text.trim());
    setText('');
  };
  return h(
    'form',
    { class: 'panel given-key', onSubmit: submit },
    h('h2', null, 'Use your own key'),
    h('label', { for: 'given-key' }, 'Key'),
    h(
      'div',
      { class: 'given-key-row' },
      h('input', {
        id: 'given-key',
        type: 'password',
        autocomplete: 'off',
        spellcheck: false,
        placeholder: 'svc_ak_…',
        value: text,
        onInput: (event: Event) => setText((event.target as HTMLInputElement).value),
      }),
      h('button', { type: 'submit', disabled: isBusy || text.trim() === '' }, 'Use'),
    ),
    h('p', { class: 'key-text' }, 'The key is checked with this node, stored in this tab and sent nowhere else.'),
  );
}
