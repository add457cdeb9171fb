// Small changes of a definition that change what it says: operators and numbers of expressions, states, parties, times,
// actions. A set of scenarios is good if it, or the check, tells each of them from the original.
//
// Not made, since no scenario can see them: texts for people, payloads of emitted events, proof, signed (scenarios have
// no keys), bounds of parameters and of collections, and what may be done by hand.

import type { Definition } from '../../src/contracts/definition.ts';
import { ticksOfDuration } from '../../src/contracts/durations.ts';

export interface Mutant {
  /** What was changed, for people: `transitions.pay.fires_when: >= becomes >`. */
  readonly name: string;
  readonly definition: unknown;
}

type Path = readonly (string | number)[];
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A new value of a place in the definition; undefined removes it. */
interface Change {
  readonly path: Path;
  readonly value: Json | undefined;
  readonly text: string;
}

export function mutantsOf(definition: Definition): Mutant[] {
  const json = JSON.parse(JSON.stringify(definition)) as Json;
  return changesOf(definition).map(({ path, value, text }) => ({
    name: `${named(definition, path)}: ${text}`,
    definition: changed(json, path, value),
  }));
}

/** With the id of a transition in place of its number. */
function named({ transitions }: Definition, path: Path): string {
  const [first, second] = path;
  const id = first === 'transitions' && typeof second === 'number' ? transitions[second]?.id : undefined;
  return path.map((part, i) => (i === 1 && id !== undefined ? id : part)).join('.');
}

function changed(json: Json, [first, ...rest]: Path, value: Json | undefined): Json {
  if (first === undefined || json === null || typeof json !== 'object') throw new Error('The path leads nowhere.');
  const copy: Record<string, Json> | Json[] = Array.isArray(json) ? [...(json as Json[])] : { ...(json as object) };
  const holder = copy as Record<string | number, Json>;
  if (rest.length > 0) holder[first] = changed(holder[first] as Json, rest, value);
  else if (value !== undefined) holder[first] = value;
  else if (Array.isArray(copy)) copy.splice(Number(first), 1);
  else delete holder[first];
  return copy as Json;
}

function changesOf(definition: Definition): Change[] {
  const { let: lets = {}, events = {}, parameters = {}, context = {}, clocks = {}, accruals = {} } = definition;
  return [
    ...definition.transitions.flatMap((_, i) => transitionChanges(definition, i)),
    ...Object.entries(lets).flatMap(([name, text]) => expressionChanges(['let', name], text)),
    ...Object.entries(events).flatMap(([name, { from }]) => partyChanges(definition, ['events', name, 'from'], from)),
    ...Object.entries(parameters).flatMap(([name, one]) => valueChanges(['parameters', name, 'default'], one.default)),
    ...Object.entries(context).flatMap(([name, one]) => valueChanges(['context', name, 'initial'], one.initial)),
    ...Object.entries(clocks).flatMap(([name, { runs_in: states }]) =>
      states.length === 1 ? [] : states.map((state, i) => removal(['clocks', name, 'runs_in', i], state)),
    ),
    ...Object.entries(accruals).map(([name, { basis }]) =>
      replacement(['accruals', name, 'basis'], basis, basis === 'act_365' ? 'act_360' : 'act_365'),
    ),
  ];
}

const removal = (path: Path, what: Json): Change => ({ path, value: undefined, text: `without ${shown(what)}` });
const replacement = (path: Path, before: Json, after: Json): Change => ({
  path,
  value: after,
  text: `${shown(before)} becomes ${shown(after)}`,
});
const MAX_SHOWN = 80;
const shown = (value: Json) => JSON.stringify(value).slice(0, MAX_SHOWN);

function transitionChanges(definition: Definition, i: number): Change[] {
  const transition = definition.transitions[i];
  if (transition === undefined) return [];
  const at: Path = ['transitions', i];
  const { id, from, to, fires_when: guard, by, reenter, priority, let: lets = {}, pre = [], post = [] } = transition;
  const states = Object.keys(definition.states);
  const next = (state: string) => states[(states.indexOf(state) + 1) % states.length] ?? state;
  const sources = typeof from === 'string' ? [from] : from;
  return [
    removal(at, id),
    ...(sources.length > 1 ? sources.map((state, k) => removal([...at, 'from', k], state)) : []),
    ...sources.map((state, k) =>
      replacement([...at, 'from', ...(typeof from === 'string' ? [] : [k])], state, next(state)),
    ),
    replacement([...at, 'to'], to, next(to)),
    ...(guard === undefined
      ? []
      : [removal([...at, 'fires_when'], guard), ...expressionChanges([...at, 'fires_when'], guard)]),
    ...partyChanges(definition, [...at, 'by'], by),
    ...(reenter === true ? [removal([...at, 'reenter'], true)] : []),
    ...(priority === undefined ? [] : [replacement([...at, 'priority'], priority, -priority)]),
    ...Object.entries(lets).flatMap(([name, text]) => expressionChanges([...at, 'let', name], text)),
    ...triggerChanges(definition, [...at, 'trigger'], transition.trigger),
    ...Object.entries({ pre, post }).flatMap(([list, actions]) =>
      actions.flatMap((action, k) => actionChanges([...at, list, k], action)),
    ),
  ];
}

function partyChanges(
  { parties = {} }: Definition,
  path: Path,
  given: string | readonly string[] | undefined,
): Change[] {
  if (given === undefined) return [];
  const names = typeof given === 'string' ? [given] : given;
  const others = Object.keys(parties).filter((name) => !names.includes(name));
  return [
    removal(path, [...names]),
    ...others.map((name) => replacement(path, [...names], [...names, name])),
    ...(names.length > 1
      ? names.map((name) =>
          replacement(
            path,
            [...names],
            names.filter((one) => one !== name),
          ),
        )
      : others.map((name) => replacement(path, [...names], [name]))),
  ];
}

