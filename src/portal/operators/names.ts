// How a symbol is written: `kB` has a subscript, `rho1` a Greek letter, `Re` is a word, `dT` a difference.

export interface WrittenName {
  /** Stands before the letter: Δ. */
  readonly before?: string;
  readonly base: string;
  /** A word is upright; a letter is slanted. */
  readonly isWord: boolean;
  readonly index?: string;
}

/** What is known of a symbol; it decides between Re, the Reynolds number, and R with an index. */
export interface Meaning {
  readonly unit?: string | undefined;
  readonly description?: string | undefined;
}

const GREEK: Readonly<Record<string, string>> = {
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  gam: 'γ',
  delta: 'δ',
  epsilon: 'ε',
  eps: 'ε',
  zeta: 'ζ',
  eta: 'η',
  theta: 'θ',
  th: 'θ',
  iota: 'ι',
  kappa: 'κ',
  kap: 'κ',
  lambda: 'λ',
  lam: 'λ',
  mu: 'μ',
  nu: 'ν',
  xi: 'ξ',
  pi: 'π',
  rho: 'ρ',
  sigma: 'σ',
  sig: 'σ',
  tau: 'τ',
  upsilon: 'υ',
  phi: 'φ',
  chi: 'χ',
  psi: 'ψ',
  omega: 'ω',
  Gamma: 'Γ',
  Delta: 'Δ',
  Theta: 'Θ',
  Lambda: 'Λ',
  Xi: 'Ξ',
  Pi: 'Π',
  Sigma: 'Σ',
  Phi: 'Φ',
  Psi: 'Ψ',
  Omega: 'Ω',
  hbar: 'ℏ',
};

/** The longest first, so that theta is no th. */
const GREEK_NAMES = Object.keys(GREEK).sort((a, b) => b.length - a.length);

/** Pure numbers with a name of two letters. */
const NUMBERS = /^(Re|Ra|Nu|Pr|We|Bi|Fo|Fr|Gr|Pe|Sc|Sh|St|Le|Da|Ma|Ec|De|Kn|Bo|Ca|Ro|Oh|Eu|Gz|Ja|Rm|Wi)$/;
/** Indices that are words. */
const WORDS_BELOW =
  /^(max|min|opt|ref|eff|tot|avg|crit|sat|ext|int|out|in|rel|abs|net|amb|inf|red|ox|emp|on|off|rms|bar|obs|exp|lim|half)$/;
const DIFFERENCE =
  /\b(difference|change|drop|rise|step|interval|increment|duration|deviation|detuning|shift|time between|spacing|increase|decrease)\b/;

export function writtenName(name: string, meaning: Meaning = {}): WrittenName {
  const [first = '', ...rest] = name.split('_');
  if (rest.length > 0) {
    const { base, isWord, index } = simpleName(first, meaning);
    const below = [...(index === undefined ? [] : [index]), ...rest.map(letterOf)].join(',');
    return below === '' ? { base, isWord } : { base, isWord, index: below };
  }
  return simpleName(name, meaning);
}

/** A part of an index: Greek where it is a Greek letter's name. */
const letterOf = (text: string) => GREEK[text] ?? text;

function simpleName(name: string, { unit, description }: Meaning): WrittenName {
  if (name.length === 1) return { base: name, isWord: false };
  const [, changed] = /^d([A-Za-z]|phi|theta|mu|tau|rho)$/.exec(name) ?? [];
  if (changed !== undefined && isDifference(changed, description)) {
    return { before: 'Δ', base: letterOf(changed), isWord: false };
  }
  if (changed !== undefined && changed.length > 1) return { before: 'd', base: letterOf(changed), isWord: false };
  if (unit === '1' && NUMBERS.test(name)) return { base: name, isWord: true };
  for (const letter of GREEK_NAMES) {
    const rest = name.slice(letter.length);
    if (name.startsWith(letter) && (rest === '' || isIndex(rest))) return withIndex(GREEK[letter] ?? letter, rest);
  }
  const [letter = ''] = name;
  const rest = name.slice(1);
  if (/^\d+$/.test(rest) || WORDS_BELOW.test(rest) || /^[a-zA-Z]?\d*$/.test(rest)) return withIndex(letter, rest);
  return { base: name, isWord: true };
}

/** `dT` is one wherever it stands, `dx` unless something else is said of it, `di` only if that is said. */
function isDifference(letter: string, description: string | undefined): boolean {
  if (/[A-Z]/.test(letter)) return true;
  return description === undefined ? /^([xyztp]|phi|theta)$/.test(letter) : DIFFERENCE.test(description);
}

const isIndex = (rest: string) => /^([a-zA-Z]?\d*|\d+[a-zA-Z]?)$/.test(rest) || WORDS_BELOW.test(rest);

function withIndex(base: string, index: string): WrittenName {
  return index === '' ? { base, isWord: false } : { base, isWord: false, index: letterOf(index) };
}
