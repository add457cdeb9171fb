// The quantity that a question asks for, by its words: "how long does it take" asks for a time, "how hot" for a
// temperature. A law whose output has none of its dimensions may still be meant. Who did it, and how to do something, ask for
// no quantity.

import { printDimension } from '../core/units/dimension.ts';
import { unitOf } from './unit-table.ts';

/** The words of a question, and units of the dimensions that it may ask for. The first that fits decides. */
const ASKED: readonly (readonly [pattern: RegExp, units: string, force?: 'loose'])[] = [
  [/\bhow many (?:second|minute|hour|day|week|month|year)s?\b/, 's'],
  [/\bhow long (?:is|are|was) (?:the|a|an) (?:wave|rope|rod|stick|string)/, 'm'],
  [/\b(?:how long|how soon|when (?:will|does|do|is)|what time|how much time|period of|half.life)\b/, 's'],
  [
    /\bhow (?:far|high|tall|deep|wide|thick|low)\b|\bwhat (?:distance|height|depth)\b|\bwhere (?:will|does|do)\b/,
    'm',
    'loose',
  ],
  [
    /\bhow (?:fast|quick|quickly|rapidly)\b|\b(?:what|which|at what) (?:speed|velocity)\b|^(?:\w+ ){0,2}(?:speed|velocity)\b/,
    'm/s 1/s',
    'loose',
  ],
  [/\bhow (?:often|many times (?:a|per))\b|\b(?:pitch|note|tone|frequency|hum)\b/, 'Hz', 'loose'],
  [/\bhow (?:hot|cold|warm|cool)\b|\b(?:what|which) temperature\b|^temperature\b/, 'K'],
  [
    /\bhow (?:strong|hard)\b|\b(?:what|how much|how big a|which) (?:force|pull|push|drag|thrust)\b|^force\b/,
    'N N/m T V/m Pa',
  ],
  [/\bper (?:unit (?:of )?)?area\b/, 'W/m^2 W Pa kg/m^2'],
  [/^(?:electric )?charge\b/, 'A*s'],
  [/^(?:weight|mass)\b|\bhow heavy\b/, 'N kg kg/m^3'],
  [/^(?:surface )?area\b/, 'm^2'],
  [/^torque\b/, 'N*m'],
  [/^angular momentum\b/, 'J*s'],
  [/^magnetic flux\b/, 'Wb'],
  [/^angle\b/, '1'],
  [/\bhow (?:much|many) (?:energy|heat|joules?|calories|kilojoules)\b|^energy\b/, 'J W'],
  [/\b(?:how much|what|which) power\b|\bhow many (?:kilo|mega)?watts\b|^power\b/, 'W'],
  [/\b(?:how much|what|which|how high is the) pressure\b|^pressure\b/, 'Pa m'],
  [/\bhow many volts\b|\b(?:what|which|how much) voltage\b|^voltage\b/, 'V'],
  [/\bhow many ohms\b|\belectrical resistance\b/, 'ohm'],
  [/\b(?:worth|price|cost|dollars?|euros?|money|payment)\b/, 'USD'],
  [/\b(?:what|which) colou?r\b|\bwavelength\b/, 'm'],
  [/\b(?:how likely|chance|probability|risk|odds|share|fraction|per ?cent|percentage|proportion)\b/, '1', 'loose'],
  [/\bwhat part\b|\bhow many\b/, '1', 'loose'],
];

const dimensionOf = (unit: string) => printDimension(unitOf(unit).dimension);

/** The dimension of a number without a unit. */
export const NUMBER = dimensionOf('1');

const FORMS = ASKED.map(([pattern, units, force]) => ({
  pattern,
  asked: { dimensions: new Set(units.split(' ').map(dimensionOf)), isCertain: force !== 'loose' },
}));

export interface AskedQuantity {
  /** As `printDimension` writes them. */
  readonly dimensions: ReadonlySet<string>;
  /** False if people use the words for other quantities, too: how fast a fraction grows. */
  readonly isCertain: boolean;
}

/** Undefined if the question names no quantity. */
export function askedQuantity(query: string): AskedQuantity | undefined {
  const text = query.toLowerCase();
  return FORMS.find(({ pattern }) => pattern.test(text))?.asked;
}

/** Questions about persons, ways of doing, permission, advice and meaning: laws answer none of them. */
const NO_QUANTITY =
  /^(?:who|whose|whom)\b|^where (?:can|do|is|are)\b|^how (?:do|can|should) (?:i|you|we|they)\b|^how to\b|^(?:can|may|should|must|could) (?:i|an?|my|we|you(?! (?:tell|give|show)))\b|^is (?:it|there)\b|^are there\b|\bbest\b|\bshould (?:i|we)\b|^translate\b|\bthe (?:meaning|capital|name|nearest|longest|largest)\b|\b(?:work|mean)$/;
const COMPUTED = /\b(?:calculate|compute|find|work out|determine|estimate|convert|get (?:the|from))\b/;
/** A count of things that somebody has, or that are somewhere. */
const COUNTED = /\bhow many (?!times\b)[\w-]+ (?:of [\w-]+ )?(?:has|have|is|are|in|does|do|live|lives)\b/;

/** What a question wants, if that is no quantity that has a unit. */
export function wishOf(query: string): 'nothing to compute' | 'a count' | undefined {
  const text = query
    .toLowerCase()
    .trim()
    .replace(/[?.! ]+$/, '');
  const asked = askedQuantity(text);
  if (asked !== undefined) return COUNTED.test(text) && asked.dimensions.has(NUMBER) ? 'a count' : undefined;
  // Who states quantities wants another one.
  return NO_QUANTITY.test(text) && !COMPUTED.test(text) && !/\d/.test(text) ? 'nothing to compute' : undefined;
}
