// The meaning of each code of a fault for its author: how early its cause lies, and how to mend it.

/** The order of causes: a fault of an earlier kind may be the cause of all later ones. */
const KINDS = ['form', 'edition', 'declaration', 'reference', 'value', 'meaning', 'flow', 'use'] as const;

type Kind = (typeof KINDS)[number];

interface Cause {
  readonly kind: Kind;
  /** What to do, as an imperative sentence. */
  readonly fix: string;
}

const cause = (kind: Kind, fix: string): Cause => ({ kind, fix });

/** Codes that the schema of definitions gives: the form of the document is wrong. */
const FORM_CODES: Readonly<Record<string, string>> = {
  MISSING: 'Add the field.',
  UNKNOWN_FIELD: 'Remove the field, or correct its name.',
  INVALID_TYPE: 'Write a value of the type that is expected.',
  INVALID_VALUE: 'Write one of the values that are listed.',
  INVALID_FORMAT: 'Write the text in the form that is expected.',
  INVALID_UNION: 'Write one of the forms that are expected.',
  INVALID_KEY: 'Use a name of lower-case letters, digits and underscores that begins with a letter.',
  TOO_BIG: 'Write a smaller value, or fewer of them.',
  TOO_SMALL: 'Write a larger value, or more of them.',
  CUSTOM: 'Write it as the message says.',
};

/** By the codes of ./check.ts, ./compiled.ts and their parts; test/contracts/authoring/causes.test.ts finds them all. */
const CAUSES: Readonly<Record<string, Cause>> = {
  EDITION: cause('edition', 'Add "edition": 2 to the definition.'),

  RESERVED: cause('declaration', 'Choose another name.'),
  TAKEN: cause('declaration', 'Choose a name that nothing else has.'),
  REPEATED: cause('declaration', 'Remove one of the two.'),
  TWICE: cause('declaration', 'Keep one of the two.'),
  INITIAL: cause('declaration', 'Give exactly one state the role initial, and name it in initial.'),
  CYCLE: cause('declaration', 'Write out one of the named expressions, so that none reads itself.'),
  KO42_FIRST: cause('declaration', 'Begin operators with KO42.'),
  UNKNOWN_RELEASE: cause('declaration', 'Name a release of the time zones that this program has.'),

  UNKNOWN_NAME: cause('reference', 'Correct the name, or declare it.'),
  UNKNOWN_ZONE: cause('reference', 'Name a zone of the IANA Time Zone Database, such as Europe/Berlin.'),
  OPERATOR_UNKNOWN: cause('reference', 'Name an operator of the registry; `svc operators search` finds one.'),
  SOLVER_UNKNOWN: cause('reference', 'Name a solver; `svc solve --help` lists them.'),
  NO_WINDOW: cause('reference', 'Read a declared window in the condition.'),
  NO_PARTY: cause('reference', 'Declare parties, or remove what needs them.'),
  UNDECLARED: cause('reference', 'Add the name to emits.'),
  EXPRESSION_INVALID: cause('reference', 'Correct the expression at that column.'),

  MISSING: cause('value', 'Add the field.'),
  ONE_OF: cause('value', 'Keep one of the fields.'),
  TYPE: cause('value', 'Write a value of the declared type, or change the type.'),
  OUT_OF_RANGE: cause('value', 'Write a value within the limits.'),
  COUNT: cause('value', 'Bind as many accounts and keys as the definition allows.'),
  UNBOUND: cause('value', 'Bind somebody to the party.'),
  BOUND_TWICE: cause('value', 'Bind each account or key to one party.'),
  DURATION: cause('value', 'Write a duration such as PT30S, PT5M or P7D.'),
  DATE: cause('value', 'Write a day that the year has.'),
  INSTANT: cause('value', 'Write a date, a local time or an instant, such as 2026-12-31T17:00Z.'),
  TIME: cause('value', 'Write a time of day such as 17:00.'),
  CRON: cause('value', 'Write five fields, such as 0 9 * * 1-5.'),
  CURRENCY: cause('value', 'Use one currency.'),
  UNIT_INVALID: cause('value', 'Write a unit such as K, degC or kg*m/s^2.'),
  UNIT_MISMATCH: cause('value', 'Use the unit that the law or solver declares.'),
  POINTER: cause('value', 'Write a JSON Pointer such as /rates/EUR.'),
  SLUG: cause('value', 'Write the name of a machine in lower case, such as boiler-2.'),
  URL: cause('value', 'Write an address that begins with https:// or http://.'),

  PAST: cause('meaning', 'Let the deadline lie in the future, or give it "past": "fire".'),
  NO_VALUE: cause('meaning', 'Give a value to every name that is read then.'),
  ORDER: cause('meaning', 'Let the first date come before the last one.'),
  KEY: cause('meaning', 'Keep the key and its type, or deploy another contract.'),
  NOT_ALLOWED: cause('meaning', 'Remove it, or move it to where it is allowed.'),
  CONTRADICTION: cause('meaning', 'Change one of the two, so that they agree.'),
  SOLVER_GUARD: cause('meaning', 'Call at most two solvers in a transition, with numbers only.'),
  BUDGET_EXCEEDED: cause('meaning', 'Make the expression shorter.'),
  VALIDATION_FAILED: cause('meaning', 'Write it as the message says.'),

  UNREACHABLE: cause('flow', 'Add a transition that leads there, or remove the state.'),
  NOT_TERMINAL: cause('flow', 'Give the state the role terminal, or remove its outcome.'),
  TERMINAL_EXIT: cause('flow', 'Remove the transition, or give the state the role intermediate.'),
  NO_EXIT: cause('flow', 'Add a transition out of the state, or give it the role terminal.'),
  NO_END: cause('flow', 'Add a transition that leads to a terminal state or back to the initial one.'),
  NOT_SELF: cause('flow', 'Remove reenter, or let the transition lead back to its own state.'),
  SHADOWED: cause('flow', 'Give the other transition a condition, or this one a higher priority.'),
  CASCADE: cause('flow', 'Give the transition a condition that ends the chain, or remove "self": true.'),
  TIMER_LOOP: cause('flow', 'Anchor one of the timers at the entry, or let one of them wait.'),

  UNUSED: cause('use', 'Use it, or remove it.'),
};

