import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { DOMAINS, type Domain } from '../../src/operators/find-domain.ts';
import { OPERATORS } from '../../src/operators/load.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { searchIn, searchOperators } from '../../src/operators/search.ts';
import { indexOperators } from '../../src/operators/search-index.ts';
import { matchesOf } from '../../src/operators/search-matches.ts';
import { summaryOf } from '../../src/operators/summary.ts';
import { yardsticksOf } from '../suites/yardstick.ts';

const operators = [...OPERATORS.values()];
const idsOf = (query: string, limit = 40) => searchOperators(query, limit).operators.map(({ id }) => id);
const anyOperator = () => fc.constantFrom(...operators);

describe('the registry', () => {
  test('every operator is first by its id, however that is written', () => {
    expect(operators.length).toBeGreaterThan(200);
    for (const { id } of operators) {
      for (const written of [id, id.toLowerCase(), id.replaceAll(/[_-]/g, ' '), ` ${id}  `])
        expect(idsOf(written, 1), written).toEqual([id]);
    }
  });

  test('every operator is first by its name', () => {
    for (const { id, name } of operators) expect(idsOf(name, 1), name).toEqual([id]);
  });

  test('one slip in the longest word of a name leaves it among the first three', () => {
    const slip = fc.record({
      at: fc.nat(),
      kind: fc.constantFrom('drop', 'double', 'swap', 'change') as fc.Arbitrary<Slip>,
    });
    fc.assert(
      fc.property(anyOperator(), slip, ({ id, name }, { at, kind }) => {
        const longest = name.split(/[^A-Za-z]+/).reduce((a, b) => (b.length > a.length ? b : a));
        fc.pre(longest.length >= 6);
        const misspelt = name.replace(longest, slipped(longest, 1 + (at % (longest.length - 2)), kind));
        expect(idsOf(misspelt, 3), misspelt).toContain(id);
      }),
      { numRuns: 400 },
    );
  });

  test('a formula is found as it stands, with other blanks or none', () => {
    expect(idsOf('n^2*pi^2*hbar^2', 1)).toEqual(['QM5']);
    expect(idsOf(' ( 2 * m * L ^ 2 )', 1)).toEqual(['QM5']);
    fc.assert(
      fc.property(anyOperator(), ({ id, equation }) => {
        // Two operators may share a law in all but their names.
        const alike = operators.filter((other) => other.equation.includes(equation)).map((other) => other.id);
        expect(alike).toContain(idsOf(equation.slice(0, LIMITS.search.characters), 1)[0]);
        expect(alike).toContain(id);
      }),
    );
  });

  test.each([
    ['Schrodinger', 'Schrödinger'],
    ['lambda', 'λ'],
    ['wave speed', 'waves  SPEED'],
    ['heat flux', 'the flux of heat'],
    ["Young's modulus", 'Young’s modulus'],
  ])('%s and %s are one query', (plain, other) => {
    const found = idsOf(plain);
    if (plain !== 'Schrodinger') expect(found.length).toBeGreaterThan(0);
    expect(idsOf(other).slice(0, 3)).toEqual(found.slice(0, 3));
  });

  test('a question in words finds the law that it asks for', () => {
    expect(idsOf('what is the energy of a particle in a box?', 1)).toEqual(['QM5']);
    expect(idsOf('speed of sound waves on a string under tension', 3)).toContain('WM2');
    expect(idsOf('price of a european call option', 3)).toContain('BLACK_SCHOLES');
  });

  test('a black body is Stefan and Boltzmann or Wien, not Black and Scholes', () => {
    expect(idsOf('black body', 2).sort()).toEqual(['HT15', 'HT42']);
    expect(idsOf('black body radiation', 1)).toEqual(['HT15']);
    expect(idsOf('E = mc^2', 1)).toEqual(['CM45']);
  });

  test('nothing is found of what is nowhere, and of nothing', () => {
    expect(idsOf('capital of France')).toEqual([]);
    for (const query of ['', ' ', '?!', '💥', 'qqqqqqqq', '\u0000'])
      expect(searchOperators(query, 12)).toEqual({ operators: [], total: 0, corrections: new Map() });
  });
});

