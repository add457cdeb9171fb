// Fixture: loans, each with its own borrower, who asks for it; a bank that lends, and two of three auditors who release.

import { Definition } from '../../../src/contracts/definition.ts';
import { transition } from '../transition.ts';

const on = (event: string) => ({ kind: 'event', event });

/** A contract for one loan. */
export const LOAN = Definition.parse({
  name: 'loan',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'asked',
  pause: 'operator',
  context: { owed: { type: 'integer', initial: 0 }, last: { type: 'string', initial: '' } },
  parties: { borrower: {}, bank: {}, auditors: { count: { min: 1, max: 3 } } },
  events: {
    ask: { payload: { loan: 'string', amount: 'integer', borrower: 'string' } },
    grant: { payload: { loan: 'string' }, from: 'bank' },
    repay: { payload: { loan: 'string', amount: 'integer' }, from: 'borrower' },
    check: { payload: { loan: 'string', ok: 'boolean' } },
    note: { payload: { loan: 'string', text: 'string' } },
  },
  emits: ['repaid'],
  states: {
    asked: { role: 'initial' },
    granted: { role: 'intermediate' },
    repaid: { role: 'intermediate' },
    closed: { role: 'terminal', outcome: 'success' },
    lapsed: { role: 'terminal', outcome: 'expired' },
  },
  transitions: [
    transition('ask', 'asked', 'asked', on('ask'), {
      fires_when: 'owed == 0 and event.amount > 0',
      post: [{ set: { owed: 'event.amount', last: 'event.actor' } }],
    }),
    transition('grant', 'asked', 'granted', on('grant'), { proof: true, post: [{ set: { last: 'event.actor' } }] }),
    transition('settle', 'granted', 'repaid', on('repay'), {
      fires_when: 'event.amount >= owed',
      priority: 1,
      post: [{ set: { owed: '0', last: 'event.sender' } }, { emit: 'repaid' }],
    }),
    transition('part', 'granted', 'granted', on('repay'), { post: [{ set: { owed: 'owed - event.amount' } }] }),
    transition('note', ['granted', 'repaid'], 'granted', on('note'), {
      from: 'granted',
      by: ['bank', 'borrower'],
      post: [{ set: { last: 'event.actor' } }],
    }),
    transition('close', 'repaid', 'closed', {
      kind: 'quorum',
      event: 'check',
      of: ['auditors', 'borrower'],
      at_least: '2',
      filter: 'event.ok',
      veto: 'not event.ok',
      changes: true,
    }),
    transition('lapse', 'asked', 'lapsed', { kind: 'one_shot', after: 20 }),
  ],
});

/** The same, an instance for each loan, which binds its borrower. */
export const LOANS: Definition = {
  ...LOAN,
  key: 'event.loan',
  spawn: 'ask',
  parties: { ...LOAN.parties, borrower: { bind: 'event.borrower' } },
};

/** Whoever asks for a loan is its borrower. */
export const OWN_LOANS: Definition = {
  ...LOANS,
  parties: { ...LOANS.parties, borrower: { bind: 'event.actor' } },
  events: { ...LOANS.events, ask: { payload: { loan: 'string', amount: 'integer' }, from: 'borrower' } },
};

/** Loans for tests by the clock of the machine, on which twenty ticks may pass between two requests. */
const patient = (definition: Definition): Definition => ({
  ...definition,
  transitions: definition.transitions.map((one) =>
    one.id === 'lapse' ? { ...one, trigger: { kind: 'one_shot', after: 'P300D' } } : one,
  ),
});
export const PATIENT_LOANS = patient(LOANS);
export const PATIENT_OWN_LOANS = patient(OWN_LOANS);
