// The agreement in sentences: what each party may do, what happens when, and what then changes.
//
// Every operative part of the definition stands in some sentence, so that two definitions with different terms have
// different sentences; test/contracts/authoring/explain.test.ts changes each part in turn. The hash binds them.

import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { CompiledContract, CompiledTransition } from '../compiled.ts';
import { type Definition, listOf, type PartyNames, type Transition } from '../definition.ts';
import { ownParties } from '../instances/parties.ts';
import { actionWords } from './explain-actions.ts';
import { type ExplainedSentence, termSentences } from './explain-terms.ts';
import { triggerWords } from './explain-triggers.ts';
import { listed, spoken, Words } from './words.ts';

export interface Explanation {
  /** SHA-256 of the canonical JSON of the definition that these sentences are about. */
  readonly definition_hash: string;
  readonly title: string;
  readonly sections: readonly { readonly heading: string; readonly sentences: readonly ExplainedSentence[] }[];
}

/** Names of the parties, by party: printed beside their roles. */
export type PartyTitles = Readonly<Record<string, string>>;

/** @param names  who the parties are; a party without one is named by its role */
export function explain(contract: CompiledContract, names: PartyTitles = {}): Explanation {
  const { definition } = contract;
  const { title, name, version, description } = definition;
  const words = new Words(contract);
  const sections = [
    {
      heading: 'The agreement',
      sentences: [
        { text: `This is ${title ?? spoken(name)} (${name}), version ${version}.`, pointer: '/name' },
        ...(description === undefined ? [] : [{ text: description, pointer: '/description' }]),
      ],
    },
    { heading: 'Parties', sentences: partySentences(contract, names) },
    { heading: 'Terms', sentences: termSentences(contract, words, (given) => parties(definition, names, given)) },
    ...stateSections(contract, words, names),
  ];
  return {
    definition_hash: sha256Hex(canonicalJson(definition)),
    title: title ?? spoken(name),
    sections: sections.filter(({ sentences }) => sentences.length > 0),
  };
}

/** The whole explanation as lines of text. */
export function explanationText({ title, definition_hash: hash, sections }: Explanation): string {
  const parts = sections.map(({ heading, sentences }) =>
    [heading, ...sentences.map(({ text }) => `- ${text}`)].join('\n'),
  );
  return `${[title, ...parts].join('\n\n')}\n\nThese sentences describe the definition ${hash}.\n`;
}

/** "the buyer (Ann)", "one of the inspectors" */
function parties({ parties: declared = {} }: Definition, names: PartyTitles, given: PartyNames, last = 'or'): string {
  return listed(
    listOf(given).map((party) => {
      const isSeveral = (declared[party]?.count?.max ?? 1) > 1;
      const title = Object.hasOwn(names, party) ? ` (${names[party]})` : '';
      return `${isSeveral ? 'one of ' : ''}the ${spoken(party)}${title}`;
    }),
    last,
  );
}

function partySentences({ definition, pause }: CompiledContract, names: PartyTitles): ExplainedSentence[] {
  const { parties: declared, amend, edition, key, spawn, respawn } = definition;
  const sentences = Object.entries(declared ?? {}).map(([party, { count, bind, description }]) => {
    const title = Object.hasOwn(names, party) ? ` is ${names[party]}` : '';
    const { min, max } = count ?? { min: 1, max: 1 };
    const number = max === 1 ? 'one account or key' : `${min === max ? min : `${min} to ${max}`} accounts or keys`;
    const who = bind === undefined ? number : `${number}${boundBy(bind, key)}`;
    const text = `The ${spoken(party)}${title}: ${who}.${description === undefined ? '' : ` ${description}`}`;
    return { text, pointer: `/parties/${party}` };
  });
  if (key !== undefined) {
    const field = spoken(key.slice('event.'.length));
    const begins = listOf(spawn ?? [])
      .map(spoken)
      .join(' or ');
    const again = respawn === true ? 'begins again with a later one' : 'never begins again';
    const text = `All of this holds for each ${field} by itself: it begins with the event ${begins}, and once it has ended, it ${again}. An event reaches only the one whose ${field} it carries, and nobody does anything by hand.`;
    sentences.push({ text, pointer: '/key' });
  }
  if (declared !== undefined) {
    const who =
      amend === undefined || amend.by === 'all'
        ? 'everybody who is bound to a party has accepted it'
        : `${amend.at_least} of ${parties(definition, names, amend.of, 'and')} have accepted it`;
    const own = ownParties(definition).map(([party]) => party);
    const isFree = own.length === Object.keys(declared).length && amend === undefined;
    const begun = `Whatever has begun before goes on as it was until ${parties(definition, names, own, 'and')} of it ${own.length === 1 ? 'has' : 'have'} accepted the version.`;
    const text = isFree ? 'A new version takes effect at once.' : `A new version takes effect when ${who}.`;
    sentences.push({ text: own.length === 0 ? text : `${text} ${begun}`, pointer: '/amend' });
  }
  if (edition === 2) {
    sentences.push({ text: `${byHand(definition, names, pause)} may pause it.`, pointer: '/pause' });
  }
  return sentences;
}

