import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUnit, sameDimension } from '../../src/core/units.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { operatorRecord } from '../../src/operations/compute/operators.ts';
import { definitionOf } from '../../src/operators/definition.ts';
import { findOperator, OPERATORS } from '../../src/operators/load.ts';
import { type Operator, PULSE_OPERATOR } from '../../src/operators/operator.ts';
import { unitChoices } from '../../src/portal/kit/unit-choices.ts';
import { draftFromSearch, draftOf, parseDraft, urlOf, withResultUnit } from '../../src/portal/operators/draft.ts';
import { PIN_KEYS, pinFaults, pinIn, pinOf, withPin } from '../../src/portal/operators/pin.ts';
import type { FullOperator } from '../../src/portal/operators/registry.ts';
import { computeRequest, toCommand, toTypeScript } from '../../src/portal/operators/snippets.ts';
import { computeInBrowser } from '../../src/portal/worker/compute.ts';
import { selectComputation } from '../../src/protocol/compute-request.ts';
import { pureFields } from '../../src/protocol/pure-fields.ts';
import { runPlan } from '../../src/solvers/run.ts';

/** Record as received from the API. */
const recordOf = (id: string) => JSON.parse(JSON.stringify(operatorRecord(id))) as FullOperator;
const box = recordOf('QM5');
const searchOf = (url: string) => new URL(url, 'http://portal').search;

describe('an operator computed in the browser', () => {
  const runner = new LocalRunner();
  const dependencies = { loadKernel, runner, pulse: definitionOf(findOperator(PULSE_OPERATOR)) };

  const computeOnServer = async (
    domain: string,
    id: string,
    quantities: Parameters<typeof computeInBrowser>[0]['quantities'],
  ) => {
    const bound = selectComputation({ domain, operators: [id], ...quantities })();
    if (bound.kind !== 'bound') throw new Error('The gate rejected the request.');
    const { computation } = bound;
    const image = await loadKernel(computation.kernel);
    const executed = { kernelSha256: image.sha256, ...(await runPlan(computation.plan(), image, runner)) };
    const solution = computation.collect(executed.outputs);
    return pureFields(computation, executed, solution).pure;
  };

  test('gives the pure fields of the service for the first example of every operator', async () => {
    let count = 0;
    for (const { id } of OPERATORS.values()) {
      if (id === PULSE_OPERATOR) continue;
      const operator = recordOf(id);
      const quantities = { inputs: operator.examples[0]?.inputs ?? {} };
      const { pure } = await computeInBrowser({ operator, domain: operator.domain, quantities }, dependencies, {});
      expect(pure, id).toEqual(await computeOnServer(operator.domain, id, quantities));
      count++;
    }
    expect(count).toBeGreaterThan(300);
  });

  test('gives the same pure fields with units and uncertainties', async () => {
    const quantities = { inputs: { n: 2, m: 9e-31, L: -0 + 2.5 }, units: { L: 'nm' }, uncertainties: { L: 0.1 } };
    const { pure } = await computeInBrowser({ operator: box, domain: box.domain, quantities }, dependencies, {});
    expect(pure).toEqual(await computeOnServer(box.domain, box.id, quantities));
    expect(pure.units).toEqual({ L: 'nm' });
  });

  test('an unknown input is rejected with the message of the gate', async () => {
    const request = {
      operator: box as Operator,
      domain: box.domain,
      quantities: { inputs: { n: 1, m: 1e-30, L: 1, z: 1 } },
    };
    await expect(computeInBrowser(request, dependencies, {})).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'QM5 takes no z.',
    });
  });
});

