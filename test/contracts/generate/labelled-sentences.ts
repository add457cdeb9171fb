// Sentences with what a reader would take them to say, written before the rules that read them.
//
// `null`: the language of contracts cannot say it, or the text leaves open who does what; no contract must come of it.
// Rules were written while looking at TUNE alone; HELD shows what they do with sentences that they were not made for.

export type Labelled = readonly [text: string, transitions: readonly string[] | null];

export const TUNE: readonly Labelled[] = [
  ['Charge 20 euros every month until they cancel', null],
  ['after two managers approve, pay the invoice', null],
  ['after two managers approve publish', null],
  ['when the auction ends award the lot to the highest bidder', null],
  ['close the auction after 3 days, then award the item to the best bid', null],
  ['pay 10 credits to alice every week', null],
  [
    'every week pay 10 credits from bob to alice',
    ['watching → watching | every 778378 | transfer 10 credits from "bob" to "alice"'],
  ],
  ['when order arrives mint 5 points to carol', ['watching → watching | order | mint 5 points to "carol"']],
  ['after 30 days release the deposit unless the buyer complains', null],
  ['every day at 09:00 email the report to the board', null],
  ['when temperature above 80 emit alarm and wake the engineer', null],
  ['when temperature above 80 emit alarm quickly', null],
  ['when payment arrives approve', ['waiting → approved | payment']],
  ['when payment arrives ship the goods and thank the customer', null],
  ['after 2 days expire unless paid', ['waiting → expired | after 222394', 'waiting → paid | paid']],
  ['after both parties sign, activate', null],
  ['when alice approves and bob approves, release', null],
  ['every month charge 20 eur from carol', ['watching → watching | cron 0 0 1 * * UTC | spend 20 eur from "carol"']],
  ['when 3 of 5 directors vote yes, approve', null],
  [
    'when there is no heartbeat for 30 minutes emit lost',
    [
      'watching → watching | count of heartbeat in 2317 | if agg.count == 0 and not rule_1_holds | rule_1_holds := true | emit lost',
      'watching → watching | count of heartbeat in 2317 | if agg.count != 0 and rule_1_holds | rule_1_holds := false',
    ],
  ],
  ['lock the account after three failed logins', null],
  ['when stock falls below 5 reorder 20 units', null],
  ['please emit report every hour', ['watching → watching | every 4634 | emit report']],
  ['when the tenant pays late charge 5 percent interest', null],
  ['every hour emit check', ['watching → watching | every 4634 | emit check']],
  ['when door opens emit welcome', ['watching → watching | door_opened | emit welcome']],
  ['refund the buyer if the seller does not ship within 5 days', null],
  [
    'after 2 reviews approve',
    [
      'waiting → approved | review | if review_count + 1 >= 2 | review_count := 0',
      'waiting → waiting | review | if review_count + 1 < 2 | review_count := review_count + 1',
    ],
  ],
  ['every monday at 08:00 UTC emit standup for the whole team', null],
  [
    'when order amount exceeds 1000 emit review',
    ['watching → watching | order | if event.amount > 1000 | emit review'],
  ],
];

export const HELD: readonly Labelled[] = [
  ['Bill 9 dollars each month until the customer leaves', null],
  ['when three judges agree, accept', null],
  ['after two doctors approve release', null],
  ['sell the painting to the top bidder after 7 days', null],
  ['transfer 100 tokens to dave when invoice arrives', null],
  [
    'when invoice arrives transfer 100 tokens from erin to dave',
    ['watching → watching | invoice | transfer 100 tokens from "erin" to "dave"'],
  ],
  ['when sensor level above 40 emit flood and text the owner', null],
  ['every day at noon emit lunch', ['watching → watching | cron 0 12 * * * UTC | emit lunch']],
  ['every day at noon emit lunch except on holidays', null],
  ['after 14 days cancel unless confirmed', ['waiting → cancelled | after 1556756', 'waiting → confirmed | confirmed']],
  ['after 14 days cancel and give the deposit back', null],
  ['when the supplier delivers late deduct 2 percent per day', null],
  ['when humidity below 30 emit dry', ['watching → watching | humidity | if event.value < 30 | emit dry']],
  ['when humidity below 30 emit dry, thanks', null],
  ['when humidity below 30 emit dry to the gardener', null],
  ['approve once the ceo and the cfo have signed', null],
  [
    'after 3 reports suspend',
    [
      'waiting → suspended | report | if report_count + 1 >= 3 | report_count := 0',
      'waiting → waiting | report | if report_count + 1 < 3 | report_count := report_count + 1',
    ],
  ],
  ['after 3 users report suspend the seller', null],
  ['every 10 minutes emit poll', ['watching → watching | every 773 | emit poll']],
  ['every 10 minutes emit poll while the shop is open', null],
  ['never emit alarm when temperature above 80', null],
  ['when payment fails emit dunning', ['watching → watching | payment_failed | emit dunning']],
  ['when payment fails three times in a row emit dunning', null],
  ['split 300 euros between anna and ben every month', null],
  ['when a parcel arrives log "parcel in"', ['watching → watching | parcel | log parcel in']],
  ['when a parcel arrives ask the porter to sign', null],
  ['when vote passes with a majority, publish', null],
  ['mint 10 points to frank every day', ['watching → watching | every 111197 | mint 10 points to "frank"']],
  ['every year pay a dividend to the shareholders', null],
  [
    'call webhook https://example.org/in when order arrives',
    ['watching → watching | order | call https://example.org/in'],
  ],
];
