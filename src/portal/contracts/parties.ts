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

type View = ApiOutput<'contract.parties'>;
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
          data.you === null
            ? null
            : h('p', { class: 'quiet-text' }, 'Your key acts for ', h('strong', null, data.you), '.'),
          h(
            'dl',
            { class: 'stacked-facts' },
            data.parties.map(({ name, description, bound }) =>
              h(
                'div',
                { key: name, 'data-party': name },
                h('dt', { title: description ?? undefined }, name),
                h(
                  'dd',
                  null,
                  h(
                    'ul',
                    { class: 'voters' },
                    bound.map(({ voter }) => h('li', { key: voter, title: voter }, h('code', null, shortVoter(voter)))),
                  ),
                ),
              ),
            ),
          ),
          data.quorums.map((quorum) => h(QuorumProgress, { key: quorum.transition, quorum })),
          data.proposals.map((proposal) =>
            h(ProposalCard, { key: proposal.no, slug, contract, proposal, you: data.you, onContract }),
          ),
        ],
  );
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
  readonly contract: ContractRecord;
  readonly proposal: Proposal;
  readonly you: string | null;
  readonly onContract: (contract: ContractRecord) => void;
}

function ProposalCard({ slug, contract, proposal, you, onContract }: ProposalProps) {
  const { no, kind, terms_hash, definition, parameters, name, bindings, migrate, accepted_by, missing } = proposal;
  const { isBusy, error, run } = useRequest();
  const decide = (act: 'contract.accept' | 'contract.withdraw') =>
    run(async () => onContract((await callApiAsMember(act, { slug, id: contract.id, no, terms_hash })).contract));
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