const WARNING_FIXES: Readonly<Record<string, string>> = {
  NEVER_TRUE: 'Change the condition, or remove the transition.',
  ALWAYS_TRUE: 'Remove the condition, or change it.',
  OVERLAP: 'Give them different priorities, or let the conditions exclude each other.',
  SILENCE_STAYS: 'Add "evaluate": "arrival_and_expiry" to the trigger.',
  TOO_LATE: 'Let it be due earlier, or give the earlier one a condition.',
  UNREACHABLE_END: 'Change the transitions that lead there, so that one of them can fire.',
  SPAWN_OVERWRITES: 'Let the guard read what the first event sets, as in due == 0, or let it lead to another state.',
  IDLE_PARTY: 'Name the party in from of an event, in by or of of a transition, or remove it.',
};

/** The place of a fault in the order of causes; one of the form comes before all others. */
export function rankOf(code: string, isForm: boolean, path = ''): number {
  const kind = isForm ? 'form' : (CAUSES[code]?.kind ?? 'meaning');
  // Expressions have the type of the value that a parameter has.
  const isGiven = kind === 'value' && /^(parameters|context)[.]/.test(path);
  return KINDS.indexOf(isGiven ? 'declaration' : kind);
}

/** How to mend a fault or a warning; undefined for an unknown code. */
export const fixOf = (code: string, isForm = false): string | undefined =>
  (isForm ? FORM_CODES[code] : undefined) ?? CAUSES[code]?.fix ?? WARNING_FIXES[code] ?? FORM_CODES[code];
