// Sentences and the transitions that they must give; exits by the event `stop` are omitted.
// The expected transitions were written by hand from the meaning of each sentence.

/** A sentence, the summaries of its transitions, and its unparsed parts. */
export type Sentence = readonly [text: string, transitions: readonly string[], unparsed?: readonly string[]];

export const SENTENCES: readonly Sentence[] = [
  [
    'every day at 09:00 Europe/Berlin emit report',
    ['watching → watching | cron 0 9 * * * Europe/Berlin | emit report'],
  ],
  ['daily at 9am emit report', ['watching → watching | cron 0 9 * * * UTC | emit report']],
  ['every weekday at 8:30 send reminder', ['watching → watching | cron 30 8 * * 1-5 UTC | emit reminder']],
  ['every monday at noon UTC emit digest', ['watching → watching | cron 0 12 * * 1 UTC | emit digest']],
  [
    'on the 1st of every month at 06:00 emit invoice_run',
    ['watching → watching | cron 0 6 1 * * UTC | emit invoice_run'],
  ],
  ['every month on the 15th at 07:15 emit payroll', ['watching → watching | cron 15 7 15 * * UTC | emit payroll']],
  ['every week on friday at 5pm emit summary', ['watching → watching | cron 0 17 * * 5 UTC | emit summary']],
  ['every 5 minutes emit ping', ['watching → watching | every 387 | emit ping']],
  ['every 90 ticks emit beat', ['watching → watching | every 90 | emit beat']],
  ['every hour emit hourly_check', ['watching → watching | every 4634 | emit hourly_check']],
  ['hourly emit tick_tock', ['watching → watching | every 4634 | emit tick_tock']],
  ['every other day emit backup', ['watching → watching | every 222394 | emit backup']],
  ['every 5 minutes between 09:00 and 17:00 emit poll', ['watching → watching | cron */5 9-16 * * * UTC | emit poll']],
  [
    'every 15 minutes from 8am to 6pm on weekdays Europe/Paris call https://example.org/poll',
    ['watching → watching | cron */15 8-17 * * 1-5 Europe/Paris | call https://example.org/poll'],
  ],
  [
    'every 2 hours call webhook https://example.org/hook',
    ['watching → watching | every 9267 | call https://example.org/hook'],
  ],
  ['emit report every day at 18:00', ['watching → watching | cron 0 18 * * * UTC | emit report']],
  ['every 7 minutes until done emit ping', ['watching → watching | every 541 | emit ping', 'watching → done | done']],
  [
    'every day at midnight America/New_York log "a new day"',
    ['watching → watching | cron 0 0 * * * America/New_York | log a new day'],
  ],
  ['weekly emit review', ['watching → watching | every 778378 | emit review']],
  ['every sunday at 23:59 emit week_over', ['watching → watching | cron 59 23 * * 0 UTC | emit week_over']],
  ['after 30 days expire unless paid', ['waiting → expired | after 3335905', 'waiting → paid | paid']],
  ['after 2 hours emit reminder', ['watching → watching | after 9267 | emit reminder']],
  ['in 10 minutes emit wake_up', ['watching → watching | after 773 | emit wake_up']],
  [
    'after 1 week close the ticket unless it is reopened',
    ['waiting → closed | after 778378', 'waiting → reopened | reopened'],
  ],
  ['after half an hour cancel', ['waiting → cancelled | after 2317']],
  ['after 3 months archive', ['waiting → archived | after 10007713']],
  ['expire after 14 days unless renewed', ['waiting → expired | after 1556756', 'waiting → renewed | renewed']],
  ['after 45 seconds fail', ['waiting → failed | after 58']],
  ['when order arrives emit order_seen', ['watching → watching | order | emit order_seen']],
  ['when payment is received approve', ['waiting → approved | payment']],
  ['when temperature above 80 emit alarm', ['watching → watching | temperature | if event.value > 80 | emit alarm']],
  [
    'when the temperature is above 80 degrees, emit alarm',
    ['watching → watching | temperature | if event.value > 80 | emit alarm'],
  ],
  [
    'if pressure drops below 2.5 bar then emit low_pressure',
    ['watching → watching | pressure | if event.value < 2.5 | emit low_pressure'],
  ],
  ['when level is at least 10 emit full', ['watching → watching | level | if event.value >= 10 | emit full']],
  [
    'when order amount exceeds 1000 emit review and call webhook https://example.org/review',
    ['watching → watching | order | if event.amount > 1000 | emit review | call https://example.org/review'],
  ],
  [
    'when amount of order is over 1000 emit review',
    ['watching → watching | order | if event.amount > 1000 | emit review'],
  ],
  ['when status is down emit outage', ['watching → watching | status | if event.value == "down" | emit outage']],
  ['when status is "not ok" emit outage', ['watching → watching | status | if event.value == "not ok" | emit outage']],
  ['when door is open emit draught', ['watching → watching | door | if event.value == "open" | emit draught']],
  [
    'when temperature is below minus 5 emit frost',
    ['watching → watching | temperature | if event.value < (0 - 5) | emit frost'],
  ],
  ['when flag is true emit raised', ['watching → watching | flag | if event.value == true | emit raised']],
  [
    'when reading temp above 8 for 3 times within 10 minutes emit alarm',
    [
      'watching → watching | count of reading in 773 where event.temp > 8 | if agg.count >= 3 and not rule_1_holds | rule_1_holds := true | emit alarm',
      'watching → watching | count of reading in 773 where event.temp > 8 | if agg.count < 3 and rule_1_holds | rule_1_holds := false',
    ],
  ],
  [
    'when temperature event above 80 for 3 times within 10 minutes emit alarm and call webhook https://example.org/hook',
    [
      'watching → watching | count of temperature in 773 where event.value > 80 | if agg.count >= 3 and not rule_1_holds | rule_1_holds := true | emit alarm | call https://example.org/hook',
      'watching → watching | count of temperature in 773 where event.value > 80 | if agg.count < 3 and rule_1_holds | rule_1_holds := false',
    ],
  ],
  [
    'when more than 100 requests within 60 ticks emit rate_limited',
    [
      'watching → watching | count of request in 60 | if agg.count > 100 and not rule_1_holds | rule_1_holds := true | emit rate_limited',
      'watching → watching | count of request in 60 | if agg.count <= 100 and rule_1_holds | rule_1_holds := false',
    ],
  ],
  [
    'when at least 5 failures in 10 minutes emit lockout',
    [
      'watching → watching | count of failure in 773 | if agg.count >= 5 and not rule_1_holds | rule_1_holds := true | emit lockout',
      'watching → watching | count of failure in 773 | if agg.count < 5 and rule_1_holds | rule_1_holds := false',
    ],
  ],
  ['when 3 errors within 1 minute escalate', ['waiting → escalated | count of error in 78 | if agg.count >= 3']],
  [
    'if there are more than 20 logins per minute, emit burst',
    [
      'watching → watching | count of login in 78 | if agg.count > 20 and not rule_1_holds | rule_1_holds := true | emit burst',
      'watching → watching | count of login in 78 | if agg.count <= 20 and rule_1_holds | rule_1_holds := false',
    ],
  ],
  [
    'when the average temperature over 1 hour is above 8 emit warm',
    [
      'watching → watching | avg of temperature.value in 4634 | if agg.value > 8 and not rule_1_holds | rule_1_holds := true | emit warm',
      'watching → watching | avg of temperature.value in 4634 | if agg.value <= 8 and rule_1_holds | rule_1_holds := false',
    ],
  ],
  [
    'when sum of order amount in a day exceeds 10000 emit big_day',
    [
      'watching → watching | sum of order.amount in 111197 | if agg.value > 10000 and not rule_1_holds | rule_1_holds := true | emit big_day',
      'watching → watching | sum of order.amount in 111197 | if agg.value <= 10000 and rule_1_holds | rule_1_holds := false',
    ],
  ],
  [
    'when the maximum load in the last 5 minutes is over 90 percent emit overload',
    [
      'watching → watching | max of load.value in 387 | if agg.value > 90 and not rule_1_holds | rule_1_holds := true | emit overload',
      'watching → watching | max of load.value in 387 | if agg.value <= 90 and rule_1_holds | rule_1_holds := false',
    ],
  ],
  [
    'when the number of failures in an hour is above 5 emit bad_hour',
    [
      'watching → watching | count of failure in 4634 | if agg.count > 5 and not rule_1_holds | rule_1_holds := true | emit bad_hour',
      'watching → watching | count of failure in 4634 | if agg.count <= 5 and rule_1_holds | rule_1_holds := false',
    ],
  ],
  [
    'when minimum battery within 1 day falls below 20 % emit charge_me',
    [
      'watching → watching | min of battery.value in 111197 | if agg.value < 20 and not rule_1_holds | rule_1_holds := true | emit charge_me',
      'watching → watching | min of battery.value in 111197 | if agg.value >= 20 and rule_1_holds | rule_1_holds := false',
    ],
  ],
  [
    'when there is no heartbeat for 30 minutes emit lost',
    [
      'watching → watching | count of heartbeat in 2317 | if agg.count == 0 and not rule_1_holds | rule_1_holds := true | emit lost',
      'watching → watching | count of heartbeat in 2317 | if agg.count != 0 and rule_1_holds | rule_1_holds := false',
    ],
  ],
  ['when no payment within 3 days cancel', ['waiting → cancelled | count of payment in 333591 | if agg.count == 0']],
  [
    'approve after 2 reviews, then publish',
    [
      'waiting → approved | review | if review_count + 1 >= 2 | review_count := 0',
      'waiting → waiting | review | if review_count + 1 < 2 | review_count := review_count + 1',
      'approved → published | after 1',
    ],
  ],
  [
    'approve after 3 approvals unless rejected',
    [
      'waiting → approved | approval | if approval_count + 1 >= 3 | approval_count := 0',
      'waiting → waiting | approval | if approval_count + 1 < 3 | approval_count := approval_count + 1',
      'waiting → rejected | rejected',
    ],
  ],
  [
    'when payment arrives approve, then after 2 days ship',
    ['waiting → approved | payment', 'approved → shipped | after 222394'],
  ],
  [
    'after 5 logins emit regular_guest',
    [
      'watching → watching | login | if login_count + 1 >= 5 | login_count := 0 | emit regular_guest',
      'watching → watching | login | if login_count + 1 < 5 | login_count := login_count + 1',
    ],
  ],
  [
    'when order arrives pay 10 credits from bob to alice',
    ['watching → watching | order | transfer 10 credits from "bob" to "alice"'],
  ],
  ['when delivery arrives mint 5 points to bob', ['watching → watching | delivery | mint 5 points to "bob"']],
  ['when request arrives charge 1 credit from carol', ['watching → watching | request | spend 1 credit from "carol"']],
  [
    'when mode is night set dim to true. every hour emit lights_down only if dim is true',
    [
      'watching → watching | mode | if event.value == "night" | dim := true',
      'watching → watching | every 4634 | if dim == true | emit lights_down',
    ],
  ],
  [
    'when temperature above 80 emit alarm. when temperature above 90 emit evacuation',
    [
      'watching → watching | temperature | if event.value > 80 | emit alarm',
      'watching → watching | temperature | if event.value > 90 | emit evacuation',
    ],
  ],
  [
    'when order arrives emit seen. when order arrives emit counted',
    ['watching → watching | order | emit seen | emit counted'],
  ],
  ['when claim is filed go to state review', ['waiting → review | claim_filed']],
  [
    'when alarm arrives then escalate; after 10 minutes emit second_call',
    ['waiting → escalated | alarm', 'waiting → waiting | after 773 | emit second_call'],
  ],
  [
    'please emit report every day at 07:00 and thank you kindly',
    ['watching → watching | cron 0 7 * * * UTC | emit report'],
    ['thank you kindly'],
  ],
  [
    'send a webhook to https://example.org/x when payment fails',
    ['watching → watching | payment_failed | call https://example.org/x'],
  ],
  ['when login failure happens emit seen', ['watching → watching | login_failure | emit seen']],
  [
    'when the payment fails 3 times within 1 hour suspend the account',
    ['waiting → suspended | count of payment_failed in 4634 | if agg.count >= 3'],
  ],
  ['without activity for 30 days expires', ['waiting → expired | count of activity in 3335905 | if agg.count == 0']],
  [
    '3 login failures within 5 minutes lock the account',
    ['waiting → locked | count of login_failure in 387 | if agg.count >= 3'],
  ],
  [
    'lock the account after 3 login failures within 5 minutes',
    ['waiting → locked | count of login_failure in 387 | if agg.count >= 3'],
  ],
  ['approve after 2 reviews within 3 days', ['waiting → approved | count of review in 333591 | if agg.count >= 2']],
  ['close the door 30 seconds after it opens', ['waiting → opened | door_opened', 'opened → closed | after 39']],
  [
    'cancel 2 days after order arrives unless paid',
    ['waiting → step_1 | order', 'step_1 → cancelled | after 222394', 'step_1 → paid | paid'],
  ],
  ['when pressure drops below 2 bar, shut the valve', ['waiting → shut | pressure | if event.value < 2']],
  [
    'at 9am Europe/Berlin every weekday emit report',
    ['watching → watching | cron 0 9 * * 1-5 Europe/Berlin | emit report'],
  ],
  ['when speed above 80 km/h emit fast', ['watching → watching | speed | if event.value > 80 | emit fast']],
];

