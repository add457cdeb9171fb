// List of verified claims, each with its outcome and the reason for a failure.

import { h } from 'preact';

export interface ClaimRow {
  readonly claim: string;
  /** Undefined if not checked yet, or not checkable. */
  readonly ok?: boolean | undefined;
  readonly reason?: string | undefined;
}

const SENTENCES: Readonly<Record<string, string>> = {
  seal: 'The receipt is sealed',
  key: 'The receipt contains the key that signed it',
  keyid: 'The signature names this key',
  signature: 'The signature is valid (Ed25519)',
  statement: 'The signed statement matches this receipt',
  'key pinned': 'The key belongs to this node',
  hmac: 'The issuing node confirms it (HMAC)',
  replay: 'Recomputing it with its kernel gives the same bits',
  identity: 'The machine identity matches the first row of this chain',
  rows: 'Every row matches its hash, its commitment and the previous row',
  checkpoint: 'The checkpoint is signed (Ed25519)',
  tree: 'The rows hash to the signed root',
  payloads: 'Every payload is present and was compared',
  definitions: 'The contract definitions match the chain',
  transitions: 'Every transition is allowed by its contract',
};

const outcomeText = (ok: boolean | undefined) => (ok === undefined ? 'not checked' : ok ? 'holds' : 'fails');

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
          h('span', { class: 'claim-word' }, outcomeText(ok)),
          reason === undefined ? null : h('span', { class: 'claim-reason' }, reason),
        ),
      ),
    ),
  );
}