/** An action that is left out, and the expressions of what it does; payloads are for people and other programs. */
function actionChanges(path: Path, action: object): Change[] {
  if ('log' in action || 'webhook' in action) return [];
  const [kind = '', body] = Object.entries(action)[0] ?? [];
  const whole = removal(path, kind);
  if ('emit' in action || typeof body === 'string') return [whole];
  const fields = Object.entries(body as Record<string, unknown>);
  const several = kind === 'set' && fields.length > 1;
  return [
    whole,
    ...fields.flatMap(([name, value]) => {
      const isName = ['into', 'by', 'op', 'token', 'operator', 'solver'].includes(name) || typeof value !== 'string';
      const place = [...path, kind, name];
      return [...(several ? [removal(place, name)] : []), ...(isName ? [] : expressionChanges(place, value))];
    }),
  ];
}

function triggerChanges(definition: Definition, path: Path, trigger: Definition['transitions'][number]['trigger']) {
  const changes: Change[] = [];
  for (const [name, value] of Object.entries(trigger)) {
    const place = [...path, name];
    if (name === 'of') changes.push(...partyChanges(definition, place, value as string | string[]).slice(1));
    else if (name === 'after' || name === 'every' || name === 'within') {
      if (typeof value === 'object') changes.push(...durationChanges([...place, 'business'], value.business));
      else changes.push(...lengthChanges(definition, place, value as string | number));
    } else if (name === 'at' || name === 'since' || name === 'extended_by')
      changes.push(...expressionChanges(place, value), ...(name === 'at' ? [] : [removal(place, value)]));
    else if (name === 'filter' || name === 'veto')
      changes.push(removal(place, value), ...expressionChanges(place, value));
    else if (name === 'at_least')
      changes.push(
        ...(typeof value === 'number' ? valueChanges(place, value) : expressionChanges(place, String(value))),
        ...(typeof value === 'string' ? [replacement(place, value, `${value} + 1`)] : []),
      );
    else if (name === 'time') changes.push(replacement(place, value, value === '24:00' ? '23:00' : later(value)));
    else if (name === 'roll') changes.push(removal(place, value), replacement(place, value, 'preceding'));
    else if (name === 'past') changes.push(removal(place, value));
    else if (name === 'cron') changes.push(...expressionChanges(place, value));
    else if (name === 'changes' || name === 'distinct') changes.push(removal(place, value));
    else if (name === 'tz') changes.push(replacement(place, value, 'Asia/Tokyo'));
  }
  return changes;
}

/** Half an hour later. */
const later = (time: string) => `${time.slice(0, 3)}30`;

/** One tick more and less of a length that a parameter holds; other numbers of one that is written. */
function lengthChanges({ parameters = {} }: Definition, path: Path, value: string | number): Change[] {
  if (typeof value === 'number') return valueChanges(path, value);
  const parameter = parameters[value];
  if (parameter?.type !== 'duration')
    return /^P[\dT]/.test(value) ? durationChanges(path, value) : expressionChanges(path, value);
  const ticks = ticksOfDuration(String(parameter.default)) ?? Number(parameter.default);
  return [ticks + 1, ticks - 1].map((other) => replacement(path, value, other));
}

const durationChanges = (path: Path, text: string): Change[] =>
  [...text.matchAll(/\d+/g)].map(({ 0: digits, index }) =>
    replacement(path, text, `${text.slice(0, index)}${Number(digits) + 1}${text.slice(index + digits.length)}`),
  );

function valueChanges(path: Path, value: number | boolean | string): Change[] {
  if (typeof value === 'number') return [replacement(path, value, value + 1)];
  if (typeof value === 'boolean') return [replacement(path, value, !value)];
  // Lengths are changed where they are used, and texts of other kinds have no neighbour.
  return [];
}

/** Neighbours of an operator. */
const SWAPS: Readonly<Record<string, readonly string[]>> = {
  '>=': ['>', '<'],
  '<=': ['<', '>'],
  '>': ['>=', '<'],
  '<': ['<=', '>'],
  '==': ['!='],
  '!=': ['=='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  and: ['or'],
  or: ['and'],
  'not ': [''],
  min: ['max'],
  max: ['min'],
  largest: ['smallest'],
  smallest: ['largest'],
  first: ['last'],
  has: ['not has'],
  true: ['false'],
  false: ['true'],
};

const TOKENS =
  /"[^"]*"|>=|<=|==|!=|[<>+*/-]|\bnot |\b(?:and|or|min|max|largest|smallest|first|has|true|false)\b|(?<![\w.])\d+(?:\.\d+)?\b/g;

/** One operator, function or number of an expression changed. */
function expressionChanges(path: Path, text: string): Change[] {
  return [...text.matchAll(TOKENS)].flatMap(({ 0: token, index }) => {
    const before = text.slice(0, index);
    const isNegated = token === 'has' && before.endsWith('not ');
    const others = isNegated
      ? []
      : token.startsWith('"')
        ? ['"other"']
        : /^\d/.test(token)
          ? [String(Number(token) + 1)]
          : (SWAPS[token] ?? []);
    return others.map((other) => ({
      path,
      value: `${before}${other}${text.slice(index + token.length)}`,
      text: `${token} at ${index} becomes ${other === '' ? 'nothing' : other} in ${text}`,
    }));
  });
}
