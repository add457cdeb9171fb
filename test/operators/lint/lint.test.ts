// Every rule reports a planted fault, and nothing in a sound registry.

import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/operators/lint/diagnostic.ts';
import { lintRegistry } from '../../../src/operators/lint/lint.ts';
import type { OperatorExample, OperatorRecord } from '../../../src/operators/operator.ts';
import { lint, registry, SOUND, sound, withChange } from './registry.ts';

const reported = (findings: readonly Finding[]) =>
  findings.map(({ prefix, id, check, severity, text }) => `${severity} ${id ?? prefix} [${check}] ${text}`).join('\n');

/** One law after another of domain AA with one change. */
const planted = (id: string, change: (record: OperatorRecord) => object) =>
  reported(lint({ records: withChange(id, change) }));

const equation = (text: string) => (record: OperatorRecord) => ({ equation: `${record.output.symbol} = ${text}` });

const examples = (id: string, ...changes: readonly Partial<OperatorExample>[]) => ({
  examples: changes.map((change, i) => ({ ...(sound(id).examples[i] as OperatorExample), ...change })),
});

const constant = (value: number, unit: string) => ({ value, unit, note: 'planted' });
const input = (unit: string, min: number, max: number) => ({ unit, description: 'planted', min, max });

test('a sound requirement and allowed numbers have no finding', () => {
  const { examples: own, source, validity, ...head } = sound('AA1');
  const density = [{ ...head, requires: ['rf < rp'], examples: own, source, validity }, ...SOUND.slice(1)];
  const constants = { ...head.constants, water: constant(1000, 'kg/m^3') };
  const limit = [{ ...head, constants, requires: ['rf < water'], examples: own, source, validity }, ...SOUND.slice(1)];
  const terms = withChange('AA4', (r) => ({
    inputs: { ...r.inputs, n: { unit: '1', description: 'terms', enum: [3, 5, 9] } },
  }));
  for (const records of [density, limit, terms])
    expect(reported(lint({ records }))).toBe('open BB [closed list] BB has 0 of 5 operators');
});

test('a sound registry has no finding but the empty domain, and everything in it was counted', () => {
  const { findings, domains } = lintRegistry(registry());
  expect(reported(findings)).toBe('open BB [closed list] BB has 0 of 5 operators');
  expect(domains[0]).toMatchObject({ prefix: 'AA', operators: 5, examples: 10, survived: 0 });
  expect(domains[0]?.mutants).toBeGreaterThan(100);
});

