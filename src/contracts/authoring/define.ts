// Definitions in TypeScript: states, events, context, parameters and parties are inferred, so that a name that is none is a
// fault of the compiler. What every definition repeats is filled in; the result is the plain definition, edition 2.

import type { z } from 'zod';
import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { parseOrThrow } from '../../core/validation.ts';
import { type Action, Definition, type Scalars, type Transition, type Trigger } from '../definition.ts';
import type { Scenario, ScenarioStep } from '../simulate.ts';

type Input = z.input<typeof Definition>;
type InputOf<Field extends keyof Input> = NonNullable<Input[Field]>;

type StateDraft = Partial<InputOf<'states'>[string]>;
type EventDraft<Party extends string> = Omit<InputOf<'events'>[string], 'from'> & {
  readonly from?: Party | readonly Party[];
};

/** The triggers, with names that exist. */
type TriggerDraft<Event extends string, Party extends string> = Trigger extends infer One
  ? One extends Trigger
    ? {
        [Field in keyof One]: Field extends 'event'
          ? Event
          : Field extends 'of'
            ? Party | readonly Party[]
            : One[Field];
      }
    : never
  : never;

type TransitionDraft<State extends string, Event extends string, Party extends string> = Omit<
  Transition,
  'from' | 'to' | 'operator' | 'proof' | 'trigger' | 'by' | 'manual' | 'pre' | 'post'
> & {
  readonly from: State | readonly State[];
  readonly to: State;
  readonly trigger: TriggerDraft<Event, Party>;
  readonly by?: Party | readonly Party[];
  readonly manual?: Party | 'never' | 'operator' | 'admin';
  /** KO42 by default. */
  readonly operator?: string;
  /** False by default. */
  readonly proof?: boolean;
  readonly pre?: readonly Action[];
  readonly post?: readonly Action[];
};

/** Values of a type of the language. */
type ValueOf<Type> = Type extends 'boolean'
  ? boolean
  : Type extends 'string' | 'cron'
    ? string
    : Type extends 'duration'
      ? string | number
      : number;
type ValuesOf<Declared> = unknown extends Declared
  ? Scalars
  : [keyof Declared] extends [never]
    ? Readonly<Record<string, never>>
    : {
        readonly [Name in keyof Declared]?: Declared[Name] extends { readonly type: infer Type }
          ? ValueOf<Type>
          : never;
      };
type PayloadOf<Event> = Event extends { readonly payload: infer Fields }
  ? { readonly [Field in keyof Fields]: ValueOf<Fields[Field]> }
  : never;

/** What the compiler knows of a contract. */
export interface Names {
  readonly states: unknown;
  readonly events: unknown;
  readonly parties: unknown;
  readonly parameters: unknown;
  readonly context: unknown;
}

type NameOf<Declared> = keyof Declared & string;

/** A definition, with the types of its names. */
export interface Contract<Known extends Names = Names> {
  readonly definition: Definition;
  /** SHA-256 of the canonical JSON. */
  readonly definition_hash: string;
  /** For the compiler only. */
  readonly known?: Known;
}

type Parts = 'states' | 'events' | 'parties' | 'parameters' | 'context' | 'transitions' | 'initial';

export interface DefinitionDraft<States, Events, Parties, Parameters, Context>
  extends Omit<Partial<Input>, Parts | 'name' | 'edition'> {
  readonly name: string;
  /** The role follows: that of `initial`, terminal with an outcome, otherwise intermediate. */
  readonly states: States;
  readonly initial: NoInfer<NameOf<States>>;
  readonly events?: Events & { readonly [Event in keyof Events]: EventDraft<NoInfer<NameOf<Parties>>> };
  readonly parties?: Parties;
  readonly parameters?: Parameters;
  readonly context?: Context;
  readonly transitions: readonly TransitionDraft<
    NoInfer<NameOf<States>>,
    NoInfer<NameOf<Events>>,
    NoInfer<NameOf<Parties>>
  >[];
}

/**
 * A contract from a definition without what can be filled in: edition, version, operators, the operator and proof of each
 * transition, the roles of states, and the names that it emits.
 *
 * @throws DomainError VALIDATION_FAILED for what the types do not show; `check` finds the rest
 */
