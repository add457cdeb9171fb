// The transitions in words: the diagram for who does not see it, and its details for who does.

import { h } from 'preact';
import { type Definition, type Scalars, sourcesOf, type Transition } from '../../contracts/definition.ts';
import { actionsOf, conditionWords, triggerWords } from './words.ts';

interface Props {
  readonly definition: Definition;
  readonly parameters: Scalars;
  readonly current?: string | undefined;
  /** Pointed at with mouse or focus; undefined for none. */
  readonly onMark?: (transition: string | undefined) => void;
}

export function TransitionTable({ definition, parameters, current, onMark = () => {} }: Props) {
  return h(
    'section',
    { class: 'transitions', 'aria-labelledby': 'transitions-title' },
    h('h2', { id: 'transitions-title' }, 'Transitions'),
    h(
      'ul',
      { class: 'transition-list' },
      definition.transitions.map((transition) =>
        h(Row, {
          key: transition.id,
          transition,
          parameters,
          isPossible: sourcesOf(transition).includes(current ?? ''),
          onMark,
        }),
      ),
    ),
  );
}

interface RowProps {
  readonly transition: Transition;
  readonly parameters: Scalars;
  readonly isPossible: boolean;
  readonly onMark: (transition: string | undefined) => void;
}

function Row({ transition, parameters, isPossible, onMark }: RowProps) {
  const { id, to, proof } = transition;
  const condition = conditionWords(transition);
  const actions = actionsOf(transition);
  return h(
    'li',
    {
      class: `transition${isPossible ? ' is-possible' : ''}`,
      'data-transition': id,
      onMouseEnter: () => onMark(id),
      onMouseLeave: () => onMark(undefined),
    },
    h(
      'p',
      { class: 'transition-head' },
      h('strong', null, id),
      h('span', { class: 'transition-way' }, `${sourcesOf(transition).join(', ')} → ${to}`),
      isPossible ? h('span', { class: 'transition-note' }, 'possible now') : null,
      proof ? h('span', { class: 'transition-note is-plain' }, 'with receipt') : null,
    ),
    h(
      'p',
      { class: 'transition-text' },
      triggerWords(transition, parameters),
      condition === '' ? null : [' ', h('code', null, condition)],
    ),
    actions.length === 0
      ? null
      : h(
          'p',
          { class: 'transition-text' },
          'then ',
          actions.map((text, at) => [at === 0 ? null : ', ', h('code', { key: at }, text)]),
        ),
  );
}
