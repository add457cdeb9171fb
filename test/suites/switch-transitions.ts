// The transitions of a contract that goes to and fro between off and on.

export const SWITCH_STATES = { off: { role: 'initial' }, on: { role: 'intermediate' } } as const;

/** @param more  fields of both transitions, beside their trigger */
export const switchTransitions = (trigger: object, more: object = {}) =>
  (['off', 'on'] as const).map((from) => ({
    id: `from_${from}`,
    from,
    to: from === 'off' ? 'on' : 'off',
    operator: 'KO42',
    proof: false,
    trigger,
    ...more,
  }));