describe('words that a stranger types', () => {
  const ANSWERS: readonly (readonly [query: string, id: string])[] = [
    ['how long to cool', 'HT5'],
    ['stopping distance', 'CM3'],
    ['loan payment', 'FIN27'],
    ['how far does a thrown ball go', 'CM5'],
    ['how high will it go', 'CM6'],
    ['swing of a pendulum', 'CM18'],
    ['monthly mortgage', 'FIN27'],
    ['savings with interest', 'FIN22'],
    ['does it float', 'FL10'],
    ['pressure at the bottom of a pool', 'FL9'],
    ['how much does a shelf bend', 'STR2'],
    ['wind force on a sign', 'FL28'],
    ['speed of a falling skydiver', 'CM35'],
    ['energy to boil water', 'HT41'],
    ['heat loss through a window', 'HT1'],
    ['electricity used by a heater', 'EM54'],
    ['resistance of a copper cable', 'EM56'],
    ['pitch of a guitar string', 'WM3'],
    ['ambulance siren pitch', 'WM28'],
    ['speed of sound in air', 'WM27'],
    ['how fast does a tank drain', 'FL11'],
    ['chance of catching a virus in a room', 'EPI16'],
    ['how many people must be vaccinated', 'EPI4'],
    ['how fast do bacteria double', 'CEL1'],
    ['how strong is a spring', 'CM15'],
    ['escape from the earth', 'CM43'],
    ['length of a year on mars', 'CM44'],
    ['colour of a hot star', 'HT42'],
    ['acidity of lemon juice', 'CK39'],
    ['time dilation', 'SVC-PROTECT-012'],
    ['car crash force', 'CM12'],
    ['tyre pressure on a hot day', 'CK38'],
    ['how long until half is left', 'CK5'],
    ['g force in a turn', 'CM8'],
    ['how heavy is a cube of gold', 'FL47'],
    ['water flow through a pipe', 'FL15'],
    ['what my pension is worth', 'FIN25'],
    ['how fast does a stone fall', 'CM4'],
  ];

  test('find the law among the first three, in nine of ten', () => {
    expect(ANSWERS).toHaveLength(38);
    const missed = ANSWERS.filter(([query, id]) => !idsOf(query, 3).includes(id));
    expect(missed.length, missed.join(' ')).toBeLessThanOrEqual(ANSWERS.length / 10);
  });

  test('are named with the word and the field of the law that they met', () => {
    const matchesIn = (query: string, id: string) => matchesOf(query, [id]).get(id);
    expect(matchesIn('how quickly does coffee cool', 'HT5')).toEqual([
      { term: 'coffee', word: 'coffee', field: 'keyword' },
      { term: 'cool', word: 'cooling', field: 'name' },
    ]);
    expect(matchesIn('velocty of a membrane', 'WM4')).toEqual([{ term: 'membrane', word: 'membrane', field: 'name' }]);
    expect(matchesIn('speeds on a string', 'WM2')?.[0]).toEqual({ term: 'speeds', word: 'speed', field: 'name' });
    expect(matchesIn('QM5', 'QM5')?.[0]).toEqual({ term: 'QM5', word: 'QM5', field: 'id' });
    expect(matchesIn('m*v^2', 'CM9')?.[0]).toMatchObject({ field: 'equation' });
  });
});

type Slip = 'drop' | 'double' | 'swap' | 'change';

function slipped(word: string, at: number, kind: Slip): string {
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  if (kind === 'drop') return before + after;
  if (kind === 'double') return before + letter + letter + after;
  if (kind === 'change') return `${before}${letter === 'q' ? 'z' : 'q'}${after}`;
  return before + after.charAt(0) + letter + after.slice(1);
}

/** An operator of which only the given fields say anything. */
const operator = (id: string, name: string, more: Partial<Operator> = {}): Operator => ({
  id,
  name,
  prefix: 'TST',
  tier: 1,
  equation: 'y = 2*x',
  output: { symbol: 'y', unit: 'm' },
  inputs: { x: { unit: 'm', description: 'nothing' } },
  examples: [],
  source: { cite: '', locator: '' },
  validity: '',
  ...more,
});

