import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUnit, sameDimension } from '../../src/core/units.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/run-here.ts';
import { operatorRecord } from '../../src/operations/compute/operators.ts';
import { definitionOf } from '../../src/operators/definition.ts';
import { findOperator, OPERATORS } from '../../src/operators/load.ts';
import { type Operator, PULSE_OPERATOR } from '../../src/operators/operator.ts';
import { addressOf, draftFrom, draftOf, readDraft } from '../../src/portal/operators/draft.ts';
import type { FullOperator } from '../../src/portal/operators/registry.ts';
import { asCommand, asTypeScript, requestOf } from '../../src/portal/operators/snippets.ts';
import { unitChoices } from '../../src/portal/operators/unit-choices.ts';
import { computeHere } from '../../src/portal/work/compute.ts';
import { selectComputation } from '../../src/protocol/compute-request.ts';
import { pureFields } from '../../src/protocol/pure-fields.ts';
import { runPlan } from '../../src/solvers/run.ts';

/** As it comes over the wire. */
const recordOf = (id: string) => JSON.parse(JSON.stringify(operatorRecord(id))) as FullOperator;
const box = recordOf('QM5');
const searchOf = (address: string) => new URL(address, 'http://portal').search;

describe('an operator computed in the browser', () => {
  const runner = new LocalRunner();
  const tools = { loadKernel, runner, pulse: definitionOf(findOperator(PULSE_OPERATOR)) };

  const there = async (domain: string, id: string, quantities: Parameters<typeof computeHere>[0]['quantities']) => {
    const bound = selectComputation({ domain, operators: [id], ...quantities })();
    if (bound.kind !== 'bound') throw new Error('the gate');
    const { computation } = bound;
    const image = await loadKernel(computation.kernel);
    const solution = computation.collect(await runPlan(computation.plan(), image, runner));
    return pureFields(computation, image.sha256, solution).pure;
  };

  test('has the pure fields of the service, for the first example of every operator', async () => {
    let count = 0;
    for (const { id } of OPERATORS.values()) {
      if (id === PULSE_OPERATOR) continue;
      const operator = recordOf(id);
      const quantities = { inputs: operator.examples[0]?.inputs ?? {} };
      const { pure } = await computeHere({ operator, domain: operator.domain, quantities }, tools, {});
      expect(pure, id).toEqual(await there(operator.domain, id, quantities));
      count++;
    }
    expect(count).toBeGreaterThan(300);
  });

  test('has them with units and uncertainties too', async () => {
    const quantities = { inputs: { n: 2, m: 9e-31, L: -0 + 2.5 }, units: { L: 'nm' }, uncertainties: { L: 0.1 } };
    const { pure } = await computeHere({ operator: box, domain: box.domain, quantities }, tools, {});
    expect(pure).toEqual(await there(box.domain, box.id, quantities));
    expect(pure.units).toEqual({ L: 'nm' });
  });

  test('a key that nobody accepts is refused as the gate would', async () => {
    const ask = {
      operator: box as Operator,
      domain: box.domain,
      quantities: { inputs: { n: 1, m: 1e-30, L: 1, z: 1 } },
    };
    await expect(computeHere(ask, tools, {})).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'QM5 take no z.',
    });
  });
});