/** Texts with unparsed parts that change the meaning: these parts, and a phrase of the advice. */
export const REJECTED: readonly (readonly [text: string, changing: readonly string[], advice: string])[] = [
  ['do not emit alarm when temperature above 80', ['do not'], 'what ends it'],
  ['don’t emit alarm when temperature above 80', ['don’t'], 'what ends it'],
  ['never emit alarm when temperature above 80', ['never'], 'what ends it'],
  ['emit nothing when order arrives', ['emit nothing when order arrives'], 'what ends it'],
  ['when not paid emit reminder', ['when not paid emit reminder'], 'what ends it'],
  ['emit alarm when temperature above 80 unless it is below 5', ['unless', 'is below 5'], 'what ends it'],
  ['emit report every day except sunday', ['except sunday'], 'what ends it'],
  ['emit report every day at 09:00 but not on monday', ['but not on monday'], 'sentence of its own'],
  ['when temperature is no longer above 80 emit cool', ['is no longer above 80'], 'what ends it'],
  ['every day at 25:00 emit report', ['at 25:00'], '00:00 to 23:59'],
  ['every day at 9:75 emit report', ['at 9:75'], '00:00 to 23:59'],
  ['at 09:00 emit report', ['at 09:00 emit report'], '00:00 to 23:59'],
  ['every day at 09:00 Europe/Atlantis emit report', ['Europe/Atlantis'], 'Europe/Berlin'],
  ['every day at 09:00 Mars/Olympus emit report', ['Mars/Olympus'], 'Europe/Berlin'],
  ['every day at 09:00 EST emit report', ['EST'], 'Europe/Berlin'],
  ['every day at 09:00 in Berlin emit report', ['in Berlin'], 'what sets it off'],
  ['when temperature above 80 or below 10 emit alarm', ['or below 10'], 'sentence of its own'],
  ['when temperature above 80 or pressure above 3 emit alarm', ['or pressure above 3'], 'sentence of its own'],
  ['when temperature above 80 and humidity above 60 emit alarm', ['humidity above 60'], 'what sets it off'],
  ['when door opens and alarm is armed emit burglar', ['alarm is armed'], 'what sets it off'],
  [
    'when temperature above 80 for 5 minutes emit alarm',
    ['for 5 minutes'],
    '"when the minimum temperature over 5 minutes',
  ],
  ['when temperature above 80 for an hour emit alarm', ['for', 'hour'], '"when the minimum temperature over 5 minutes'],
  ['when stock falls under 10 emit reorder, otherwise emit fine', ['otherwise'], 'sentence of its own'],
  ['every monday and friday at 9am emit digest', ['friday at 9am'], '"every monday at 09:00"'],
  ['when payment arrives ship the order within 2 days', ['within 2 days'], 'How long'],
  ['every hour emit lights_down only if dim is true', ['only if dim'], 'what sets it off'],
  ['when user signs up emit welcome', ['signs up'], 'an event by one name'],
  ['send a webhook when payment fails', ['send a webhook when payment fails'], 'needs an address'],
  [
    'when pressure drops below 2 bar, actuate the valve',
    ['when pressure drops below 2 bar, actuate the valve'],
    'a verb such as',
  ],
  ['when order arrives dance on the table and emit seen', ['when order arrives dance'], 'what sets it off'],
  ['emit report. when order arrives emit seen', ['emit report.'], 'what sets it off'],
];