const domainOf = (
  operators: readonly Operator[],
  name = 'Tests',
): Pick<Domain, 'prefix' | 'name' | 'aliases' | 'operators'> => ({
  prefix: 'TST',
  name,
  aliases: [],
  operators,
});

describe('the order', () => {
  const meaning = (description: string) => ({ inputs: { x: { unit: 'm', description } } });
  // From the worst to the best, so that the order of the file cannot help.
  const graded = [
    operator('TST2', 'a text', meaning('a time tau')),
    operator('TST3', 'a symbol of other case', { equation: 'Tau = 2*x', output: { symbol: 'Tau', unit: 's' } }),
    operator('TST4', 'an input symbol', { inputs: { tau: { unit: 's', description: 'a time' } } }),
    operator('TST5', 'an output symbol', { equation: 'tau = 2*x', output: { symbol: 'tau', unit: 's' } }),
    operator('TST6', 'tag', { tags: ['tau'] }),
    operator('TST7', 'Taurus in a long name with many words'),
    operator('TST8', 'tau in a long name with many words'),
    operator('TST9', 'tau'),
    operator('TAU10', 'an id that begins with it'),
    operator('TAU', 'an id'),
  ];
  const index = indexOperators([domainOf(graded)]);

  test('id, its beginning, name, tag, symbol, text', () => {
    const found = searchIn(index, 'tau', 40).operators.map(({ id }) => id);
    expect(found.slice(0, 4)).toEqual(['TAU', 'TAU10', 'TST9', 'TST8']);
    const place = (id: string) => found.indexOf(id);
    // The beginning of a name's word and a tag are worth about the same; both go before any symbol.
    expect(place('TST6')).toBeLessThan(place('TST5'));
    expect(place('TST7')).toBeLessThan(place('TST5'));
    expect(['TST5', 'TST4', 'TST3', 'TST2'].map(place)).toEqual([6, 7, 8, 9]);
  });

  test('what says more of the query goes first, and a rare word counts more than a common one', () => {
    const common = Array.from({ length: 20 }, (_, i) => operator(`TST${i}`, `energy ${i}`));
    const both = operator('TST30', 'energy of a soliton');
    const rare = operator('TST31', 'soliton width');
    const small = indexOperators([domainOf([...common, rare, both])]);
    const found = searchIn(small, 'soliton energy', 3).operators.map(({ id }) => id);
    expect(found).toEqual(['TST30', 'TST31', 'TST0']);
  });

  test('all of the query in the text goes before one word of it in the name', () => {
    const one = operator('TST1', 'soliton');
    const all = operator('TST2', 'something else', meaning('width of a soliton in a shallow channel'));
    // With it every word occurs twice, and is as rare as the others.
    const most = operator('TST3', 'another thing', meaning('width of a channel'));
    const found = searchIn(indexOperators([domainOf([one, all, most])]), 'soliton channel width', 3).operators;
    expect(found.map(({ id }) => id)).toEqual(['TST2', 'TST3', 'TST1']);
  });

  test('a formula goes before the same words in another order, whatever its blanks', () => {
    const equations = ['y = x*3 + 2', 'y = 2*x + 3'];
    const small = indexOperators([domainOf(equations.map((equation, i) => operator(`TST${i}`, 'line', { equation })))]);
    for (const query of ['2*x+', ' 2 * x + ', 'y=2*x + 3'])
      expect(
        searchIn(small, query, 2).operators.map(({ id }) => id),
        query,
      ).toEqual(['TST1', 'TST0']);
  });

  test('equals stand as in the registry', () => {
    const equals = ['TST3', 'TST1', 'TST2'].map((id) => operator(id, 'the same name'));
    const found = searchIn(indexOperators([domainOf(equals)]), 'same name', 3).operators;
    expect(found.map(({ id }) => id)).toEqual(['TST3', 'TST1', 'TST2']);
  });

  test('a limit cuts the list and changes nothing else', () => {
    fc.assert(
      fc.property(anyOperator(), fc.integer({ min: 1, max: 40 }), ({ name }, limit) => {
        const all = searchOperators(name, 2_000);
        const some = searchOperators(name, limit);
        expect(all.operators).toHaveLength(all.total);
        expect(some).toEqual({ ...all, operators: all.operators.slice(0, limit) });
      }),
      { numRuns: 50 },
    );
  });
});

