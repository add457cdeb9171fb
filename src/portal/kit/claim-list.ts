// What was claimed, whether it holds, and why not.

import { h } from 'preact';

export interface ClaimRow {
  readonly claim: string;
  /** Undefined while nobody has looked, or nobody could. */
  readonly ok?: boolean | undefined;
  readonly reason?: string | undefined;
}

const SENTENCES: Readonly<Record<string, string>> = {
  seal: 'The receipt carries a seal',
  key: 'The receipt carries the key that signed it',
  keyid: 'The signature names this key',
  signature: 'The signature is genuine (Ed25519)',
  statement: 'The signed statement is about this receipt, unchanged',
  'key pinned': 'The key belongs to this node',
  hmac: 'The node that issued it still says so (HMAC)',
  replay: 'Computed again from its kernel, every bit is the same',
  identity: 'The name follows from the first row of this chain',
  rows: 'Every row has its hash, names the one before, and shows what it committed to',
  checkpoint: 'The checkpoint is signed (Ed25519)',
  tree: 'The rows lead to the root that was signed',
  payloads: 'Every payload is there to be compared',
  definitions: 'The contracts are those that the chain put into force',
  transitions: 'Every transition is one of its contract',
};

const word = (ok: boolean | undefined) => (ok === undefined ? 'not checked' : ok ? 'holds' : 'fails');

export function ClaimList({ claims }: { readonly claims: readonly ClaimRow[] }) {
  return h(
    'ul',
    { class: 'claims' },
    claims.map(({ claim, ok, reason }) =>
      h(
        'li',
        { key: claim, class: `claim claim-${ok === undefined ? 'open' : ok ? 'good' : 'bad'}`, 'data-claim': claim },
        h('span', { class: 'claim-mark', 'aria-hidden': true }, ok === undefined ? '·' : ok ? '✓' : '✗'),
        h(
          'span',
          { class: 'claim-text' },
          SENTENCES[claim] ?? claim,
          h('span', { class: 'claim-word' }, word(ok)),
          reason === undefined ? null : h('span', { class: 'claim-reason' }, reason),
        ),
      ),
    ),
  );
}
