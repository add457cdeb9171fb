// Every acceptance template is changed in small ways; its check and its scenarios must notice at least 95 % of them.

import { beforeAll, expect, test } from 'vitest';
import { definitionFaults } from '../../src/contracts/check.ts';
import { compileContract } from '../../src/contracts/compiled.ts';
import type { Environment } from '../../src/contracts/contract-state.ts';
import { Definition } from '../../src/contracts/definition.ts';
import { simulate } from '../../src/contracts/simulate.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { evaluateOperator } from '../../src/operators/evaluate.ts';
import { findOperator } from '../../src/operators/load.ts';
import { findTemplate } from '../../src/templates/load.ts';
import { mutantsOf } from './definition-mutants.ts';

/** The acceptance set. */
const ACCEPTANCE = `auction-sealed-bid bill-of-lading-transfer champion-challenger dead-mans-switch dunning-cycle
  escrow-dispute-window flash-sale-hold letter-of-credit loan-amortisation-watch lockout-tagout multi-signature-treasury on-call-handover
  order-fulfilment parametric-windstorm-cover quorum-vote slo-burn-rate-alert split-payout-settlement table-waitlist two-person-approval
  warranty-claim-return`.split(/\s+/);
/** Templates whose transitions start activities. */
const CALLING = ['crane-proof-load-certificate'];
/** Of those that change what the agreement does. */
const MIN_KILLED = 0.95;

/**
 * Mutants that do the same, with the reason. They are counted apart; a reason that no longer fits
 * any survivor fails the test.
 */
const SAME: Readonly<Record<string, readonly (readonly [mutants: RegExp, reason: string])[]>> = {
  'auction-sealed-bid': [
    [
      /^transitions\.fail\.fires_when: without|^transitions\.uphold\.fires_when: without/,
      'the transition before it fires first',
    ],
    [/"" at \d+ becomes "other"/, 'the default of a key that is there, or a text that is no hash'],
    [
      /^events\.(reveal|challenge)\.from/,
      'the guard asks for a seal or a revealed bid of the sender, which only bidders have',
    ],
  ],
  'bill-of-lading-transfer': [
    [
      /^events\.(endorse|withdraw|surrender|object)\.from/,
      'the guard asks for the holder, and only a trader can have accepted',
    ],
  ],
  'champion-challenger': [
    [
      /^transitions\.count_challenger\.fires_when: without/,
      'samples of the champion are counted by the transition before it',
    ],
    [/^transitions\.end_undecided\.fires_when: without/, 'the two before it fire first'],
    [/^let\.is_better: >= at 40/, 'z is irrational, or zero, which the last condition excludes'],
  ],
  'escrow-dispute-window': [
    [/^transitions\.part_deposit\.fires_when: > at 13/, 'a deposit of nothing moves nothing'],
    [
      /^transitions\.fund\.fires_when: (> at 13|and at 17)/,
      'what is held is below the price, so nothing cannot reach it',
    ],
    [
      /^transitions\.rule\.fires_when: (without|and at|1 at 50)/,
      'other shares are more than what is held, or negative',
    ],
  ],
  'letter-of-credit': [[/^(transitions\.cancel\.trigger\.of|events\.cancel\.from)/, 'who votes is said twice']],
  'loan-amortisation-watch': [
    [/^let\.days|^accruals\.run\.basis/, 'no period is so long that the rounded number of days differs'],
  ],
  'lockout-tagout': [
    [
      /^transitions\.(unlock_last|remove_last_lock)\.fires_when/,
      'those for the locks that are not the last fire first',
    ],
    [/^transitions\.inform_\w+\.fires_when: without/, 'the removal of who is not there is refused'],
    [/^transitions\.energise\.fires_when: without/, 'a machine is released without locks; the guard is a second one'],
    [
      /^events\.(verify|unlock|object|inform)\.from/,
      'the guard asks for a lock of the sender, which only workers hang',
    ],
  ],
  'multi-signature-treasury': [
    [
      /^transitions\.deposit\.fires_when: (without|>)/,
      'tokens are minted by whole positive numbers only, and nothing is nothing',
    ],
    [/^transitions\.(pay|refuse|close)\.trigger\.of|^events\.(sign|refuse|close)\.from/, 'who votes is said twice'],
  ],
  'on-call-handover': [
    [
      /^transitions\.enrol_first\.fires_when|^transitions\.leave_first\.fires_when: without/,
      'a set has each value once; the removal of who is not there is refused',
    ],
    [
      /"" at \d+ becomes "other" in (first|event\.sender == responder)/,
      'the rota is not empty when it is read; nobody is called other',
    ],
    [
      /^events\.(leave|accept|decline|acknowledge|resolve)\.from/,
      'the guard asks for one who is in the rota or the manager',
    ],
  ],
  'parametric-windstorm-cover': [
    [/^transitions\.report\.post\.0\.put\.value: 0 at/, 'a gust below 1 m/s decides no band'],
    [/^transitions\.(pay_nothing|settle)\.fires_when/, 'the one before it fires first'],
    [
      /^let\.median: 0 at|^let\.percent: 100 at/,
      'the default of a collection that is not empty; what remains is the most that is paid',
    ],
  ],
  'order-fulfilment': [
    [
      /^transitions\.pay_in_full\.fires_when: > at 13/,
      'an open order always lacks something, so nothing does not pay it',
    ],
    [/^transitions\.pay_a_part\.fires_when: < at 41/, 'the transition before it fires first'],
  ],
  'quorum-vote': [
    [/^transitions\.(carry|defeat)\.trigger\.of|^events\.vote\.from/, 'who votes is said twice'],
    [/^parameters\.majority\.default/, 'more than 50 and more than 51 per cent are as many of up to 48 voters'],
  ],
  'slo-burn-rate-alert': [
    [/^transitions\.lose_reports\.priority/, 'a page, and its end, ask for reports in the short window'],
  ],
  'split-payout-settlement': [
    [
      /^transitions\.(withdraw_share|take_back)\.fires_when|^transitions\.collect\.fires_when/,
      'an entry that is not there is not removed; payments are positive, and nothing is nothing',
    ],
    [/^transitions\.agree\.trigger\.of|^events\.agree\.from/, 'who votes is said twice'],
  ],
  'table-waitlist': [
    [
      /^transitions\.(give_up|give_up_behind|clear_another|call)\.fires_when/,
      'the removal of who is not there is refused; so is the call of nobody',
    ],
    [
      /^transitions\.(miss_and_call|miss)\.fires_when: without/,
      'nobody is called from an empty queue; the transition before it fires first',
    ],
  ],
  'two-person-approval': [[/^transitions\.approve\.trigger\.of|^events\.approve\.from/, 'who votes is said twice']],
  'warranty-claim-return': [[/^transitions\.dismiss\.fires_when: without/, 'the transition before it fires first']],
};