describe('what stands in the form', () => {
  const first = draftOf(box, box.examples[0]);

  test('an example is read as its own inputs, and its address says nothing more', () => {
    expect(readDraft(box, first)).toEqual({ quantities: { inputs: box.examples[0]?.inputs }, faults: {} });
    expect(addressOf(box, first)).toBe('/operators/QM5');
    expect(draftFrom(box, '')).toEqual(first);
  });

  test('a decimal comma, a typographic minus, a unit and an uncertainty are understood', () => {
    const draft = {
      ...first,
      L: { value: '2,5', unit: 'nm', sigma: '0.1' },
      m: { value: '9e−31', unit: 'kg', sigma: '' },
    };
    expect(readDraft(box, draft)).toEqual({
      quantities: { inputs: { n: 3, m: 9e-31, L: 2.5 }, units: { L: 'nm' }, uncertainties: { L: 0.1 } },
      faults: {},
    });
  });

  test('each fault is named at its own field, in the words of the service', () => {
    const draft = {
      n: { value: '1.5', unit: '1', sigma: '' },
      m: { value: '', unit: 'kg', sigma: '' },
      L: { value: '2', unit: 's', sigma: '' },
    };
    const { faults } = readDraft(box, draft);
    expect(faults.n).toBe('n is 1.5; a whole number from 1 up to 1000000 is expected.');
    expect(faults.m).toBe('m is missing; a finite number from 1e-36 up to 1 [kg] is expected.');
    expect(faults.L).toContain('A value in s cannot be converted to m');
    expect(readDraft(box, { ...first, n: { value: 'three', unit: '1', sigma: '' } }).faults.n).toContain('"three"');
    expect(readDraft(box, { ...first, L: { value: '1', unit: 'm', sigma: '-1' } }).faults.L).toContain('uncertainty');
    expect(readDraft(box, { ...first, L: { value: '1', unit: 'furlong', sigma: '' } }).faults.L).toContain('furlong');
  });

  test('a comma that may stand between thousands is refused, in an address too', () => {
    const address = '/operators/QM5?n=1,000&m=9e-31&L=1,000±1,500 nm';
    const draft = draftFrom(box, searchOf(address));
    expect(draft.n?.value).toBe('1,000');
    expect(readDraft(box, draft)).toEqual({
      quantities: { inputs: { m: 9e-31 }, units: { L: 'nm' } },
      faults: {
        n: 'n is "1,000"; a whole number is expected, without commas.',
        L: 'L is "1,000", which may be 1 or 1000; write 1.0 or 1000.',
      },
    });
    const { faults } = readDraft(box, { ...first, L: { value: '2,5', unit: 'nm', sigma: '1,500' } });
    expect(faults).toEqual({
      L: 'The uncertainty of L is "1,500", which may be 1.5 or 1500; write 1.5 or 1500.',
    });
  });

  test('the address gives the same form again, whatever was typed', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((one) => one.replaceAll(/[±\s]/gu, ''));
    const unit = fc.constantFrom('m', 'nm', 'ft', 'kg*m/s', 's^-1/2');
    fc.assert(
      fc.property(text, text, text, unit, (n, value, sigma, given) => {
        const draft = {
          n: { value: n, unit: '1', sigma: '' },
          m: { value: '', unit: 'kg', sigma: '' },
          L: { value, unit: given, sigma },
        };
        expect(draftFrom(box, searchOf(addressOf(box, draft)))).toEqual(draft);
      }),
    );
  });

  test('an address of an emptied form stays empty', () => {
    const empty = draftOf(box, undefined);
    expect(draftFrom(box, searchOf(addressOf(box, empty)))).toEqual(empty);
  });
});

describe('units to choose from', () => {
  test('are units of the declared dimension, for every input of the registry', () => {
    let count = 0;
    for (const { inputs } of OPERATORS.values())
      for (const { unit } of Object.values(inputs)) {
        const choices = unitChoices(unit);
        for (const choice of choices)
          expect([unit, choice, sameDimension(parseUnit(unit).dimension, parseUnit(choice).dimension)]).toEqual([
            unit,
            choice,
            true,
          ]);
        count += choices.length;
      }
    expect(count).toBeGreaterThan(1_000);
    expect(unitChoices('1')).toEqual([]);
  });
});

describe('what is taken along', () => {
  const quantities = { inputs: { n: 3, m: 9e-31, L: 2.5 }, units: { L: 'nm' }, uncertainties: { L: 0.1 } };

  test('the command is quoted for a shell', () => {
    expect(asCommand(box, quantities)).toBe("svc compute QM --operators QM5 n=3 m=9e-31 'L=2.5±0.1 nm'");
  });

  test('the program sends the request, with the key from the environment', () => {
    const request = requestOf(box, quantities);
    expect(request).toEqual({ domain: 'Quantum Mechanics', operators: ['QM5'], ...quantities });
    const program = asTypeScript('http://node', request);
    expect(program).toContain("fetch('http://node/api/svc/compute'");
    expect(program).toContain('process.env.SVC_KEY');
    const body = /JSON\.stringify\((\{[\s\S]*?\n {2}\})\)/.exec(program)?.[1];
    expect(JSON.parse(body ?? '')).toEqual(request);
  });
});
