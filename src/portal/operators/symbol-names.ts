// Notation of symbol names: `kB` gets a subscript, `rho1` a Greek letter, `Re` is a word, `dT` a difference.

export interface SymbolNotation {
  /** Symbol before the letter, such as Δ. */
  readonly prefix?: string;
  readonly base: string;
  /** Words are set upright, letters in italics. */
  readonly isWord: boolean;
  readonly index?: string;
}

/** Unit and description of a symbol; distinguishes Re, the Reynolds number, from R with an index. */
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

/** Longest first, so that `theta` does not match `th`. */
const GREEK_NAMES = Object.keys(GREEK).sort((a, b) => b.length - a.length);

/** Names of the letters; `eps` and the like are their abbreviations. */
const LETTER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(GREEK)
    .filter(([name]) => name.length > 3 || /^(eta|chi|phi|psi|rho|tau|mu|nu|xi|pi|Phi|Chi|Psi|Xi|Pi)$/.test(name))
    .map(([name, letter]) => [letter, name === 'hbar' ? 'h-bar' : name]),
);

/** `ρ` as rho, `Ω` as capital omega; any other letter stays. */
export function nameOfGreek(letter: string): string {
  const name = LETTER_NAMES.get(letter) ?? letter;
  return name.length > 1 && /^[A-Z]/.test(name) ? `capital ${name.toLowerCase()}` : name;
}

/** Dimensionless numbers with names of two letters. */
const DIMENSIONLESS_NUMBERS = /^(Re|Ra|Nu|Pr|We|Bi|Fo|Fr|Gr|Pe|Sc|Sh|St|Le|Da|Ma|Ec|De|Kn|Bo|Ca|Ro|Oh|Eu|Gz|Ja|Rm|Wi)$/;
/** Words used as indices. */
const WORD_INDICES =
  /^(max|min|opt|ref|eff|tot|avg|crit|sat|ext|int|out|in|rel|abs|net|amb|inf|red|ox|emp|on|off|rms|bar|obs|exp|lim|half)$/;
const DIFFERENCE =
  /\b(difference|change|drop|rise|step|interval|increment|duration|deviation|detuning|shift|time between|spacing|increase|decrease)\b/;

export function symbolNotation(name: string, meaning: Meaning = {}): SymbolNotation {
  const [first = '', ...rest] = name.split('_');
  if (rest.length > 0) {
    const { base, isWord, index } = simpleName(first, meaning);
    const fullIndex = [...(index === undefined ? [] : [index]), ...rest.map(letterOf)].join(',');
    return fullIndex === '' ? { base, isWord } : { base, isWord, index: fullIndex };
  }
  return simpleName(name, meaning);
}

/** Converts the name of a Greek letter. */
const letterOf = (text: string) => GREEK[text] ?? text;

function simpleName(name: string, { unit, description }: Meaning): SymbolNotation {
  if (name.length === 1) return { base: name, isWord: false };
  const [, changed] = /^d([A-Za-z]|phi|theta|mu|tau|rho)$/.exec(name) ?? [];
  if (changed !== undefined && isDifference(changed, description)) {
    return { prefix: 'Δ', base: letterOf(changed), isWord: false };
  }
  if (changed !== undefined && changed.length > 1) return { prefix: 'd', base: letterOf(changed), isWord: false };
  if (unit === '1' && DIMENSIONLESS_NUMBERS.test(name)) return { base: name, isWord: true };
  for (const letter of GREEK_NAMES) {
    const rest = name.slice(letter.length);
    if (name.startsWith(letter) && (rest === '' || isIndex(rest))) return withIndex(GREEK[letter] ?? letter, rest);
  }
  const [letter = ''] = name;
  const rest = name.slice(1);
  if (/^\d+$/.test(rest) || WORD_INDICES.test(rest) || /^[a-zA-Z]?\d*$/.test(rest)) return withIndex(letter, rest);
  return { base: name, isWord: true };
}

/** Always for capitals (`dT`), by default for `dx`, otherwise only if the description says so (`di`). */
function isDifference(letter: string, description: string | undefined): boolean {
  if (/[A-Z]/.test(letter)) return true;
  return description === undefined ? /^([xyztp]|phi|theta)$/.test(letter) : DIFFERENCE.test(description);
}

const isIndex = (rest: string) => /^([a-zA-Z]?\d*|\d+[a-zA-Z]?)$/.test(rest) || WORD_INDICES.test(rest);

function withIndex(base: string, index: string): SymbolNotation {
  return index === '' ? { base, isWord: false } : { base, isWord: false, index: letterOf(index) };
}
