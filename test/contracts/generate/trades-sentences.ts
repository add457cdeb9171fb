// Sixty sentences of many trades with the contract that each must give, written on 30 November 2026 before their
// author had read a rule of the grammar; of other sets the format of the labels and about twenty entries were seen.
//
// Read once, before any rule was changed: 0 wrong readings, 29 of 30 sayable sentences answered, 30 of 30 others refused.
// Two labels were mended in form alone: a negative limit is `(0 - 15)`, and "after 3" counts in a variable.
//
// `null`: the grammar's page promises nothing that says it, or the text leaves open who does what, when or how often.

import { ticksOfDuration } from '../../../src/contracts/durations.ts';
import type { Labelled } from './labelled-sentences.ts';

const ticks = (duration: string) => ticksOfDuration(duration);

/** Thirty that the grammar could say, as its page describes it. */
const SAYABLE: readonly Labelled[] = [
  [
    'Every day at 06:30 Europe/Paris emit open_kitchen',
    ['watching → watching | cron 30 6 * * * Europe/Paris | emit open_kitchen'],
  ],
  [
    'When the freezer temperature rises above -15 emit thaw_warning',
    ['watching → watching | freezer | if event.temperature > (0 - 15) | emit thaw_warning'],
  ],
  ['Charge 35 eur from dora every month', ['watching → watching | cron 0 0 1 * * UTC | spend 35 eur from "dora"']],
  [
    'If there is no ping for 10 minutes, call https://ops.example.org/hook',
    [
      `watching → watching | count of ping in ${ticks('PT10M')} | if agg.count == 0 and not rule_1_holds | rule_1_holds := true | call https://ops.example.org/hook`,
      `watching → watching | count of ping in ${ticks('PT10M')} | if agg.count != 0 and rule_1_holds | rule_1_holds := false`,
    ],
  ],
  [
    'After 21 days expire unless returned',
    [`waiting → expired | after ${ticks('P21D')}`, 'waiting → returned | returned'],
  ],
  ['When the booking is cancelled, emit room_free', ['watching → watching | booking_cancelled | emit room_free']],
  ['Mint 1 stamp to erin whenever a purchase arrives', ['watching → watching | purchase | mint 1 stamp to "erin"']],
  [
    'When pressure exceeds 6.5 log overpressure',
    ['watching → watching | pressure | if event.value > 6.5 | log overpressure'],
  ],
  [
    'Pay 3 credits from driver to garage every 2 hours',
    [`watching → watching | every ${ticks('PT2H')} | transfer 3 credits from "driver" to "garage"`],
  ],
  [
    'When more than 500 requests within 1 minute emit throttle',
    [
      `watching → watching | count of request in ${ticks('PT1M')} | if agg.count > 500 and not rule_1_holds | rule_1_holds := true | emit throttle`,
      `watching → watching | count of request in ${ticks('PT1M')} | if agg.count <= 500 and rule_1_holds | rule_1_holds := false`,
    ],
  ],
  [
    'When claim amount is at least 5000 emit review',
    ['watching → watching | claim | if event.amount >= 5000 | emit review'],
  ],
  [
    'After 14 days release unless disputed',
    [`waiting → released | after ${ticks('P14D')}`, 'waiting → disputed | disputed'],
  ],
  ['Every 6 hours emit irrigate', [`watching → watching | every ${ticks('PT6H')} | emit irrigate`]],
  [
    'Every Monday at 08:00 Europe/London emit roll_call',
    ['watching → watching | cron 0 8 * * 1 Europe/London | emit roll_call'],
  ],
  [
    'When humidity drops below 30 emit humidifier_on',
    ['watching → watching | humidity | if event.value < 30 | emit humidifier_on'],
  ],
  [
    'Every 15 minutes between 17:00 and 20:00 emit read_meter',
    ['watching → watching | cron */15 17-19 * * * UTC | emit read_meter'],
  ],
  ['When the container arrives, log received', ['watching → watching | container | log received']],
  [
    'Every month pay 2500 eur from employer to frank',
    ['watching → watching | cron 0 0 1 * * UTC | transfer 2500 eur from "employer" to "frank"'],
  ],
  [
    'Expire after 365 days unless renewed',
    [`waiting → expired | after ${ticks('P365D')}`, 'waiting → renewed | renewed'],
  ],
  [
    'When transfer amount is more than 10000 emit report_to_regulator',
    ['watching → watching | transfer | if event.amount > 10000 | emit report_to_regulator'],
  ],
  ['Emit clean every Friday at 18:00', ['watching → watching | cron 0 18 * * 5 UTC | emit clean']],
  ['When level_up arrives mint 50 gold to player1', ['watching → watching | level_up | mint 50 gold to "player1"']],
  ['When stock falls below 12 emit reorder', ['watching → watching | stock | if event.value < 12 | emit reorder']],
  ['When payment is received confirm', ['waiting → confirmed | payment']],
  [
    'When heart_rate exceeds 140 emit nurse_call',
    ['watching → watching | heart_rate | if event.value > 140 | emit nurse_call'],
  ],
  ['Every day at midnight emit close_books', ['watching → watching | cron 0 0 * * * UTC | emit close_books']],
  [
    'when turbidity is above 4 emit alert and log turbid',
    ['watching → watching | turbidity | if event.value > 4 | emit alert | log turbid'],
  ],
  [
    'Send a webhook to https://yard.example.org/in when truck arrives',
    ['watching → watching | truck | call https://yard.example.org/in'],
  ],
  [
    'publish after 3 corrections',
    [
      'waiting → published | correction | if correction_count + 1 >= 3 | correction_count := 0',
      'waiting → waiting | correction | if correction_count + 1 < 3 | correction_count := correction_count + 1',
    ],
  ],
  [
    'When wind speed is over 20 emit stop_crane',
    ['watching → watching | wind | if event.speed > 20 | emit stop_crane'],
  ],
];

