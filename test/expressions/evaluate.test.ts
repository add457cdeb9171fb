import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { assemble } from '../../src/expressions/bytecode.ts';
import { compileExpression, EXPRESSION_KERNEL, evaluateProgram, evaluateRows } from '../../src/expressions/evaluate.ts';
import { FUNCTIONS } from '../../src/expressions/functions.ts';
import { OPCODE } from '../../src/expressions/opcodes.ts';
import { parseExpression } from '../../src/expressions/parse.ts';
import { printExpression } from '../../src/expressions/print.ts';
import { nodeCount, symbolsOf } from '../../src/expressions/tree.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { SPECIAL_POINTS } from './special-points.ts';
import { SYMBOLS, trees, walk } from './trees.ts';

let instance: KernelInstance;

beforeAll(async () => {
  instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
});

const value = (text: string, values: Readonly<Record<string, number>> = {}) =>
  evaluateProgram(instance, compileExpression(text, Object.keys(values)), values);

function refusal(body: () => unknown): DomainError {
  try {
    body();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

// mpmath 1.3 with 50 digits, rounded to the nearest double; the arguments are the doubles that the text names.
const KNOWN: readonly (readonly [text: string, expected: number])[] = [
  ['sqrt(3)', 1.7320508075688772],
  ['sqrt(0.3)', 0.5477225575051661],
  ['cbrt(2)', 1.2599210498948732],
  ['cbrt(-0.3)', -0.6694329500821695],
  ['abs(-2.5)', 2.5],
  ['sign(-0.25)', -1],
  ['floor(-2.5)', -3],
  ['ceil(-2.5)', -2],
  ['round(2.5)', 3],
  ['round(-2.5)', -2],
  ['exp(2)', 7.38905609893065],
  ['exp(-30.7)', 4.646858044746973e-14],
  ['exp(700.25)', 1.3022997366991783e304],
  ['expm1(1e-09)', 1.0000000005000001e-9],
  ['expm1(-3.5)', -0.9698026165776815],
  ['log(3)', 1.0986122886681098],
  ['log(1e-300)', -690.7755278982137],
  ['log1p(1e-09)', 9.999999995e-10],
  ['log1p(7.25)', 2.1102132003465894],
  ['log10(2)', 0.3010299956639812],
  ['log10(1e+17)', 17],
  ['log2(3)', 1.584962500721156],
  ['log2(0.1)', -3.321928094887362],
  ['sin(0.5)', 0.479425538604203],
  ['sin(355)', -3.014435335948845e-5],
  ['sin(1e+22)', -0.8522008497671888],
  // Between 2^20 pi/2 and 2^22, where AssemblyScript reads before its table (numerics/trigonometric.ts).
  ['sin(1647100.3)', 0.8253572896467801],
  ['cos(0.5)', 0.8775825618903728],
  ['cos(11)', 0.004425697988050785],
  ['cos(1e+22)', 0.523214785395139],
  ['tan(0.5)', 0.5463024898437905],
  ['tan(1.57)', 1255.7655915007897],
  ['asin(0.3)', 0.3046926540153975],
  ['asin(-0.99)', -1.4292568534704693],
  ['acos(0.3)', 1.2661036727794992],
  ['acos(-0.99)', 3.000053180265366],
  ['atan(0.3)', 0.2914567944778671],
  ['atan(-100000)', -1.570786326794897],
  ['sinh(0.3)', 0.3045202934471426],
  ['sinh(-20)', -242582597.70489514],
  ['cosh(0.3)', 1.0453385141288605],
  ['cosh(20)', 242582597.70489514],
  ['tanh(0.3)', 0.2913126124515909],
  ['tanh(-3)', -0.9950547536867305],
  ['asinh(0.3)', 0.29567304756342244],
  ['asinh(-10000000000)', -23.7189981105004],
  ['acosh(1.0001)', 0.014142017775251545],
  ['acosh(40)', 4.381870348040067],
  ['atanh(0.3)', 0.3095196042031117],
  ['atanh(-0.999)', -3.8002011672501994],
  ['sinc(0.3)', 0.9850673555377986],
  ['sinc(1e-09)', 1],
  ['hypot(0.3, 4)', 4.011234224026316],
  ['hypot(1e200, 1e200)', 1.414213562373095e200],
  ['hypot(2, 3, 6)', 7],
  ['atan2(-0.3, -4)', -3.066732805879026],
  ['2.5^3.7', 29.67413253642086],
  ['0.3^-12', 1881676.4231589215],
  ['pi^3', 31.00627668029982],
];

describe('functions', () => {
  test.each(KNOWN)('%s', (text, expected) => {
    expect(Math.abs(value(text) - expected)).toBeLessThanOrEqual(1e-13 * Math.abs(expected));
  });

  test('each one is compared with a known value', () => {
    const called = new Set([...KNOWN, ...SPECIAL_POINTS].map(([text]) => text.split('(')[0]));
    expect([...FUNCTIONS.keys()].filter((name) => !called.has(name))).toEqual(['min', 'max']);
    expect([value('min(3, -2, 7)'), value('max(3, -2, 7)')]).toEqual([-2, 7]);
  });

  test('are odd, even or defined at their edges as the field has it', () => {
    expect(value('sinc(0)')).toBe(1);
    expect(value('0^0')).toBe(1);
    expect(value('log(0)')).toBe(Number.NEGATIVE_INFINITY);
    expect(value('1/0')).toBe(Number.POSITIVE_INFINITY);
    expect(value('sqrt(-4)')).toBeNaN();
    expect(value('(-8)^(1/3)')).toBeNaN();
    expect(value('cbrt(-8)')).toBe(-2);
    expect(value('round(0.49999999999999994)')).toBe(0);
    expect(value('atan2(0, -1)')).toBe(Math.PI);
  });
});

describe('the machine', () => {
  test('has the instruction set that the compiler writes for', () => {
    const source = readFileSync(new URL('../../assembly/expression/opcodes.ts', import.meta.url), 'utf8');
    const numbers = [...source.matchAll(/export const (\w+): i32 = (\d+);/g)].map(([, name, number]) => [
      name,
      Number(number),
    ]);
    const isOpcode = (name: unknown) => !['OPERAND_SHIFT', 'FIRST_UNARY', 'FIRST_BINARY'].includes(String(name));
    expect(Object.fromEntries(numbers.filter(([name]) => isOpcode(name)))).toEqual(OPCODE);
    expect(new Set(Object.values(OPCODE)).size).toBe(Object.keys(OPCODE).length);
  });

  test('has room for the stack of any program', () => {
    const source = readFileSync(new URL('../../assembly/expression/machine.ts', import.meta.url), 'utf8');
    expect(Number(/STACK_VALUES: i32 = (\d+)/.exec(source)?.[1])).toBeGreaterThan(LIMITS.expression.nodes);
  });

  test('gives the bits of a plain walk over the tree', () => {
    const numbers = fc.double();
    fc.assert(
      fc.property(trees, fc.tuple(numbers, numbers, numbers, numbers), (tree, row) => {
        fc.pre(nodeCount(tree) <= LIMITS.expression.nodes);
        const program = assemble(tree, SYMBOLS);
        const [got] = evaluateRows(instance, program, Float64Array.from(row), 1);
        expect(got).toBe(walk(tree, new Map(SYMBOLS.map((name, i) => [name, row[i] ?? 0]))));
      }),
      { numRuns: 2_000 },
    );
  });

  test('gives the same bits for an equation and for the same equation with its numbers written out', () => {
    const values = { a: -2.75, b: 1e-7, c: 3, d: -0.1 };
    const texts = [
      'a^2 - b/c*d',
      '-a^c + 2^d - (a - d)*(b - a)',
      'sin(a)*exp(-d)/(1 - a)',
      'a < d ? a - d : b',
      '-d^2 + a*d/b',
    ];
    for (const text of texts) {
      const written = printExpression(parseExpression(text), new Map(Object.entries(values)));
      expect(value(written), written).toBe(value(text, values));
    }
  });

  test('squares with the bits of a power', () => {
    for (const x of [0, -3, 1.1, 1e200, 1e-200, -1e-300, 123_456.789]) {
      expect(value('x^2', { x })).toBe(value('x^y', { x, y: 2 }));
    }
  });
});

describe('control', () => {
  test('a choice evaluates one branch, and branches nest', () => {
    const text = 'x < 0 ? -1 : x < 1 ? sum(k, 1, 10, x) : 100 + (x > 5 ? 1 : 2)';
    expect([-3, 0.5, 3, 9].map((x) => value(text, { x }))).toEqual([-1, 5, 102, 101]);
  });

  test('the other branch is not touched, even where it could not be evaluated', () => {
    expect(value('n > 1 ? 7 : sum(k, 0.5, 2, k)', { n: 2 })).toBe(7);
    expect(value('n > 1 or sum(k, 0.5, 2, k) > 0', { n: 2 })).toBe(1);
    expect(value('n < 1 and sum(k, 0.5, 2, k) > 0', { n: 2 })).toBe(0);
  });

  test('truth values are 1 and 0; zero and NaN are false', () => {
    expect(value('2 and 3')).toBe(1);
    expect(value('0 or -4')).toBe(1);
    expect(value('not 0')).toBe(1);
    expect(value('sqrt(-1) ? 1 : 2')).toBe(2);
    expect(value('sqrt(-1) == sqrt(-1)')).toBe(0);
    expect(value('1 + (2 > 1) + (2 < 1)')).toBe(2);
  });

  test('sums nest, hide outer names, may be empty and stand inside other operations', () => {
    expect(value('sum(k, 1, 100, k)')).toBe(5050);
    expect(value('sum(k, -2, 2, k^2)')).toBe(10);
    expect(value('sum(k, 3, 2, 1/0)')).toBe(0);
    expect(value('sum(i, 1, 3, sum(j, 1, i, i*j))')).toBe(25);
    expect(value('k + sum(k, 1, 2, k + sum(k, 5, 6, k)) + k', { k: 100 })).toBe(225);
    expect(value('2*sum(k, 1, 3, k)^2 - sum(k, 1, 3, k > 1 ? k : 0)')).toBe(67);
    expect(value('max(sum(k, 1, 2, k), 1 + sum(k, 1, 1, 9))')).toBe(10);
  });

  test('a sum is added in the order of its index', () => {
    let total = 0;
    for (let k = 1; k <= 10_000; k++) total += 1 / (k * k);
    expect(value('sum(k, 1, 10000, 1/(k*k))')).toBe(total);
    expect(total).toBeCloseTo(1.644_834_071_848_06, 13); // mpmath
  });

  test('intermediate values are evaluated once and used by name', () => {
    const where = [
      { name: 'd1', expression: parseExpression('(log(S/K) + (r + sig^2/2)*T)/(sig*sqrt(T))') },
      { name: 'd2', expression: parseExpression('d1 - sig*sqrt(T)') },
    ];
    const result = parseExpression('S*tanh(d1) - K*exp(-r*T)*tanh(d2) + sum(d1, 1, 2, d1) - 3');
    const program = assemble(result, ['S', 'K', 'r', 'sig', 'T'], where);
    // mpmath 1.3, 50 digits
    const got = evaluateProgram(instance, program, { S: 105, K: 95, r: 0.03, sig: 0.2, T: 0.75 });
    expect(Math.abs(got - 18.1247396856007)).toBeLessThan(1e-12);
  });
});

describe('budgets', () => {
  test('a sum has at most so many terms, known beforehand or not', () => {
    const { sumTerms } = LIMITS.expression;
    expect(value(`sum(k, 1, ${sumTerms}, 1)`)).toBe(sumTerms);
    expect(refusal(() => value(`sum(k, 1, ${sumTerms + 1}, 1)`)).code).toBe('EXPRESSION_INVALID');
    expect(refusal(() => value('sum(k, -1e9, 1, 1)')).code).toBe('EXPRESSION_INVALID');
    expect(value('sum(k, 1, n, 1)', { n: sumTerms })).toBe(sumTerms);
    expect(refusal(() => value('sum(k, 1, n, 1)', { n: sumTerms + 1 })).code).toBe('BUDGET_EXCEEDED');
  });

  test('bounds are whole numbers', () => {
    for (const n of [0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53]) {
      expect(refusal(() => value('sum(k, n, 3, k)', { n })).code, String(n)).toBe('VALIDATION_FAILED');
    }
    expect(value('sum(k, n, n + 1, 1)', { n: 2 ** 52 - 1 })).toBe(2);
  });

  test('loops within loops end at the step budget', () => {
    // An inner turn takes 2 instructions, an outer one 6 besides: 99·999·2 + 98·6 = 198,390; one more is 200,394.
    expect(LIMITS.expression.steps).toBe(200_000);
    const text = 'sum(i, 1, n, sum(j, 1, 1000, 1))';
    expect(value(text, { n: 99 })).toBe(99_000);
    const error = refusal(() => value(text, { n: 100 }));
    expect(error.code).toBe('BUDGET_EXCEEDED');
    expect(error.message).toContain('200000 steps');
    expect(value(text, { n: 2 })).toBe(2_000);
  });
});

describe('symbols', () => {
  test('must be known, and a misspelt one is met with the nearest', () => {
    const error = refusal(() => compileExpression('alpha*temprature', ['alpha', 'temperature']));
    expect(error.facts).toMatchObject({ position: 7, nearest: 'temperature' });
    expect(refusal(() => compileExpression('k*sum(k, 1, 2, k)', [])).facts.position).toBe(1);
    expect(refusal(() => compileExpression('a', ['a', 'a'])).code).toBe('EXPRESSION_INVALID');
    expect(refusal(() => compileExpression('1', ['pi'])).code).toBe('EXPRESSION_INVALID');
  });

  test('have values of their own, never inherited ones', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const program = compileExpression(`${name} + 1`, [name]);
      expect(refusal(() => evaluateProgram(instance, program, {})).code).toBe('VALIDATION_FAILED');
      expect(evaluateProgram(instance, program, Object.fromEntries([[name, 41]]))).toBe(42);
    }
  });

  test('text cannot be evaluated', () => {
    const tree = parseExpression('a == "b"', { strings: true });
    expect(refusal(() => assemble(tree, ['a'])).facts).toMatchObject({ position: 6 });
  });

  test('definitions share the limit of nodes', () => {
    const long = parseExpression(Array.from({ length: 120 }, () => 'a').join('+'));
    expect(() => assemble(long, ['a'])).not.toThrow();
    const where = [{ name: 'b', expression: long }];
    expect(refusal(() => assemble(long, ['a'], where)).facts.expected).toContain(String(LIMITS.expression.nodes));
  });
});