let environment: Omit<Environment, 'balance'>;
beforeAll(async () => {
  const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
  environment = {
    evaluate: (program, values) => evaluateProgram(instance, program, values),
    compute: ({ operator = '', inputs }) => evaluateOperator(instance, findOperator(operator), inputs),
  };
});

type Verdict = 'check' | 'scenarios' | 'survived';

function judge(definition: unknown, scenarios: ReturnType<typeof findTemplate>['scenarios']): Verdict {
  const parsed = Definition.safeParse(definition);
  if (!parsed.success || definitionFaults(parsed.data).length > 0) return 'check';
  const isKilled = scenarios.some((scenario) => {
    try {
      const reports = simulate(compileContract(parsed.data, scenario.parameters), scenario, environment);
      return reports.some(({ mismatches }) => mismatches.length > 0);
    } catch {
      return true;
    }
  });
  return isKilled ? 'scenarios' : 'survived';
}

test.each([...ACCEPTANCE, ...CALLING])('%s', (id) => {
  const { definition, scenarios } = findTemplate(id);
  expect(judge(definition, scenarios)).toBe('survived');
  const verdicts = mutantsOf(Definition.parse(definition)).map(
    ({ name, definition: mutant }) => [name, judge(mutant, scenarios)] as const,
  );
  const count = (wanted: Verdict) => verdicts.filter(([, verdict]) => verdict === wanted).length;
  const survivors = verdicts.filter(([, verdict]) => verdict === 'survived').map(([name]) => name);
  const reasons = SAME[id] ?? [];
  const isSame = (name: string) => reasons.some(([mutants]) => mutants.test(name));
  const holes = survivors.filter((name) => !isSame(name));
  const same = survivors.length - holes.length;
  const killed = 1 - holes.length / (verdicts.length - same);
  const counts = `${verdicts.length} mutants: check ${count('check')}, scenarios ${count('scenarios')}, the same ${same}`;
  console.info(`${id}: ${counts}; killed ${(killed * 100).toFixed(1)} %${['', ...holes].join('\n  ')}`);
  // A reason that fits no survivor is stale.
  for (const [mutants] of reasons)
    expect(
      survivors.filter((name) => mutants.test(name)),
      `${mutants}`,
    ).not.toEqual([]);
  expect(verdicts.length).toBeGreaterThan(40);
  expect(killed, holes.join('\n')).toBeGreaterThanOrEqual(MIN_KILLED);
});