/** Thirty that it cannot say, or whose parts leave something open. */
const UNSAYABLE: readonly string[] = [
  'If the rent is late, charge a fee',
  'Throw out the soup after 2 hours at room temperature',
  'Pay the plumber 80 euros when the job is done',
  'Only the manager may approve refunds above 200',
  'Every second Tuesday of the month emit board_meeting',
  'When the temperature has been rising for an hour emit trend',
  'Approve if either the mother or the father agrees',
  'When two different inspectors pass the bridge, open it',
  'Remind the tenant 3 days before the rent is due',
  'Charge 5 eur from gina for every kilometre driven',
  'When temperature is above 30 and humidity is above 80 emit muggy',
  'Pay 10 percent of the price from buyer to broker when sold',
  'Every day at 09:00 emit standup except on holidays',
  'Cancel the subscription soon',
  'After payment wait a reasonable time, then ship',
  'When pump fails twice in a row emit stop',
  'Mint 100 points to the best player every week',
  'When the average of the last three readings is above 5 emit warm',
  'Every day at 25:00 emit backup',
  'When the door has been open for longer than 5 minutes emit close_door',
  'Pay 20 eur from ivan to judy or to karl every month',
  'When more than 3 complaints come from the same customer within 1 week emit escalate',
  'Do not emit alarm when temperature is above 40',
  'Emit pay_rent on the last day of every month',
  'Every 5 minutes until 18:00 emit poll',
  'When order arrives emit pack only on weekdays',
  'Charge 20 eur from lena every month for 12 months',
  'When order arrives emit digest, at most once a day',
  'After 30 days of silence release the money to the heirs',
  'When price changes by more than 5 percent emit swing',
];

export const TRADES: readonly Labelled[] = [...SAYABLE, ...UNSAYABLE.map((text): Labelled => [text, null])];

/**
 * What the grammar misread. Of 100 sentences that look for traps, written the same day before the rules were read, it
 * answered 36 and misread 8: the first seven here, and `total sales` as the sixth. The others were found in the rules.
 */
export const MISREAD: readonly Labelled[] = [
  ['When order amount exceeds 1.000 emit review', null],
  ['Expire after 30 days unless paid and confirmed', null],
  ['When the first order arrives emit welcome', null],
  ['When order arrives emit pack and after 1 day emit ship', null],
  ['When level reaches 5 emit full', null],
  [
    'When the sum of amount of orders within 1 day exceeds 1000 emit limit',
    [
      `watching → watching | sum of order.amount in ${ticks('P1D')} | if agg.value > 1000 and not rule_1_holds | rule_1_holds := true | emit limit`,
      `watching → watching | sum of order.amount in ${ticks('P1D')} | if agg.value <= 1000 and rule_1_holds | rule_1_holds := false`,
    ],
  ],
  ['Set limit to amount when upgrade arrives', null],
  ['when status != open emit start', ['watching → watching | status | if event.value != "open" | emit start']],
  ['when order arrives emit a/b', null],
  ['when order arrives emit pack & ship', null],
  ['Charge 1.000 eur from mia every month', null],
  ['Every week pay 5 eur from bob to alice until cancelled and refunded', null],
  ['When café opens emit x', null],
];