test.each<[what: string, id: string, change: (record: OperatorRecord) => object, reported: RegExp]>([
  ['access to a property', 'AA5', equation('A.constructor'), /AA5 \[parse\]/],
  ['an import', 'AA5', equation('import("fs")'), /AA5 \[parse\]/],
  ['a string', 'AA5', equation('"A"*Ea*T'), /AA5 \[parse\]/],
  ['an assignment', 'AA5', equation('(A = 3)*Ea*T'), /AA5 \[parse\]/],
  ['an unknown function', 'AA5', equation('fetch(A*Ea*T)'), /AA5 \[parse\].*fetch/],
  ['3,000 parentheses', 'AA5', equation(`${'('.repeat(3000)}A`), /AA5 \[(parse|schema)\]/],
  ['64 levels of parentheses', 'AA5', equation(`${'('.repeat(70)}A*Ea*T${')'.repeat(70)}`), /AA5 \[parse\].*nesting/],
  ['a sum of 1e9 terms', 'AA4', equation('sum(k, 1, 1000000000, sin(x/n))'), /AA4 \[parse\].*10000 terms/],
  ['a hidden sum of 1e9 terms', 'AA4', equation('sum(k, 1, n*1000000, sin(x/n))'), /AA4 \[examples\].*no finite value/],
  ['implicit multiplication', 'AA5', equation('2 A*Ea*T'), /AA5 \[parse\]/],
  [
    'another symbol on the left',
    'AA5',
    () => ({ equation: 'q = A*exp(-Ea/(R*T))' }),
    /AA5 \[parse\] the left side is q/,
  ],
  [
    'an explosion of squares',
    'AA3',
    () => ({
      equation: 'x = A*cos(w8 + b*t + k/m)',
      where: Object.fromEntries(
        Array.from({ length: 8 }, (_, i) => [`w${i + 1}`, i === 0 ? 'k/m*t*t*(1 + b*t)' : `w${i}*w${i}*w${i}*w${i}`]),
      ),
    }),
    /AA3 \[parse\].*nodes/,
  ],
  ['an undeclared symbol', 'AA5', equation('A*exp(-Ea/(R*Temp))'), /\[symbols\].*Temp.*not declared/],
  ['an unused input', 'AA5', equation('A*exp(-T/T)*Ea/Ea^0'), /AA5/],
  [
    'an input that is not used',
    'AA2',
    (r) => ({ inputs: { ...r.inputs, idle: input('1', 0, 1) } }),
    /input idle is not used/,
  ],
  [
    'a constant that is not used',
    'AA5',
    (r) => ({ constants: { ...r.constants, c: constant(3, '1') } }),
    /constant c is not used/,
  ],
  ['an intermediate that is not used', 'AA3', (r) => ({ where: { ...r.where, q: 'k*2' } }), /expression q is not used/],
  ['use before definition', 'AA3', () => ({ where: { v: 'w*1', w: 'sqrt(k/m - b^2)' } }), /where\.v uses w/],
  [
    'an unknown constant',
    'AA5',
    () => ({ constants: { R: 'molar gas constan' } }),
    /\[symbols\].*Did|\[symbols\].*"molar gas constan"/,
  ],
  [
    'a name with two meanings',
    'AA5',
    (r) => ({ constants: { ...r.constants, T: constant(3, 'K') } }),
    /T is declared twice/,
  ],
  [
    'an index that shadows an input',
    'AA4',
    equation('4/pi*sum(x, 1, n, sin((2*x - 1)*x)/(2*x - 1))'),
    /index x of a sum shadows/,
  ],
  [
    'a symbol named like a function',
    'AA2',
    () => ({ output: { symbol: 'sin', unit: '1' }, equation: 'sin = Re*2' }),
    /sin is a reserved word/,
  ],
  ['a law of one name', 'AA2', equation('Re'), /\[symbols\] the law has 1 nodes/],
  ['an unknown unit', 'AA5', (r) => ({ output: { ...r.output, unit: 'furlong' } }), /\[units\] output.*furlong/],
  [
    'a temperature with an offset',
    'AA5',
    (r) => ({ inputs: { ...r.inputs, T: input('degC', 1, 2) } }),
    /\[units\] inputs\.T/,
  ],
  [
    'a wrong unit of the output',
    'AA5',
    (r) => ({ output: { ...r.output, unit: '1/K' } }),
    /\[dimensions\] the right side is 1\/s/,
  ],
  ['a sum of metres and seconds', 'AA3', equation('A*exp(-b*t)*cos(w*t) + t'), /\[dimensions\].*sides of \+/],
  ['a logarithm of a temperature', 'AA5', equation('A*exp(-Ea/(R*T))*log(T)'), /\[dimensions\].*log/],
  ['a variable power of a length', 'AA3', equation('A^(b*t)*cos(w*t)'), /\[dimensions\].*exponent/],
  [
    'branches of two dimensions',
    'AA2',
    () => ({
      inputs: { Re: input('m', 0.1, 1e5) },
      equation: 'Cd = Re/Re < 2 ? Re : 0.44',
    }),
    /\[dimensions\].*branches/,
  ],
  [
    'a wrong value',
    'AA5',
    () => examples('AA5', { expected: 0.0584086371805802 * 1.003 }, {}),
    /\[examples\] example 1 is off by a relative 3e-3/,
  ],
  ['a loose tolerance', 'AA5', () => examples('AA5', { rtol: 0.1 }, {}), /\[schema\].*rtol/],
  [
    'an input out of range',
    'AA5',
    () => examples('AA5', { inputs: { A: 1e3, Ea: 500, T: 300 } }, {}),
    /example 1 is refused: AA5\.Ea is 500/,
  ],
  [
    'a missing input',
    'AA5',
    () => examples('AA5', { inputs: { A: 1e3, T: 300 } }, {}),
    /example 1 is refused: AA5\.Ea is missing/,
  ],
  [
    'a fraction for a count',
    'AA4',
    () => examples('AA4', { inputs: { n: 2.5, x: 1 } }, {}),
    /example 1 is refused: AA4\.n is 2\.5/,
  ],
  ['an unknown input', 'AA2', () => examples('AA2', { inputs: { Re: 37.5, Pr: 1 } }, {}), /example 1 gives Pr/],
  [
    'an example twice',
    'AA2',
    () => examples('AA2', {}, sound('AA2').examples[0] ?? {}),
    /example 2 has the inputs of example 1/,
  ],
  [
    'a published value that differs',
    'AA2',
    () => examples('AA2', { published: { value: 1.79, digits: 3 } }, {}),
    /example 1 is off by a relative 4e-3 from what is published/,
  ],
  ['one branch only', 'AA2', () => examples('AA2', {}), /\[branches\] no example takes the second branch of Re < 1000/],
  [
    'an example of ones and zeros',
    'AA3',
    (r) => ({
      examples: [{ inputs: { A: 1, b: 1, k: 10, m: 1, t: 0 }, expected: 1, source: 'by hand' }],
      inputs: r.inputs,
    }),
    /error AA3 \[example strength\] \d+ of \d+ mutants survive/,
  ],
  [
    'an example that hides a correction',
    'AA2',
    () => ({
      equation: 'Cd = 24/Re + 4/(1 + Re^4)',
      examples: [{ inputs: { Re: 900 }, expected: 24 / 900 + 4 / (1 + 900 ** 4), rtol: 1e-6, source: 'by hand' }],
    }),
    /AA2 \[example strength\].*mutants survive/,
  ],
  [
    'z - z',
    'AA5',
    (r) => ({
      equation: 'k = A*exp(-Ea/(R*T)) + A*(z - z)',
      inputs: { ...r.inputs, z: { ...input('1', 1, 5), default: 2 } },
    }),
    /\[sensitivity\] z does not change/,
  ],
  [
    '0*z',
    'AA5',
    (r) => ({
      equation: 'k = A*exp(-Ea/(R*T)) + 0*z',
      inputs: { ...r.inputs, z: { ...input('1', 1, 5), default: 2 } },
    }),
    /\[sensitivity\] z does not change/,
  ],
  [
    'sin^2 + cos^2',
    'AA5',
    (r) => ({
      equation: 'k = A*exp(-Ea/(R*T))*(sin(z)^2 + cos(z)^2)',
      inputs: { ...r.inputs, z: { ...input('rad', 1, 5), default: 2 } },
    }),
    /\[sensitivity\] z does not change/,
  ],
  [
    'a power tower',
    'AA2',
    () => ({
      equation: 'Cd = Re^Re^Re^Re',
      examples: [{ inputs: { Re: 1.1 }, expected: 1.1 ** (1.1 ** (1.1 ** 1.1)), source: 'by hand' }],
    }),
    /error AA2 \[domain\]/,
  ],
  [
    'a range that leaves the law',
    'AA3',
    (r) => ({ inputs: { ...r.inputs, b: input('1/s', 0.001, 100) } }),
    /(error|warning) AA3 \[domain\] \d+ %/,
  ],
  [
    'limits in disorder',
    'AA2',
    () => ({ inputs: { Re: input('1', 1e5, 0.1) } }),
    /\[domain\] Re goes from 100000 to 0\.1/,
  ],
  [
    'a default out of range',
    'AA3',
    (r) => ({ inputs: { ...r.inputs, t: { ...input('s', 0, 20), default: 30 } } }),
    /\[domain\] the default of t is 30/,
  ],
  [
    'a limit without a value',
    'AA1',
    (r) => ({ inputs: { ...r.inputs, mu: input('mPa*s', 0, 1e6) } }),
    /warning AA1 \[domain\] no finite value at the min of mu/,
  ],
  [
    'a requirement that nothing meets',
    'AA1',
    () => ({ requires: ['rp < rp - rf'] }),
    /\[requirements\] no point of the declared box meets rp < rp - rf/,
  ],
  [
    'requirements that exclude each other',
    'AA1',
    () => ({ requires: ['rp < rf', 'rf < rp'] }),
    /\[requirements\] no point of the declared box meets all requirements/,
  ],
  [
    'a requirement that the ranges imply',
    'AA1',
    () => ({ requires: ['r*mu > 0'] }),
    /\[requirements\] every point of the declared box meets r\*mu > 0/,
  ],
  [
    'a requirement that an example breaks',
    'AA1',
    () => ({ requires: ['rp < rf'] }),
    /example 1 is refused: AA1 requires rp < rf, which does not hold for rp = 2650 kg\/m\^3, rf = 998\.2/,
  ],
  [
    'a requirement of an unknown symbol',
    'AA1',
    () => ({ requires: ['rho < rf'] }),
    /\[symbols\] rho < rf uses rho, which is not declared/,
  ],
  [
    'a requirement of two dimensions',
    'AA1',
    () => ({ requires: ['rp < mu'] }),
    /\[requirements\] rp < mu: .*sides of </,
  ],
  [
    'a requirement that is no comparison',
    'AA1',
    () => ({ requires: ['rp - rf'] }),
    /\[parse\] requires\.0: .*comparison/,
  ],
  [
    'an example beside the allowed numbers',
    'AA4',
    (r) => ({ inputs: { ...r.inputs, n: { unit: '1', description: 'planted', enum: [1, 5] } } }),
    /example 1 is refused: AA4\.n is 3; one of 1, 5 \[1\] is expected/,
  ],
  [
    'allowed numbers and a range',
    'AA4',
    (r) => ({ inputs: { ...r.inputs, n: { ...r.inputs.n, enum: [3, 5] } } }),
    /\[domain\] n has a list of allowed numbers and a range/,
  ],
  [
    'an alias that is another symbol',
    'AA3',
    (r) => ({ inputs: { ...r.inputs, A: { ...r.inputs.A, aliases: ['w'] } } }),
    /\[symbols\] the alias w is a name of something else/,
  ],
  ['an id that is not listed', 'AA5', () => ({ id: 'AA99' }), /AA99 is not an id of AA/],
  ['another name', 'AA5', () => ({ name: 'Arrhenius rate law' }), /AA5 is called "Arrhenius rate law", the list has/],
  ['a prefix of another domain', 'AA5', () => ({ id: 'BB1' }), /BB1 is not an id of AA/],
  [
    'a DOI with an address',
    'AA5',
    (r) => ({ source: { ...r.source, doi: 'https://doi.org/10.1000/1' } }),
    /\[sources\] the doi/,
  ],
  ['no source', 'AA5', () => ({ source: undefined }), /AA5 \[schema\].*source/],
  ['no locator', 'AA5', (r) => ({ source: { cite: r.source.cite } }), /AA5 \[schema\].*locator/],
  ['no validity', 'AA5', () => ({ validity: undefined }), /AA5 \[schema\].*validity/],
  ['a key of its own', 'AA5', () => ({ comment: 'x' }), /AA5 \[schema\].*comment/],
  ['a character outside ASCII', 'AA5', (r) => ({ validity: `${r.validity} \u2265` }), /\[ascii\].*U\+2265/],
])('%s is reported', (_what, id, change, expected) => {
  expect(planted(id, change)).toMatch(expected);
});

