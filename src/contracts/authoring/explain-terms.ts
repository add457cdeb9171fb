// The terms of an agreement in words: parameters, what it keeps, what may be sent, calendars, stopwatches and readings.

import type { CompiledContract } from '../compiled.ts';
import type { Definition, PartyNames } from '../definition.ts';
import { AGGREGATES } from './explain-triggers.ts';
import { afterNumber, listed, spoken, typeWords, valueWords, type Words } from './words.ts';

export interface ExplainedSentence {
  readonly text: string;
  /** JSON Pointer to what it says in words. */
  readonly pointer: string;
}

export function termSentences(
  contract: CompiledContract,
  words: Words,
  saying: (given: PartyNames) => string,
): ExplainedSentence[] {
  const { definition } = contract;
  return [
    ...parameterSentences(contract),
    ...contextSentences(definition),
    ...Object.entries(definition.let ?? {}).map(([name, text]) => ({
      text: `${spoken(name)} means ${words.expression(text)}.`,
      pointer: `/let/${name}`,
    })),
    ...eventSentences(definition, saying),
    ...windowSentences(definition, words),
    ...timeSentences(definition),
    ...oracleSentences(definition, words),
    { text: `It names the operators ${listed(definition.operators)}.`, pointer: '/operators' },
  ];
}

function parameterSentences({ definition, parameters }: CompiledContract): ExplainedSentence[] {
  return Object.entries(definition.parameters ?? {}).map(([name, declared]) => {
    const { type, min, max, enum: allowed, unit, description } = declared;
    const value = parameters[name] ?? declared.default;
    const usual = valueWords(declared.default, type);
    const actual = valueWords(value, type);
    const limits = [
      ...(min === undefined ? [] : [`at least ${min}`]),
      ...(max === undefined ? [] : [`at most ${max}`]),
      ...(allowed === undefined
        ? []
        : [
            `one of ${listed(
              allowed.map((one) => valueWords(one, type)),
              'or',
            )}`,
          ]),
    ];
    const range = limits.length === 0 ? '' : `, which may be ${limits.join(', ')}`;
    const byDefault = usual === actual ? '' : ` (by default ${usual})`;
    const about = description === undefined ? '' : ` ${description}`;
    const text = `${spoken(name)} is ${actual}${afterNumber(unit)}${byDefault}, ${typeWords(type)}${range}.${about}`;
    return { text, pointer: `/parameters/${name}` };
  });
}

function contextSentences({ context = {}, collections = {} }: Definition): ExplainedSentence[] {
  return [
    ...Object.entries(context).map(([name, { type, initial, unit, description }]) => ({
      text: `${spoken(name)}, ${typeWords(type)}, is ${valueWords(initial, type)}${afterNumber(unit)} at first.${about(description)}`,
      pointer: `/context/${name}`,
    })),
    ...Object.entries(collections).map(([name, { kind, of, max, at_limit: limit, description }]) => ({
      text: `${spoken(name)} is a ${kind}, each entry ${typeWords(of)}, with at most ${max} entries; one more ${limit === 'drop_oldest' ? 'drops the oldest' : 'is refused'}.${about(description)}`,
      pointer: `/collections/${name}`,
    })),
  ];
}

const about = (description: string | undefined) => (description === undefined ? '' : ` ${description}`);

function eventSentences(
  { events = {}, emits = [] }: Definition,
  saying: (given: PartyNames) => string,
): ExplainedSentence[] {
  const sentences = Object.entries(events).map(([name, { payload = {}, from, signed, open, description }]) => {
    const fields = Object.entries(payload).map(([field, type]) => `${spoken(field)} (${typeWords(type)})`);
    const carries = fields.length === 0 ? 'carries nothing' : `carries ${listed(fields)}`;
    const sender = from === undefined ? '' : `; only ${saying(from)} may send it`;
    const signature = signed === true ? '; it must be signed' : '';
    const opened = open === true ? '; it may be sent though the contract announces it' : '';
    return {
      text: `“${name}” ${carries}${sender}${signature}${opened}.${about(description)}`,
      pointer: `/events/${name}`,
    };
  });
  if (emits.length > 0)
    sentences.push({ text: `It announces ${listed(emits.map((name) => `“${name}”`))}.`, pointer: '/emits' });
  return sentences;
}

