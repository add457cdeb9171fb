// The parties of a contract: who is bound, how far its quorums are, and proposals to accept or withdraw.

import { h } from 'preact';
import type { ApiOutput } from '../../client/client.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { groupHex, pluralise } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { useRequest } from '../kit/use-request.ts';
import type { ContractRecord } from '../machines/records.ts';
import { callApiAsMember, callApiAsVisitor, currentKey } from '../session.ts';

export type View = ApiOutput<'contract.parties'>;
type Proposal = View['proposals'][number];
type Quorum = View['quorums'][number];

interface Props {
  readonly slug: string;
  readonly contract: ContractRecord;
  /** Number of the newest row of the machine. */
  readonly seq: number;
  readonly onContract: (contract: ContractRecord) => void;
}

export function Parties({ slug, contract, seq, onContract }: Props) {
  const { id } = contract;
  const key = currentKey.value?.keyPrefix ?? '';
  const { data, error } = useQuery(`${key} ${id} ${seq}`, (_, signal) =>
    callApiAsVisitor('contract.parties', { slug, id }, signal),
  );
  return h(
    'section',
    { class: 'panel parties', 'aria-labelledby': 'parties-title' },
    h('h2', { id: 'parties-title' }, 'Parties'),
    error === undefined ? null : h(Notice, errorNotice(error)),
    data === undefined
      ? null
      : [
          h(BoundParties, { key: 'bound', view: data }),
          data.proposals.map((proposal) =>
            h(ProposalCard, { key: proposal.no, slug, id, proposal, you: data.you, onDecided: onContract }),
          ),
        ],
  );
}

/** For whom the key acts, who is bound to each party, and how far the quorums are. */
export function BoundParties({ view: { you, parties, quorums } }: { readonly view: View }) {
  return [
    you === null ? null : h('p', { class: 'quiet-text' }, 'Your key acts for ', h('strong', null, you), '.'),
    h(
      'dl',
      { class: 'stacked-facts' },
      parties.map(({ name, description, bind, bound }) =>
        h(
          'div',
          { key: name, 'data-party': name },
          h('dt', { title: description ?? undefined }, name),
          h(
            'dd',
            null,
            bind !== null && bound.length === 0
              ? h('span', { class: 'quiet-text' }, 'each instance has its own')
              : null,
            h(
              'ul',
              { class: 'voters' },
              bound.map(({ voter }) => h('li', { key: voter, title: voter }, h('code', null, shortVoter(voter)))),
            ),
          ),
        ),
      ),
    ),
    quorums.map((quorum) => h(QuorumProgress, { key: quorum.transition, quorum })),
  ];
}

/** `zid 1234 5678 …`; the whole of it is its title. */
function shortVoter(voter: string): string {
  const [kind = '', value = ''] = voter.split(':');
  return `${kind} ${groupHex(value.slice(0, 16))}${value.length > 16 ? ' …' : ''}`;
}

function QuorumProgress({ quorum }: { readonly quorum: Quorum }) {
  const { transition, count, needed, vetoes, votes } = quorum;
  const counting = votes.filter((vote) => vote.counts);
  return h(
    'div',
    { class: 'quorum', 'data-quorum': transition },
    h(
      'p',
      null,
      h('strong', null, transition),
      ` ${count} of ${needed}`,
      vetoes === 0 ? '' : `, ${pluralise(vetoes, 'veto')}`,
    ),
    h('progress', {
      max: needed,
      value: Math.min(count, needed),
      'aria-label': `${transition}: ${count} of ${needed}`,
    }),
    counting.length === 0
      ? null
      : h('p', { class: 'quiet-text' }, counting.map(({ voter }) => shortVoter(voter)).join(', ')),
  );
}

interface ProposalProps {
  readonly slug: string;
  /** Of the contract. */
  readonly id: string;
  /** Key of the instance, of a proposal to the parties of one. */
  readonly instance?: string | undefined;
  readonly proposal: Proposal;
  readonly you: string | null;
  readonly onDecided: (contract: ContractRecord) => void;
}

export function ProposalCard({ slug, id, instance, proposal, you, onDecided }: ProposalProps) {
  const { no, kind, terms_hash, definition, parameters, name, bindings, migrate, accepted_by, missing } = proposal;
  const { isBusy, error, run } = useRequest();
  const decide = (act: 'contract.accept' | 'contract.withdraw') =>
    run(async () => onDecided((await callApiAsMember(act, { slug, id, no, terms_hash, instance })).contract));
  const needed = Math.min(...missing.map((way) => way.needed));
  const button = (label: string, act: 'contract.accept' | 'contract.withdraw') =>
    h('button', { type: 'button', disabled: isBusy, onClick: () => void decide(act) }, label);
  return h(
    'div',
    { class: 'proposal', 'data-proposal': no },
    h('h3', null, kind === 'binding' ? `Proposed binding (row ${no})` : `Proposed version (row ${no})`),
    h('p', null, `Accepted by ${accepted_by.length}; ${needed} more needed.`),
    h(
      'details',
      null,
      h('summary', null, 'What it changes'),
      h(
        'pre',
        null,
        JSON.stringify(
          kind === 'binding' ? bindings : { name, parameters, definition, ...(migrate === null ? {} : { migrate }) },
          null,
          2,
        ),
      ),
      h('p', { class: 'quiet-text' }, 'terms ', h('code', null, groupHex(terms_hash))),
    ),
    h(
      'div',
      { class: 'button-row' },
      you === null ? null : button('Accept', 'contract.accept'),
      currentKey.value === undefined ? null : button('Withdraw', 'contract.withdraw'),
    ),
    h('div', { 'aria-live': 'polite' }, error === undefined ? null : h(Notice, errorNotice(error))),
  );
}