const printed =
  (value: number, tolerance: number, inputs: Record<string, number> = { Re: 37.5 }) =>
  () => ({
    published: [
      { inputs, value, tolerance, source: { cite: 'a printed table', locator: 'row 1', url: 'https://a.test' } },
    ],
  });

test.each([
  [
    'beside the value',
    printed(1.81, 0.005),
    /AA2 \[published\] published value 1 is missed by more than its tolerance/,
  ],
  ['with a wide tolerance', printed(1.8, 0.5), /AA2 \[published\].*more than 5 %/],
  ['outside the range', printed(1.8, 0.005, { Re: 0 }), /AA2 \[published\].*is refused: AA2\.Re is 0/],
  ['of an unknown input', printed(1.8, 0.005, { Re: 37.5, Pr: 1 }), /AA2 \[published\].*gives Pr/],
])('a published value %s is reported', (_, change, expected) => {
  expect(planted('AA2', change)).toMatch(expected);
});

test('a published value within its tolerance has no finding', () => {
  expect(planted('AA2', printed(1.8, 0.005))).not.toContain('[published]');
});

describe('a failing example', () => {
  test('does not give the value away', () => {
    const text = planted('AA5', () => examples('AA5', { expected: 0.06 }, {}));
    expect(text).toContain('example 1 is off by a relative 3e-2');
    expect(text).not.toMatch(/0\.0584|2\.7%|0\.973/);
  });

  test('is not tried on mutants, all of which it would kill', () => {
    const count = (records: readonly OperatorRecord[]) => lintRegistry(registry({ records })).domains[0]?.mutants ?? 0;
    const wrong = withChange('AA5', () => examples('AA5', { expected: 0.06 }, {}));
    expect(count(wrong)).toBe(count(SOUND.slice(0, 4)));
    expect(count(wrong)).toBeLessThan(count(SOUND));
  });
});

