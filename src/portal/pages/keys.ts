// Keys: a demo key in one step, or one's own, and what is left of the minute.

import { h } from 'preact';
import '../style/keys.css';
import { useEffect, useState } from 'preact/hooks';
import { CopyButton } from '../kit/copy-button.ts';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { ask, type Key, keepKey, key, mintDemoKey, usage } from '../session.ts';

export function KeysPage() {
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const mine = key.value;

  /** One step at a time; a refusal is shown and nothing is lost. */
  const attempt = (step: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    step().then(
      () => setBusy(false),
      (cause: unknown) => {
        setBusy(false);
        setError(cause);
      },
    );
  };
  return h(
    'div',
    { class: 'page narrow' },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'Keys'),
      h('p', { class: 'lead' }, 'A key says who asks. A demo key is free, needs no account and lasts a day.'),
    ),
    error === undefined ? null : h(Notice, noticeOf(error)),
    h(
      'section',
      { class: 'panel key-panel', 'aria-labelledby': 'key-title' },
      h('h2', { id: 'key-title' }, mine === undefined ? 'No key yet' : mine.isDemo ? 'Your demo key' : 'Your key'),
      mine === undefined ? h(NoKey, null) : h(OwnKey, { mine }),
      h(
        'div',
        { class: 'button-row' },
        h(
          'button',
          {
            type: 'button',
            class: mine === undefined ? 'primary' : '',
            disabled: isBusy,
            onClick: () => attempt(mintDemoKey),
          },
          mine === undefined ? 'Mint a demo key' : 'Mint another',
        ),
        mine === undefined
          ? null
          : h('button', { type: 'button', class: 'quiet', onClick: () => keepKey(undefined) }, 'Forget it'),
      ),
    ),
    h(Limits, { hasKey: mine !== undefined, refresh: () => attempt(lookAtLimits) }),
    h(GivenKey, { isBusy, take: (text: string) => attempt(() => takeKey(text)) }),
  );
}

const lookAtLimits = () => ask('GET', '/api/svc/pulse', key.value ? { key: key.value.key } : {});

/** A key of an account stays only while this tab is open. */
async function takeKey(text: string): Promise<void> {
  await ask('GET', '/api/svc/runs?limit=1', { key: text });
  const isDemo = text.startsWith('svc_ak_demo_');
  keepKey({ key: text, keyPrefix: text.slice(0, (isDemo ? 'svc_ak_demo_' : 'svc_ak_').length + 8), isDemo });
}

function NoKey() {
  return h(
    'p',
    { class: 'key-text' },
    'Solving here in the browser needs none. The server asks for one before it computes.',
  );
}

function OwnKey({ mine }: { readonly mine: Key }) {
  const [isShown, setShown] = useState(false);
  const expires = mine.expiresAt === undefined ? undefined : new Date(mine.expiresAt);
  return h(
    'div',
    { class: 'own-key' },
    h('code', { class: 'own-key-text' }, isShown ? mine.key : `${mine.keyPrefix}${'•'.repeat(16)}`),
    h(
      'div',
      { class: 'button-row' },
      h(
        'button',
        { type: 'button', 'aria-pressed': isShown, onClick: () => setShown(!isShown) },
        isShown ? 'Hide' : 'Show',
      ),
      h(CopyButton, { label: 'Copy key', text: () => mine.key }),
    ),
    h(
      'p',
      { class: 'key-text' },
      expires === undefined ? 'Kept while this tab is open.' : `Ends ${expires.toLocaleString()}.`,
    ),
  );
}

function Limits({ hasKey, refresh }: { readonly hasKey: boolean; readonly refresh: () => void }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    refresh();
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [hasKey]);
  const seen = usage.value;
  const seconds = Math.ceil(((seen?.resetsAtMs ?? now) - now) / 1000);
  const used = seen === undefined || seconds <= 0 ? 0 : seen.limit - seen.remaining;
  const limit = seen?.limit ?? 1;
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
        seen === undefined
          ? 'Not known yet.'
          : `${used} of ${limit} used. ${seconds > 0 ? `All are back in ${seconds} s.` : 'All are there.'}`,
      ),
      h('button', { type: 'button', onClick: refresh }, 'Look again'),
    ),
  );
}

interface GivenProps {
  readonly isBusy: boolean;
  readonly take: (text: string) => void;
}

function GivenKey({ isBusy, take }: GivenProps) {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    take(text.trim());
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
    h('p', { class: 'key-text' }, 'It is checked with this node, kept in this tab, and sent nowhere else.'),
  );
}
