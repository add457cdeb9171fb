// Parties of one instance: who is bound, how far its quorums are, proposals, and a version that waits for acceptance.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { errorNotice } from '../kit/error-notice.ts';
import { groupHex } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { useRequest } from '../kit/use-request.ts';
import { callApiAsMember, callApiAsVisitor, currentKey } from '../session.ts';
import { BoundParties, ProposalCard, type View } from './parties.ts';

interface Props {
  readonly slug: string;
  /** Of the contract. */
  readonly id: string;
  /** Of the instance. */
  readonly instance: string;
  /** Changes with the instance. */
  readonly at: string;
}

export function InstanceParties({ slug, id, instance, at }: Props) {
  const [decisions, setDecisions] = useState(0);
  const key = currentKey.value?.keyPrefix ?? '';
  const { data, error } = useQuery(`${key} ${id} ${instance} ${at} ${decisions}`, (_, signal) =>
    callApiAsVisitor('contract.instance-parties', { slug, id, key: instance }, signal),
  );
  if (error !== undefined) return h(Notice, errorNotice(error));
  if (data === undefined || data.parties.length === 0) return null;
  const onDecided = () => setDecisions(decisions + 1);
  const { version, you, proposals } = data;
  return h(
    'div',
    { class: 'parties', 'data-instance-parties': instance },
    h(BoundParties, { view: data }),
    proposals.map((proposal) => h(ProposalCard, { key: proposal.no, slug, id, instance, proposal, you, onDecided })),
    version === null ? null : h(VersionCard, { slug, id, instance, version, you, onDecided }),
  );
}

interface VersionProps extends Omit<Props, 'at'> {
  readonly version: NonNullable<View['version']>;
  readonly you: string | null;
  readonly onDecided: () => void;
}

function VersionCard({ slug, id, instance, version, you, onDecided }: VersionProps) {
  const { no, terms_hash, definition, parameters, missing } = version;
  const { isBusy, error, run } = useRequest();
  const accept = () =>
    run(async () => {
      await callApiAsMember('contract.accept-version', { slug, id, key: instance, version_no: no, terms_hash });
      onDecided();
    });
  return h(
    'div',
    { class: 'proposal', 'data-version': no },
    h('h3', null, `Version ${no} waits for its parties`),
    h('p', null, `It goes on under its own version until ${missing.length} more have accepted.`),
    h(
      'details',
      null,
      h('summary', null, 'What it says'),
      h('pre', null, JSON.stringify({ parameters, definition }, null, 2)),
      h('p', { class: 'quiet-text' }, 'terms ', h('code', null, groupHex(terms_hash))),
    ),
    you === null
      ? null
      : h(
          'div',
          { class: 'button-row' },
          h('button', { type: 'button', disabled: isBusy, onClick: () => void accept() }, 'Accept'),
        ),
    h('div', { 'aria-live': 'polite' }, error === undefined ? null : h(Notice, errorNotice(error))),
  );
}