describe('the closed list', () => {
  test('an id twice is refused', () => {
    expect(reported(lint({ records: [...SOUND, sound('AA5')], budget: 6 }))).toContain('the id AA5 occurs twice');
  });

  test('more operators than the budget are refused', () => {
    expect(reported(lint({ budget: 4 }))).toContain('error AA [closed list] AA has 5 of 4 operators');
  });

  test('a budget that is not met is open, or an error where completeness is asked for', () => {
    const records = SOUND.slice(0, 4);
    expect(reported(lint({ records }))).toContain('open AA [closed list] AA has 4 of 5 operators');
    expect(reported(lint({ records, complete: ['AA'] }))).toContain('error AA [closed list]');
    expect(reported(lint({ records }, { complete: ['AA'] }))).toContain('error AA [closed list]');
  });

  test('a file that no domain has is refused', () => {
    const made = registry();
    const files = new Map([...made.files, ['ZZ', '{"prefix": "ZZ", "operators": []}']]);
    expect(reported(lintRegistry({ ...made, files }).findings)).toContain('error ZZ [closed list]');
  });

  test('laws out of order are worth a warning', () => {
    expect(reported(lint({ records: SOUND.toReversed() }))).toContain('warning AA [closed list] AA4 comes after');
  });
});

describe('files', () => {
  test('a file that is not JSON is named, and the other one is still checked', () => {
    const text = reported(lint({ text: '{"prefix": "AA"', others: [{ ...sound('AA5'), id: 'BB1' }] }));
    expect(text).toContain('error AA [schema] the file is not JSON');
    expect(text).toContain('open BB [closed list] BB has 1 of 5');
  });

  test('the prefix inside is that of the name', () => {
    expect(reported(lint({ text: JSON.stringify({ prefix: 'BB', operators: SOUND }) }))).toContain(
      'the prefix is "BB"',
    );
  });

  test('keys out of order are worth a warning', () => {
    const { id, tier, ...rest } = sound('AA5');
    const records = [...SOUND.slice(0, 4), { id, ...rest, tier }];
    expect(reported(lint({ records }))).toContain('warning AA5 [schema]');
  });

  test('only what is asked for is reported', () => {
    const records = withChange('AA5', equation('A*Temp'));
    expect(reported(lint({ records }, { only: ['BB'] }))).toBe('open BB [closed list] BB has 0 of 5 operators');
  });
});