describe('rows', () => {
  test('each row has its own value, and how many there are changes none', () => {
    const program = compileExpression('a*exp(-b) + sum(k, 1, 3, k*a)', ['a', 'b']);
    const slots = Float64Array.from({ length: 2_000 }, (_, i) => Math.sqrt(i) - 7);
    const together = evaluateRows(instance, program, slots, 1_000);
    const alone = Array.from(
      { length: 1_000 },
      (_, i) => evaluateRows(instance, program, slots.slice(2 * i, 2 * i + 2), 1)[0],
    );
    expect([...together]).toEqual(alone);
  });

  test('a value that is not finite does not stop the others', () => {
    const program = compileExpression('1/x', ['x']);
    expect([...evaluateRows(instance, program, Float64Array.of(2, 0, -4), 3)]).toEqual([
      0.5,
      Number.POSITIVE_INFINITY,
      -0.25,
    ]);
  });

  test('a refused row is named', () => {
    const program = compileExpression('sum(k, 1, n, k)', ['n']);
    const error = refusal(() => evaluateRows(instance, program, Float64Array.of(3, 4, 0.5, 5), 4));
    expect(error.facts.row).toBe(2);
  });

  test('more rows than the memory holds are refused, and the instance lives on', () => {
    const program = compileExpression('x', ['x']);
    expect(refusal(() => evaluateRows(instance, program, new Float64Array(1), 2 ** 25)).code).toBe('KERNEL_FAILED');
    expect(evaluateProgram(instance, program, { x: 3 })).toBe(3);
  });
});

test('whatever parses is evaluated within its budget or refused by name', () => {
  const pieces = [
    'x',
    '2',
    '0.5',
    'pi',
    '+',
    '-',
    '*',
    '/',
    '^',
    '(',
    ')',
    'sin(',
    'sum(k, 1, x, ',
    'sum(j, x, 300, ',
    '? ',
    ': ',
    '<',
    ' and ',
    ' not ',
    'k',
    'j',
    ',',
  ];
  const texts = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 }).map((parts) => parts.join(''));
  let evaluated = 0;
  fc.assert(
    fc.property(texts, fc.integer({ min: -3, max: 400 }), (text, x) => {
      try {
        const tree = parseExpression(text);
        const symbols = [...symbolsOf(tree)];
        const got = evaluateProgram(
          instance,
          assemble(tree, symbols),
          Object.fromEntries(symbols.map((name) => [name, x])),
        );
        expect(typeof got).toBe('number');
        evaluated++;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        expect(['EXPRESSION_INVALID', 'BUDGET_EXCEEDED', 'VALIDATION_FAILED']).toContain(error.code);
      }
    }),
    { numRuns: 4_000 },
  );
  expect(evaluated).toBeGreaterThan(50);
});