export function define<
  const States extends Readonly<Record<string, StateDraft>>,
  // biome-ignore lint/complexity/noBannedTypes: no names
  const Events extends Readonly<Record<string, EventDraft<string>>> = {},
  // biome-ignore lint/complexity/noBannedTypes: no names
  const Parties extends InputOf<'parties'> = {},
  // biome-ignore lint/complexity/noBannedTypes: no names
  const Parameters extends InputOf<'parameters'> = {},
  // biome-ignore lint/complexity/noBannedTypes: no names
  const Context extends InputOf<'context'> = {},
>(
  draft: DefinitionDraft<States, Events, Parties, Parameters, Context>,
): Contract<{ states: States; events: Events; parties: Parties; parameters: Parameters; context: Context }> {
  const definition = parseOrThrow(Definition, filledIn(draft as unknown as LooseDraft), Object.keys(Definition.shape));
  return { definition, definition_hash: sha256Hex(canonicalJson(definition)) };
}

interface LooseDraft extends Omit<Definition, 'states' | 'transitions'> {
  readonly states: Readonly<Record<string, StateDraft>>;
  readonly transitions: readonly (Omit<Transition, 'operator' | 'proof'> & Partial<Transition>)[];
}

function filledIn({ name, version = '1.0', operators, initial, states, emits, transitions, ...rest }: LooseDraft) {
  const filled = transitions.map(({ id, from, to, operator = 'KO42', proof = false, ...more }) => ({
    ...{ id, from, to, operator, proof },
    ...more,
  }));
  const announced = emits ?? [...new Set(filled.flatMap(({ post = [] }) => post.flatMap(emittedBy)))];
  return {
    ...{ name, version, edition: 2 },
    operators: operators ?? [...new Set(['KO42', ...filled.flatMap(operatorsOf)])],
    initial,
    ...rest,
    ...(announced.length === 0 ? {} : { emits: announced }),
    states: Object.fromEntries(
      Object.entries(states).map(([state, { role, ...more }]) => [
        state,
        {
          role: role ?? (state === initial ? 'initial' : more.outcome === undefined ? 'intermediate' : 'terminal'),
          ...more,
        },
      ]),
    ),
    transitions: filled,
  };
}

const emittedBy = (action: Action): string[] =>
  'emit' in action ? [typeof action.emit === 'string' ? action.emit : action.emit.event] : [];

const operatorsOf = ({ operator, pre = [], post = [] }: Pick<Transition, 'operator' | 'pre' | 'post'>): string[] => [
  operator,
  ...[...pre, ...post].flatMap((action) =>
    'compute' in action && action.compute.operator !== undefined ? [action.compute.operator] : [],
  ),
];

type SendOf<Events> = {
  [Event in NameOf<Events>]: [PayloadOf<Events[Event]>] extends [never]
    ? { readonly send: Event; readonly payload?: Readonly<Record<string, never>> }
    : { readonly send: Event; readonly payload: PayloadOf<Events[Event]> };
}[NameOf<Events>];

/** A party, one account of several, or the name of anybody else. */
type Sender<Parties> = NameOf<Parties> | `${NameOf<Parties>}.${number}` | (string & Record<never, never>);

type StepDraft<Known extends Names> = Omit<ScenarioStep, 'send' | 'payload' | 'by' | 'expect'> & {
  readonly by?: Sender<Known['parties']>;
  readonly expect?: Omit<NonNullable<ScenarioStep['expect']>, 'state' | 'context'> & {
    readonly state?: NameOf<Known['states']>;
    readonly context?: ValuesOf<Known['context']>;
  };
} & (SendOf<Known['events']> | { readonly send?: never; readonly payload?: never });

export interface ScenarioDraft<Known extends Names> {
  readonly name: string;
  readonly parameters?: ValuesOf<Known['parameters']>;
  readonly bound?: { readonly [Party in keyof Known['parties']]?: number };
  readonly start?: string;
  readonly steps: readonly StepDraft<Known>[];
}

/** A scenario of a contract, with names and payloads that the compiler knows. */
export function scenario<const Known extends Names>(
  _: Contract<Known>,
  draft: NoInfer<ScenarioDraft<Known>>,
): Scenario {
  return draft as unknown as Scenario;
}