/** How each instance binds a party. */
function boundBy(bind: string, key = ''): string {
  const each = `for each ${spoken(key.slice('event.'.length))}`;
  if (bind === 'event.actor') return `, which has sent the event that begins it, ${each}`;
  return `, which the event that begins it names as ${spoken(bind.slice('event.'.length))}, ${each}`;
}

/** Who is meant by a role, a party or `never`, at the beginning of a sentence. */
function byHand(definition: Definition, names: PartyTitles, who: string): string {
  if (who === 'never') return 'Nobody';
  if (who === 'operator') return 'An operator of the machine';
  if (who === 'admin') return 'An administrator of the machine';
  const party = parties(definition, names, who);
  return `${party.charAt(0).toUpperCase()}${party.slice(1)}`;
}

function stateSections(contract: CompiledContract, words: Words, names: PartyTitles) {
  const { definition, transitions } = contract;
  return Object.entries(definition.states).map(([name, { role, outcome, description }]) => {
    const about = description === undefined ? '' : ` ${description}`;
    const pointer = `/states/${name}`;
    if (role === 'terminal') {
      const text = `The agreement ends here${outcome === undefined ? '' : `, with the outcome ${outcome}`}.${about}`;
      return { heading: `When it is ${spoken(name)}`, sentences: [{ text, pointer }] };
    }
    const start = name === definition.initial ? [{ text: `The agreement begins here.${about}`, pointer }] : [];
    const other = start.length === 0 && about !== '' ? [{ text: about.trim(), pointer }] : [];
    const leaving = transitions.filter(({ from }) => from.has(name));
    const sentences = leaving.map((transition) => ({
      text: transitionSentence(contract, transition, name, words, names),
      pointer: `/transitions/${transition.order}`,
    }));
    const isOrdered = leaving.length > 1;
    const order = isOrdered ? [{ text: 'Of these, the first that applies is done:', pointer }] : [];
    return { heading: `While it is ${spoken(name)}`, sentences: [...start, ...other, ...order, ...sentences] };
  });
}

function transitionSentence(
  contract: CompiledContract,
  compiled: CompiledTransition,
  state: string,
  words: Words,
  names: PartyTitles,
): string {
  const { definition } = contract;
  const transition = definition.transitions[compiled.order] as Transition;
  const { to, reenter, fires_when: guard, pre = [], post = [], let: lets = {}, operator, proof, priority } = transition;
  const saying = (given: PartyNames) => parties(definition, names, given);
  const when = triggerWords(definition, transition, words, saying);
  const meaning = Object.entries(lets).map(([name, text]) => `${spoken(name)} being ${words.expression(text)}`);
  const before = pre.map((action) => actionWords(action, definition, words));
  const condition = guard === undefined ? '' : `, if ${words.expression(guard)}`;
  const becomes =
    to !== state
      ? `it becomes ${spoken(to)}`
      : reenter === true
        ? `it becomes ${spoken(to)} anew, and its times begin again`
        : `it stays ${spoken(to)}`;
  const effects = post.map((action) => actionWords(action, definition, words));
  const notes = [
    ...(before.length > 0 ? [`Before the condition is tried, ${listed(before)}.`] : []),
    ...(priority !== undefined ? [`Its priority is ${priority}.`] : []),
    ...(compiled.manual === 'never' || definition.key !== undefined
      ? []
      : [`${byHand(definition, names, compiled.manual)} may do it by hand.`]),
    ...(operator === 'KO42' ? [] : [`It is done by operator ${operator}.`]),
    ...(proof ? ['A receipt of it is signed.'] : []),
  ];
  const first = `${when}${meaning.length === 0 ? '' : ` (${listed(meaning)})`}${condition}, ${[becomes, ...effects].join('; ')}`;
  return [`${first}. [${transition.id}]`, ...notes].join(' ');
}
