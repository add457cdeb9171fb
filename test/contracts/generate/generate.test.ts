// Sentences become contracts that can be deployed, the same ones every time; what is no sentence is refused.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkDefinition } from '../../../src/contracts/check.ts';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { generate } from '../../../src/contracts/generate/generate.ts';
import { timelineOf } from '../../../src/contracts/generate/timeline.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { computeInContract } from '../../../src/services/contracts/world.ts';
import { factsOf } from './facts.ts';
import { REFUSED, SENTENCES } from './sentences.ts';

const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
const world = {
  evaluate: (program: Parameters<typeof evaluateProgram>[1], values: Readonly<Record<string, number>>) =>
    evaluateProgram(instance, program, values),
  compute: (call: Parameters<typeof computeInContract>[1]) => computeInContract(instance, call),
};

/** Everything that a deployment asks of a definition. */
function expectDeployable(given: Definition | undefined): void {
  const definition = Definition.parse(given);
  expect(checkDefinition(definition)).toEqual([]);
  expect(timelineOf(compileContract(definition), world).length).toBeLessThanOrEqual(12);
}

test('there are enough sentences', () => expect(SENTENCES.length).toBeGreaterThanOrEqual(60));

const sentences = SENTENCES.map(([text, facts, unparsed = []]) => ({ text, facts, unparsed }));

test.each(sentences)('$text', ({ text, facts, unparsed }) => {
  const { definition, ...made } = generate(text);
  expectDeployable(definition);
  expect(factsOf(definition as Definition).filter((fact) => !fact.endsWith(' → stopped | stop'))).toEqual(facts);
  expect(made.unparsed).toEqual(unparsed);
  expect(made.changing).toEqual([]);
  expect(JSON.stringify(generate(text))).toBe(JSON.stringify({ definition, ...made }));
});

test.each(REFUSED)('%s: what is lost changes the meaning', (text, changing, advice) => {
  const made = generate(text);
  expect(made.changing).toEqual(changing);
  expect(made.advice).toContain(advice);
});

test('what is advised is understood', () => {
  const advised = REFUSED.flatMap(([text]) =>
    [...generate(text).advice.matchAll(/"([^"]{12,})"/g)].map(([, said = '']) => said),
  );
  const sentences = [...new Set(advised)].filter((said) => / (emit|call|expire|approve)/.test(said));
  expect(sentences.length).toBeGreaterThanOrEqual(9);
  for (const said of sentences) expect([said, generate(said)]).toMatchObject([said, { confidence: 1, changing: [] }]);
});

test.each([
  ['every hour emit tick until stop', 'stop', 'stopped'],
  ['after 2 days expire unless approve', 'approve', 'approved'],
  ['every hour emit tick until it stops', 'stopped', 'stopped'],
])('%s: the event that ends it is %s, as the words say', (text, event, to) => {
  const { definition, confidence, explanation } = generate(text);
  const ends = definition?.transitions.filter(({ trigger }) => trigger.kind === 'event');
  expect(ends).toMatchObject([{ to, trigger: { event } }]);
  expect(Object.keys(definition?.events ?? {})).toEqual([event]);
  expect(explanation.join(' ')).toContain(`the event ${event} ends`);
  expect(confidence).toBe(1);
});

test('silence that nothing ever broke counts from the beginning', () => {
  const { definition } = generate('without activity for 30 days expires');
  const [first] = timelineOf(compileContract(Definition.parse(definition)), world);
  expect(first).toMatchObject({ from: 'waiting', to: 'expired', after: 3335905 });
});