function windowSentences({ windows = {} }: Definition, words: Words): ExplainedSentence[] {
  return Object.entries(windows).map(([name, { event, fn, field, within, filter }]) => {
    const of = field === undefined ? '' : ` of ${spoken(field)}`;
    const chosen = filter === undefined ? '' : ` for which ${words.expression(filter)}`;
    return {
      text: `The window ${spoken(name)} gives ${AGGREGATES[fn]}${of} of the events “${event}”${chosen} in the last ${words.length(within)}.`,
      pointer: `/windows/${name}`,
    };
  });
}

function timeSentences({ zones, calendars = {}, clocks = {}, accruals = {} }: Definition): ExplainedSentence[] {
  return [
    ...(zones === undefined
      ? []
      : [{ text: `Local times follow release ${zones} of the time zones.`, pointer: '/zones' }]),
    ...Object.entries(calendars).map(([name, { tz, weekend = ['sat', 'sun'], holidays, source, description }]) => {
      const days =
        holidays === 'none'
          ? 'no holidays'
          : 'list' in holidays
            ? `the holidays of ${holidays.list} from ${holidays.from} to ${holidays.to}`
            : `the holidays ${listed(Object.entries(holidays).flatMap(([year, list]) => [`of ${year}: ${list.join(' ')}`]))}`;
      const off = weekend.length === 0 ? 'no weekend' : `the weekend ${weekend.join(' ')}`;
      const origin = source === undefined ? '' : ` Source: ${source}.`;
      const place = tz === undefined ? '' : ` in ${tz}`;
      return {
        text: `The calendar ${spoken(name)}${place} has ${off} and ${days}.${origin}${about(description)}`,
        pointer: `/calendars/${name}`,
      };
    }),
    ...Object.entries(clocks).map(([name, { runs_in: states, description }]) => ({
      text: `The stopwatch ${spoken(name)} runs while it is ${listed(states.map(spoken), 'or')}.${about(description)}`,
      pointer: `/clocks/${name}`,
    })),
    ...Object.entries(accruals).map(([name, { basis, from, to, tz, description }]) => ({
      text: `The part of a year ${spoken(name)} is counted by ${basis} from ${spoken(from)} to ${to === undefined ? 'the day on which it is read' : spoken(to)} in ${tz}.${about(description)}`,
      pointer: `/accruals/${name}`,
    })),
  ];
}

function oracleSentences({ oracle }: Definition, words: Words): ExplainedSentence[] {
  if (oracle === undefined) return [];
  const { kind = 'event', field, fn, every, within, max_age: age, min, max, unit, min_sources: sources } = oracle;
  const { event, url, pointer, operator, machine } = oracle;
  const parts = [
    `Its oracle reads ${spoken(field)} by ${kind}`,
    ...(event === undefined ? [] : [`with “${event}”`]),
    ...(url === undefined ? [] : [`from ${url}`]),
    ...(pointer === undefined ? [] : [`at ${pointer}`]),
    ...(operator === undefined ? [] : [`by operator ${operator}`]),
    ...(machine === undefined ? [] : [`of the machine ${machine}`]),
    ...(every === undefined ? [] : [`every ${words.length(every)}`]),
    `using ${fn}`,
    ...(within === undefined ? [] : [`of the last ${words.length(within)}`]),
    ...(afterNumber(unit) === '' ? [] : [`in ${unit}`]),
    ...(min === undefined ? [] : [`not below ${min}`]),
    ...(max === undefined ? [] : [`not above ${max}`]),
    ...(age === undefined ? [] : [`not older than ${words.length(age)}`]),
    ...(sources === undefined ? [] : [`from at least ${sources} sources`]),
  ];
  return [{ text: `${parts.join(', ')}.`, pointer: '/oracle' }];
}