describe('the form of an operator', () => {
  const first = draftOf(box, box.examples[0]);

  test('the first example parses to its inputs and needs no query in the URL', () => {
    expect(parseDraft(box, first)).toEqual({ quantities: { inputs: box.examples[0]?.inputs }, faults: {} });
    expect(urlOf(box, first)).toBe('/operators/QM5');
    expect(draftFromSearch(box, '')).toEqual(first);
  });

  test('a decimal comma, a typographic minus, a unit and an uncertainty are accepted', () => {
    const draft = {
      ...first,
      L: { value: '2,5', unit: 'nm', sigma: '0.1' },
      m: { value: '9e−31', unit: 'kg', sigma: '' },
    };
    expect(parseDraft(box, draft)).toEqual({
      quantities: { inputs: { n: 3, m: 9e-31, L: 2.5 }, units: { L: 'nm' }, uncertainties: { L: 0.1 } },
      faults: {},
    });
  });

  test('each fault is reported at its field, with the message of the service', () => {
    const draft = {
      n: { value: '1.5', unit: '1', sigma: '' },
      m: { value: '', unit: 'kg', sigma: '' },
      L: { value: '2', unit: 's', sigma: '' },
    };
    const { faults } = parseDraft(box, draft);
    expect(faults.n).toBe('n is 1.5; a whole number from 1 up to 1000000 is expected.');
    expect(faults.m).toBe('m is missing; a finite number from 1e-36 up to 1 [kg] is expected.');
    expect(faults.L).toContain('A value in s cannot be converted to m');
    expect(parseDraft(box, { ...first, n: { value: 'three', unit: '1', sigma: '' } }).faults.n).toContain('"three"');
    expect(parseDraft(box, { ...first, L: { value: '1', unit: 'm', sigma: '-1' } }).faults.L).toContain('uncertainty');
    expect(parseDraft(box, { ...first, L: { value: '1', unit: 'furlong', sigma: '' } }).faults.L).toContain('furlong');
  });

  test('an ambiguous comma is rejected, also in a URL', () => {
    const url = '/operators/QM5?n=1,000&m=9e-31&L=1,000±1,500 nm';
    const draft = draftFromSearch(box, searchOf(url));
    expect(draft.n?.value).toBe('1,000');
    expect(parseDraft(box, draft)).toEqual({
      quantities: { inputs: { m: 9e-31 }, units: { L: 'nm' } },
      faults: {
        n: 'n is "1,000"; a whole number is expected, without commas.',
        L: 'L is "1,000", which may be 1 or 1000; write 1.0 or 1000.',
      },
    });
    const { faults } = parseDraft(box, { ...first, L: { value: '2,5', unit: 'nm', sigma: '1,500' } });
    expect(faults).toEqual({
      L: 'The uncertainty of L is "1,500", which may be 1.5 or 1500; write 1.5 or 1500.',
    });
  });

  test('the URL restores the form with any content', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll(/[±\s]/gu, ''));
    const unit = fc.constantFrom('m', 'nm', 'ft', 'kg*m/s', 's^-1/2');
    fc.assert(
      fc.property(text, text, text, unit, (n, value, sigma, given) => {
        const draft = {
          n: { value: n, unit: '1', sigma: '' },
          m: { value: '', unit: 'kg', sigma: '' },
          L: { value, unit: given, sigma },
        };
        expect(draftFromSearch(box, searchOf(urlOf(box, draft)))).toEqual(draft);
      }),
    );
  });

  test('the unit of the result is in the URL, and leaves what is computed as it is', () => {
    const draft = withResultUnit(first, 'eV');
    expect(urlOf(box, draft)).toBe('/operators/QM5?result_unit=eV&n=3&m=9.1093837139e-31&L=2.5e-9');
    expect(draftFromSearch(box, searchOf(urlOf(box, draft)))).toEqual(draft);
    expect(parseDraft(box, draft)).toEqual(parseDraft(box, first));
    expect(urlOf(box, withResultUnit(draft, undefined))).toBe('/operators/QM5');
  });

  test('a pinned link has all inputs, and says which part of its pin is another now', () => {
    const pin = pinOf(box, { revision: 3, kernel_sha256: 'a'.repeat(64) });
    const link = withPin(new URL(urlOf(box, first, true), 'http://portal').href, pin);
    expect(pinIn(searchOf(link))).toEqual({ revision: '3', kernel: 'a'.repeat(12), law: pin.law });
    expect(pin.law).toMatch(/^[0-9a-f]{12}$/);
    expect(draftFromSearch(box, searchOf(link))).toEqual(first);
    expect(pinIn(searchOf(urlOf(box, first)))).toBeUndefined();
    expect(pinFaults(pin, pin)).toEqual([]);
    const changed = pinOf({ ...box, equation: `${box.equation}*1` }, { revision: 4, kernel_sha256: 'b'.repeat(64) });
    expect(pinFaults(pin, changed).map((text) => text.split(' ').slice(0, 3).join(' '))).toEqual([
      'The law has',
      'The computation has',
      'The kernel has',
    ]);
  });

  test('no law has a symbol with the name of another key of the URL', () => {
    for (const { id, inputs, output } of OPERATORS.values())
      for (const key of [...PIN_KEYS, 'result_unit', 'solve_for'])
        expect([...Object.keys(inputs), output.symbol], id).not.toContain(key);
  });

  test('the URL of an emptied form restores an empty form', () => {
    const empty = draftOf(box, undefined);
    expect(draftFromSearch(box, searchOf(urlOf(box, empty)))).toEqual(empty);
  });
});

describe('unit choices', () => {
  test('have the declared dimension for every input of the registry', () => {
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

describe('snippets', () => {
  const quantities = { inputs: { n: 3, m: 9e-31, L: 2.5 }, units: { L: 'nm' }, uncertainties: { L: 0.1 } };

  test('the command is quoted for a shell', () => {
    expect(toCommand(box, quantities)).toBe("svc compute QM --operators QM5 n=3 m=9e-31 'L=2.5±0.1 nm'");
  });

  test('the program sends the request with the key from the environment', () => {
    const request = computeRequest(box, quantities);
    expect(request).toEqual({ domain: 'Quantum Mechanics', operators: ['QM5'], ...quantities });
    const program = toTypeScript('http://node', request);
    expect(program).toContain("fetch('http://node/api/svc/compute'");
    expect(program).toContain('process.env.SVC_KEY');
    const body = /JSON\.stringify\((\{[\s\S]*?\n {2}\})\)/.exec(program)?.[1];
    expect(JSON.parse(body ?? '')).toEqual(request);
  });
});
