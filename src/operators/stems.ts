// Words of one inflection: cool, cools, cooled, cooling, cooler, coolest; freeze, froze, frozen.

/** Forms that no rule gives, by their base form. */
const IRREGULAR: Readonly<Record<string, string>> = {
  bear: 'bore borne',
  bend: 'bent',
  bind: 'bound',
  bite: 'bit bitten',
  blow: 'blew blown',
  break: 'broke broken',
  build: 'built',
  burn: 'burnt',
  buy: 'bought',
  catch: 'caught',
  child: 'children',
  dig: 'dug',
  draw: 'drew drawn',
  drink: 'drank drunk',
  drive: 'drove driven',
  eat: 'ate eaten',
  fall: 'fell fallen',
  feel: 'felt',
  find: 'found',
  fly: 'flew flown',
  foot: 'feet',
  freeze: 'froze frozen',
  grow: 'grew grown',
  hang: 'hung',
  hear: 'heard',
  hold: 'held',
  keep: 'kept',
  knife: 'knives',
  leaf: 'leaves',
  lend: 'lent',
  lose: 'lost loses',
  man: 'men',
  melt: 'molten',
  pay: 'paid',
  ride: 'rode ridden',
  ring: 'rang rung',
  rise: 'rose risen',
  run: 'ran',
  sell: 'sold',
  send: 'sent',
  shake: 'shook shaken',
  shine: 'shone',
  shoot: 'shot',
  sing: 'sang sung',
  sink: 'sank sunk sunken',
  slide: 'slid',
  speed: 'sped',
  spend: 'spent',
  spin: 'spun',
  stand: 'stood',
  stick: 'stuck',
  strike: 'struck',
  swim: 'swam swum',
  swing: 'swung',
  take: 'took taken',
  tear: 'tore torn',
  throw: 'threw thrown',
  tooth: 'teeth',
  wear: 'wore worn',
  weave: 'wove woven',
  wind: 'wound',
};

const BASES: ReadonlyMap<string, string> = new Map(
  Object.entries(IRREGULAR).flatMap(([base, forms]) => forms.split(' ').map((form) => [form, base])),
);

const ENDING = /^(.*[aeiouy].*?)(?:ings?|ed|er|ers|est|ly)$/;
const MIN_LEFT = 3;

/** Equal for words of one inflection. Not a word: `freeze` → `freez`. Expects a word in the singular. */
export function inflectionStem(word: string): string {
  const base = BASES.get(word);
  if (base !== undefined) return withoutLastVowel(base);
  const left = ENDING.exec(word)?.[1];
  if (left === undefined || left.length < MIN_LEFT) return withoutLastVowel(word);
  // hotter → hot, but faller → fall and hisses → hiss.
  return withoutLastVowel(/([^aeiouylsz])\1$/.test(left) ? left.slice(0, -1) : left);
}

/** `e` is lost before an ending, and `y` becomes `i`: freeze and freezing, heavy and heavier. */
const withoutLastVowel = (word: string) =>
  word.length > MIN_LEFT && word.endsWith('e')
    ? word.slice(0, -1)
    : word.endsWith('y') && word.length >= MIN_LEFT
      ? `${word.slice(0, -1)}i`
      : word;