describe('sources', () => {
  const cited = (cite: (i: number) => string, locator = (i: number) => `section ${i}`) =>
    SOUND.map((record, i) => ({ ...record, source: { cite: cite(i), locator: locator(i) } }));

  test('few works are refused in a complete domain and open in another', () => {
    const records = cited((i) => `Author ${'ABCD'[i] ?? 'A'} 19${50 + (i % 4)}, Book`);
    expect(reported(lint({ records }))).toMatch(/error AA \[sources\] 4 different works/);
    expect(reported(lint({ records: records.slice(0, 4), budget: 5 }))).toMatch(/open AA \[sources\]/);
  });

  test('one work for most of a domain is refused, however it is spelt', () => {
    const spelt = ['Griffiths & Schroeter, Quantum Mechanics, 2018', 'Griffiths, D., Quantum mechanics (2018)'];
    const records = cited((i) => spelt[i] ?? (i === 2 ? (spelt[0] ?? '') : `Author of 19${i}0 the book`));
    expect(reported(lint({ records }))).toMatch(/"Griffiths.* is cited by 60 % of the operators/);
  });

  test('two DOIs are two works, and one place in one work is worth a warning', () => {
    const doi = SOUND.map((record, i) => ({
      ...record,
      source: { cite: 'Einstein, Annalen der Physik 17 (1905)', locator: 'section 3', doi: `10.1000/${i}` },
    }));
    expect(reported(lint({ records: doi }))).not.toContain('[sources]');
    const same = cited(
      (i) => (i < 2 ? 'Tolstov, Fourier Series, 1976' : `Author of 19${i}0 the book`),
      () => 'one place',
    );
    expect(reported(lint({ records: same }))).toContain('warning AA [sources] AA1, AA2 have one locator');
  });
});

describe('tiers', () => {
  test('many definitions and little that is hard are worth a warning', () => {
    const text = reported(lint({ records: SOUND.map((record) => ({ ...record, tier: 0 as const })) }));
    expect(text).toContain('warning AA [tiers] 100 % of the domain are tier 0');
    expect(text).toContain('warning AA [tiers] 0 % of the domain are tier 3');
  });
});

describe('names', () => {
  test('a name in another order and with small words is taken', () => {
    const others = [{ ...sound('AA1'), id: 'BB1', name: 'The settling-speed of Stokes' }];
    expect(reported(lint({ others }))).toMatch(/BB1 \[names\].*is the name of AA1/);
  });
});

describe('accuracy', () => {
  const EMPIRICAL = 'empirical; single smooth rigid sphere';
  const linted = (changes: object) =>
    reported(lint({ records: SOUND.map((one) => (one.id === 'AA2' ? { ...one, ...changes } : one)) }));

  test.each([
    { validity: EMPIRICAL },
    { validity: 'a rule of thumb of the trade' },
    { validity: 'explicit fit to the Colebrook equation' },
    { name: 'Empirical sphere drag in two regimes' },
  ])('a law that calls itself %j needs one', (changes) => {
    expect(linted(changes)).toMatch(/error AA2 \[accuracy\] the law calls itself .* and states no accuracy/);
  });

  test('a law that states it, and one that only speaks of correlation or fitted numbers, need no more', () => {
    expect(linted({ validity: EMPIRICAL, accuracy: { relative: 0.05, basis: 'scatter' } })).not.toContain('[accuracy]');
    expect(linted({ validity: 'rates fitted to the run, correlation below one' })).not.toContain('[accuracy]');
  });
});
