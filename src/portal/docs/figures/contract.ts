// A small contract: its states, and a button for everything that may happen next.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import '../../style/contracts.css';
import { type Definition, sourcesOf } from '../../../contracts/definition.ts';
import { Diagram } from '../../contracts/diagram.ts';

const event = (name: string) => ({ kind: 'event', event: name }) as const;

/** An order that is paid within a week or lapses. */
const ORDER: Definition = {
  name: 'order',
  version: '1.0',
  operators: ['KO42'],
  initial: 'open',
  events: { pay: {}, ship: {}, receive: {}, complain: {}, refund: {} },
  states: {
    open: { role: 'initial' },
    paid: { role: 'intermediate' },
    shipped: { role: 'intermediate' },
    disputed: { role: 'intermediate' },
    done: { role: 'terminal', outcome: 'success' },
    lapsed: { role: 'terminal', outcome: 'failure' },
    refunded: { role: 'terminal', outcome: 'failure' },
  },
  transitions: [
    { id: 'pay', from: 'open', to: 'paid', operator: 'KO42', proof: false, trigger: event('pay') },
    {
      id: 'lapse',
      from: 'open',
      to: 'lapsed',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'one_shot', after: 'P7D' },
    },
    { id: 'ship', from: 'paid', to: 'shipped', operator: 'KO42', proof: false, trigger: event('ship') },
    { id: 'receive', from: 'shipped', to: 'done', operator: 'KO42', proof: false, trigger: event('receive') },
    { id: 'complain', from: 'shipped', to: 'disputed', operator: 'KO42', proof: false, trigger: event('complain') },
    { id: 'refund', from: 'disputed', to: 'refunded', operator: 'KO42', proof: false, trigger: event('refund') },
    { id: 'settle', from: 'disputed', to: 'done', operator: 'KO42', proof: false, trigger: event('receive') },
  ],
};

interface Fire {
  readonly seq: number;
  readonly transition: string;
  readonly from: string;
  readonly to: string;
}

export function ContractFigure() {
  const [fires, setFires] = useState<readonly Fire[]>([]);
  const last = fires.at(-1);
  const current = last?.to ?? ORDER.initial;
  const next = ORDER.transitions.filter((transition) => sourcesOf(transition).includes(current));
  return [
    h('p', { class: 'docs-figure-title' }, 'An order that lapses when nobody pays within seven days'),
    h(Diagram, { definition: ORDER, current, last, isActive: next.length > 0 }),
    h(
      'div',
      { class: 'button-row' },
      next.map(({ id, to, trigger }) =>
        h(
          'button',
          {
            key: id,
            type: 'button',
            onClick: () => setFires([...fires, { seq: fires.length + 1, transition: id, from: current, to }]),
          },
          trigger.kind === 'event' ? `Send ${trigger.event}` : 'Let seven days pass',
        ),
      ),
      h('button', { type: 'button', disabled: fires.length === 0, onClick: () => setFires([]) }, 'Start again'),
    ),
    h(
      'div',
      { role: 'log', 'aria-label': 'Rows of the chain' },
      h(
        'ol',
        { class: 'docs-fires' },
        h('li', null, `row 0: deployed in ${ORDER.initial}`),
        fires.map(({ seq, transition, from, to }) =>
          h('li', { key: seq }, `row ${seq}: ${transition}, ${from} → ${to}`),
        ),
      ),
    ),
    h(
      'figcaption',
      null,
      next.length === 0
        ? `${current} is a terminal state: nothing can move this contract any more.`
        : `In ${current}, nothing else can happen. Each step would be a row of the chain.`,
    ),
  ];
}