const word = fc.constantFrom(
  'order',
  'temperature',
  'review',
  'stop',
  'value',
  'max',
  'now',
  'true',
  'report',
  'paid',
  'e',
  'not_a_number',
);
const amount = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000 }).map(String),
  fc.constantFrom('three', 'minus 5', '0.25', '1000000000000000000000'),
);
const unit = fc.constantFrom('ticks', 'seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'parsecs');
const url = fc.constantFrom('https://example.org/hook', 'http://127.0.0.1/', 'https://');
const said = (...parts: (string | fc.Arbitrary<string>)[]) =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((all) => all.join(' '));
const when = fc.oneof(
  said('when', word, 'arrives'),
  said('when', word, word, fc.constantFrom('above', 'is', 'is not', 'at most', '<'), fc.oneof(amount, word)),
  said('when more than', amount, word, 'within', amount, unit),
  said(
    'when the',
    fc.constantFrom('average', 'sum', 'max', 'last', 'number of'),
    word,
    'over',
    amount,
    unit,
    'is below',
    amount,
  ),
  said('when there is no', word, 'for', amount, unit),
  said('after', amount, unit),
  said('after', amount, word),
  said('every', amount, unit),
  said(
    'every',
    fc.constantFrom('day', 'monday', 'weekday', 'month', 'week'),
    'at',
    fc.constantFrom('09:00', '25:99', '7pm', 'noon'),
    fc.constantFrom('', 'UTC', 'Europe/Berlin', 'Europe/Nowhere'),
  ),
);
const what = fc.oneof(
  said('emit', word),
  said('call webhook', url),
  said(fc.constantFrom('approve', 'reject', 'expire', 'publish', 'stop', 'open the', 'go to'), word),
  said('set', word, 'to', fc.oneof(amount, word)),
  said(fc.constantFrom('pay', 'mint', 'charge'), amount, word, fc.constantFrom('to', 'from'), word),
  said('log', fc.constantFrom('"{now} {"', '"all is well"', 'word')),
);
const clause = said(
  when,
  what,
  fc.constantFrom('', 'and emit more', 'unless paid', 'until stop', 'only if value is true', 'unless temperature'),
);
const text = fc
  .array(fc.tuple(clause, fc.constantFrom('. ', ', then ', '; ', ' and ')), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.flat().join('').slice(0, LIMITS.contracts.generate.most));

test('whatever the grammar says can be deployed', () => {
  let made = 0;
  fc.assert(
    fc.property(text, (sentence) => {
      const { definition } = generate(sentence);
      if (definition === undefined) return;
      made++;
      expectDeployable(definition);
    }),
    { numRuns: Number(process.env.RUNS ?? 600), seed: Number(process.env.SEED ?? 1287) },
  );
  expect(made).toBeGreaterThan(500);
});

const few = fc.constantFrom('3', '30', 'two', '0');
const lasting = fc.constantFrom('seconds', 'minutes', 'days', 'hours', 'parsecs');
const thing = fc.constantFrom('payment', 'door', 'login failure', 'ticket', 'heartbeat');
const cause = fc.oneof(
  said('when', thing, fc.constantFrom('fails', 'opens', 'expired', 'arrives', 'is late')),
  said(few, thing, 'within', few, lasting),
  said('without', thing, 'for', few, lasting),
  said('at', fc.constantFrom('9am', '25:00', '17:30'), fc.constantFrom('every day', 'Mars/Olympus on monday', 'daily')),
  said(few, lasting, 'after', fc.constantFrom('it opens', 'the door opens', 'payment arrives', 'never')),
);
const effect = said(
  fc.constantFrom('', '', '', 'please', 'do not', 'don’t'),
  fc.constantFrom('shut the valve', 'close the door', 'send a webhook to', 'emit', 'lock', 'freeze the', 'dance'),
  fc.constantFrom('https://example.org/x', 'alarm', 'account', 'it', 'or', 'unless paid', 'except sunday'),
);
const loose = fc.oneof(
  said(cause, effect),
  said(effect, cause),
  said(cause, effect, 'and', effect),
  said(cause, ',', effect, '. ', effect, cause),
);

test('the same words give the same bytes, whatever was asked before', () => {
  let made = 0;
  const first = new Map<string, string>();
  const check = (sentence: string) => {
    const bytes = JSON.stringify(generate(sentence));
    expect(bytes).toBe(first.get(sentence) ?? bytes);
    first.set(sentence, bytes);
  };
  const sentences = fc.property(loose, (sentence) => {
    const { definition, changing } = generate(sentence);
    if (definition !== undefined && changing.length === 0) {
      made++;
      expectDeployable(definition);
    }
    if (/do not|don’t|or$|except|never|25:00/.test(sentence)) expect([sentence, changing]).not.toEqual([sentence, []]);
    check(sentence);
  });
  fc.assert(sentences, { numRuns: 200, seed: Number(process.env.SEED ?? 1287) });
  for (const sentence of [...first.keys()].reverse()) check(sentence);
  expect(made).toBeGreaterThan(5);
});

test('noise gives no contract that cannot be deployed, and mostly none', () => {
  let refused = 0;
  fc.assert(
    fc.property(fc.string({ minLength: 8, maxLength: 600, unit: 'binary' }), (noise) => {
      const { definition, confidence } = generate(noise);
      if (definition === undefined || confidence < 0.4) refused++;
      if (definition !== undefined) expectDeployable(definition);
    }),
    { numRuns: 500, seed: 7 },
  );
  expect(refused).toBeGreaterThan(490);
});

test.each([
  ['nothing but openings', 'when '.repeat(120)],
  ['nothing but articles', 'the a an '.repeat(66)],
  ['numbers without end', '9'.repeat(600)],
  ['an address without end', `emit ${'https://'.repeat(74)}`],
  ['quotes that do not close', '"'.repeat(600)],
  ['rules without end', 'on a emit b.'.repeat(50)],
  ['ends without end', `when a arrives emit b ${'unless c '.repeat(64)}`],
  ['many ends', `after 2 days stop ${Array.from({ length: 70 }, (_, n) => `until x${n}`).join(' ')}`.slice(0, 600)],
  ['code', '{"x": "$(process.exit())"} __proto__ constructor when __proto__ arrives emit constructor'],
  ['names of objects', 'when constructor is constructor set constructor to 5 and emit toString'],
])('%s: 600 characters are read at once', (_, hostile) => {
  const { definition } = generate(hostile.slice(0, LIMITS.contracts.generate.most));
  if (definition !== undefined) expectDeployable(definition);
});