describe('misspellings', () => {
  const index = indexOperators([
    domainOf([
      operator('TST1', 'Lorentz force'),
      operator('TST2', 'Lorenz attractor'),
      operator('TST3', 'wave on a web'),
    ]),
  ]);
  const look = (query: string) => {
    const { operators: found, corrections } = searchIn(index, query, 12);
    return { ids: found.map(({ id }) => id), corrections: Object.fromEntries(corrections) };
  };

  test('a word that is nowhere is read as its neighbours, and that is said', () => {
    expect(look('attracter')).toEqual({ ids: ['TST2'], corrections: { attracter: ['attractor'] } });
    expect(look('atractr')).toEqual({ ids: [], corrections: {} });
    expect(look('atractro')).toEqual({ ids: ['TST2'], corrections: { atractro: ['attractor'] } });
  });

  test('a word that is there is taken as it stands, but a neighbour with the rest of the query goes first', () => {
    expect(look('Lorenz')).toEqual({ ids: ['TST2', 'TST1'], corrections: {} });
    expect(look('lorenz force')).toEqual({ ids: ['TST1', 'TST2'], corrections: {} });
  });

  test('short words are not guessed at', () => {
    expect(look('wab').ids).toEqual([]);
    expect(look('wabe').ids).toEqual(['TST3']);
  });
});

test('a hit names all that a call needs', () => {
  const [first] = searchOperators('BLACK_SCHOLES', 1).operators;
  expect(first && summaryOf(first)).toEqual({
    id: 'BLACK_SCHOLES',
    name: 'Black-Scholes European option price',
    domain: 'Quantitative Finance',
    prefix: 'FIN',
    tier: 3,
    equation: 'V = phi*(S*normcdf(phi*d1) - K*exp(-r*T)*normcdf(phi*d2))',
    where: { d1: '(log(S/K) + (r + sig^2/2)*T)/(sig*sqrt(T))', d2: 'd1 - sig*sqrt(T)' },
    accepted: { S: 'USD', K: 'USD', r: '1/yr', sig: 'yr^-1/2', T: 'yr', phi: '1' },
    defaults: { phi: 1 },
    output: { symbol: 'V', unit: 'USD' },
  });
});

describe('at full size', () => {
  /** Every domain filled to its budget with the names of its laws and the texts of operators that there are. */
  const full = DOMAINS.map((domain, n) => ({
    ...domain,
    operators: domain.laws.slice(0, domain.budget).flatMap((name, i) => {
      const text = operators[(n * 37 + i) % operators.length];
      return text ? [{ ...text, id: `${domain.prefix}${i + 1}`, name, prefix: domain.prefix }] : [];
    }),
  }));
  const index = indexOperators(full);

  test('every law is first by its name', () => {
    expect(index.entries).toHaveLength(1_654);
    for (const { operator: law } of index.entries)
      expect(searchIn(index, law.name, 1).operators[0]?.name, law.name).toBe(law.name);
  });

  test('a query takes a few milliseconds', () => {
    const queries = [
      'wave',
      'E',
      'con',
      'lorentz force',
      'oscilator perriod',
      'n^2*pi^2',
      'drag on a sphere in a viscous fluid',
    ];
    for (const query of queries) {
      expect(
        yardsticksOf(() => searchIn(index, query, 40)),
        query,
      ).toBeLessThan(15);
    }
  });

  test('whatever is typed is answered', () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: LIMITS.search.characters }),
      fc.string({ unit: 'grapheme', maxLength: LIMITS.search.characters }),
      fc
        .array(fc.constantFrom('wave', 'a', 'E', '^2', '(', 'QM', '-', 'theta', 'oscillatro', ' '), { maxLength: 30 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(typed, (query) => {
        const { operators: found, total } = searchIn(index, query, 40);
        expect(found.length).toBe(Math.min(40, total));
        expect(new Set(found).size).toBe(found.length);
      }),
    );
  });
});
