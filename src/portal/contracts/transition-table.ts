// Transitions as text: the details of the diagram, and its alternative for screen readers.

import { h } from 'preact';
import { type Definition, type Scalars, sourcesOf, type Transition } from '../../contracts/definition.ts';
import { actionTexts, conditionText, triggerText } from './definition-text.ts';

interface Props {
  readonly definition: Definition;
  readonly parameters: Scalars;
  readonly current?: string | undefined;
  /** Called with the transition under the pointer, or undefined. */
  readonly onHighlight?: (transition: string | undefined) => void;
}

export function TransitionTable({ definition, parameters, current, onHighlight = () => {} }: Props) {
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
          events: definition.events,
          isPossible: sourcesOf(transition).includes(current ?? ''),
          onHighlight,
        }),
      ),
    ),
  );
}

interface RowProps {
  readonly transition: Transition;
  readonly parameters: Scalars;
  readonly events: Definition['events'];
  readonly isPossible: boolean;
  readonly onHighlight: (transition: string | undefined) => void;
}

function Row({ transition, parameters, events, isPossible, onHighlight }: RowProps) {
  const { id, to, proof } = transition;
  const condition = conditionText(transition);
  const actions = actionTexts(transition);
  return h(
    'li',
    {
      class: `transition${isPossible ? ' is-possible' : ''}`,
      'data-transition': id,
      onMouseEnter: () => onHighlight(id),
      onMouseLeave: () => onHighlight(undefined),
    },
    h(
      'p',
      { class: 'transition-head' },
      h('strong', null, id),
      h('span', { class: 'transition-states' }, `${sourcesOf(transition).join(', ')} → ${to}`),
      isPossible ? h('span', { class: 'transition-note' }, 'from this state') : null,
      proof ? h('span', { class: 'transition-note is-plain' }, 'with receipt') : null,
    ),
    h(
      'p',
      { class: 'transition-text' },
      triggerText(transition, parameters, events),
      condition === '' ? null : [' ', h('code', null, condition)],
    ),
    actions.length === 0
      ? null
      : h(
          'p',
          { class: 'transition-text' },
          'then ',
          actions.map((text, index) => [index === 0 ? null : ', ', h('code', { key: index }, text)]),
        ),
  );
}
