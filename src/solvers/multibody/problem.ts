// The problem of a request: bodies at their start, the law, and the times; rejects fields that do not fit together.

import { CODATA } from '../../core/codata.ts';
import { validationError } from '../parts/errors.ts';
import { type CouplingPrograms, couplingPrograms } from '../parts/master-field/programs.ts';
import { DRAG_AREA, dragOf, GRAVITY_AT } from '../parts/master-field/sites.ts';
import { recordedSteps, recordInterval } from '../parts/sampling.ts';
import { type Body, fieldBodies, gravityBodies } from './bodies.ts';
import type { BodyInput, MultibodyInput } from './inputs.ts';
import { PRESETS, type Preset } from './presets.ts';

export interface UnitsOf {
  readonly length: string;
  readonly time: string;
  readonly speed: string;
  readonly G: number;
  /** Standard uncertainty of G; 0 where it is a definition. */
  readonly uncertainty: number;
  /** Joule in a unit of energy, and its relative standard uncertainty. */
  readonly joule: number;
  readonly jouleUncertainty: number;
}

const NEWTON = CODATA.get('Newtonian constant of gravitation') ?? { value: 6.6743e-11, uncertainty: 1.5e-15 };
const AU = 149_597_870_700;
const YEAR = 31_557_600;
/** GM of the Sun, m³/s²: nominal, IAU 2015 resolution B3. */
const SUN = 1.3271244e20;

const UNITS: Readonly<Record<'one' | 'si' | 'au', UnitsOf>> = {
  one: { length: 'm', time: 's', speed: 'm/s', G: 1, uncertainty: 0, joule: 1, jouleUncertainty: 0 },
  si: {
    length: 'm',
    time: 's',
    speed: 'm/s',
    G: NEWTON.value,
    uncertainty: NEWTON.uncertainty,
    joule: 1,
    jouleUncertainty: 0,
  },
  // A solar mass is GM / G: in these units G is known far better than the mass in kg.
  au: {
    length: 'au',
    time: 'yr',
    speed: 'au/yr',
    G: SUN / AU / (AU / YEAR) / (AU / YEAR),
    uncertainty: 0,
    joule: (SUN / NEWTON.value) * (AU / YEAR) * (AU / YEAR),
    jouleUncertainty: NEWTON.uncertainty / NEWTON.value,
  },
};

const COMPOSITION_ORDER = { leapfrog: 2, yoshida4: 4, yoshida6: 6, kahan8: 8 } as const;

export interface FixedSteps {
  /** 0 for the Runge–Kutta method, else the order of the composition. */
  readonly composition: number;
  readonly dt: number;
  readonly steps: number;
  readonly recordEvery: number;
}

export interface Problem {
  readonly law: 'gravity' | 'field';
  readonly dimensions: 1 | 2 | 3;
  readonly bodies: readonly Body[];
  readonly units: UnitsOf;
  /** G, or the coupling of pairs. */
  readonly strength: number;
  /** Standard uncertainty of G where the request leaves it out. */
  readonly strengthUncertainty: number;
  readonly softening: number;
  readonly alpha: number;
  readonly beta: number;
  readonly couplings: CouplingPrograms;
  /** Whether drag or couplings change the energy. */
  readonly hasWork: boolean;
  readonly tEnd: number;
  readonly times: Float64Array;
  readonly longestStep: number;
  readonly fixed?: FixedSteps | undefined;
  readonly notes: readonly string[];
}

const NO_COUPLINGS = couplingPrograms({}, false);
const MAX_EQUAL_STEPS = 20_000_000;

/** @throws DomainError VALIDATION_FAILED */
export function problemOf(input: MultibodyInput): Problem {
  const preset: Preset = PRESETS[input.preset];
  const given = input.bodies;
  const law = input.law ?? (given === undefined ? preset.law : lawOf(given));
  if (given === undefined && law !== preset.law)
    throw validationError('law', `law is ${law}; the preset ${input.preset} is of ${preset.law}: give bodies.`);
  const unitsName = input.units ?? (given === undefined || law === preset.law ? preset.units : 'one');
  if (law === 'field' && unitsName === 'au')
    throw validationError('units', 'units is au; the field is in kg, m and s: expected one or si.');
  const units = UNITS[unitsName];
  assertFields(input, law);
  const tEnd = input.tMax ?? (given === undefined ? preset.tMax : 10);
  const bodies = given ?? bodiesOf(preset);
  const own = given === undefined ? preset : undefined;
  const common = { law, units, ...timesOf(input, tEnd), tEnd, longestStep: input.dt ?? tEnd };
  return law === 'gravity'
    ? { ...common, ...gravityOf(input, bodies, own, units) }
    : { ...common, ...fieldOf(input, bodies, own) };
}

/** As a request gives them: angles that are left out are 0. */
const bodiesOf = ({ bodies }: Preset): readonly BodyInput[] =>
  bodies.map(({ orbit, position, velocity, ...body }) => ({
    ...body,
    position: typeof position === 'object' ? [...position] : position,
    velocity: velocity === undefined ? undefined : [...velocity],
    orbit: orbit && { e: 0, inclination: 0, node: 0, periapsis: 0, anomaly: 0, about: 0, ...orbit },
  }));

/** Bodies with a velocity, an orbit, a radius or a place of several coordinates are of gravity. */
const lawOf = (bodies: readonly BodyInput[]): 'gravity' | 'field' =>
  bodies.some(
    ({ position, velocity, orbit, radius }) =>
      Array.isArray(position) || velocity !== undefined || orbit !== undefined || radius !== undefined,
  )
    ? 'gravity'
    : 'field';

const FIELD_ONLY = ['alpha', 'beta', 'koSettings', 'pairwiseCoupling', 'pairwiseSoftening'] as const;
const GRAVITY_ONLY = ['G', 'softening'] as const;

function assertFields(input: MultibodyInput, law: 'gravity' | 'field'): void {
  const other = law === 'gravity' ? 'field' : 'gravity';
  for (const name of law === 'gravity' ? FIELD_ONLY : GRAVITY_ONLY)
    if (input[name] !== undefined) {
      const message = `${name} belongs to the law ${other}; these bodies are of ${law}.`;
      throw validationError(name, message, 'NOT_ALLOWED');
    }
}

function timesOf({ method, dt, samples }: MultibodyInput, tEnd: number): Pick<Problem, 'times' | 'fixed'> {
  if (method === 'dop853') {
    const times = Float64Array.from({ length: samples }, (_, i) =>
      i === samples - 1 ? tEnd : (tEnd * i) / (samples - 1),
    );
    return { times };
  }
  if (dt === undefined) throw validationError('dt', `dt is missing; ${method} makes equal steps.`, 'MISSING');
  // A quotient that is whole but for rounding is taken as whole.
  const steps = Math.max(1, Math.ceil((tEnd / dt) * (1 - 1e-12)));
  if (!(steps <= MAX_EQUAL_STEPS)) {
    const least = tEnd / MAX_EQUAL_STEPS;
    const message = `dt is ${dt}; tMax / dt is at most ${MAX_EQUAL_STEPS} steps, so dt is at least ${least}.`;
    throw validationError('dt', message, 'TOO_MANY_STEPS', { least });
  }
  const recordEvery = recordInterval(steps, samples - 1);
  const length = tEnd / steps;
  const times = Float64Array.from(recordedSteps(steps, recordEvery), (step) => (step === steps ? tEnd : step * length));
  const composition = method === 'rk4' ? 0 : COMPOSITION_ORDER[method];
  return { times, fixed: { composition, dt: length, steps, recordEvery } };
}

type OfLaw = Omit<Problem, 'law' | 'units' | 'times' | 'tEnd' | 'longestStep' | 'fixed'>;

function gravityOf(
  input: MultibodyInput,
  given: readonly BodyInput[],
  preset: Preset | undefined,
  units: UnitsOf,
): OfLaw {
  const strength = input.G ?? units.G;
  const softening = input.softening ?? preset?.softening ?? 0;
  const { bodies, dimensions, notes } = gravityBodies(given, strength, softening);
  return {
    dimensions,
    bodies,
    strength,
    strengthUncertainty: input.G === undefined ? units.uncertainty : 0,
    softening,
    alpha: 0,
    beta: 0,
    couplings: NO_COUPLINGS,
    hasWork: false,
    notes,
  };
}

function fieldOf(input: MultibodyInput, given: readonly BodyInput[], preset: Preset | undefined): OfLaw {
  const settings = input.koSettings ?? preset?.koSettings ?? {};
  // The ids are checked also where they are left out.
  const all = couplingPrograms(settings, input.normalizeOperators);
  const isCore = input.coreOnly;
  const couplings = isCore || !input.useOperatorModules ? NO_COUPLINGS : all;
  const strength = input.pairwiseCoupling ?? preset?.pairwiseCoupling ?? 0.05;
  const softening = input.pairwiseSoftening ?? preset?.pairwiseSoftening ?? 1e-6;
  const bodies = fieldBodies(given, strength !== 0 && softening === 0, (body, mass) => ({
    gravity: body.location === undefined ? 0 : GRAVITY_AT[body.location],
    drag: isCore ? 0 : dragOf(body.medium ?? 'vacuum', mass, body.dragArea ?? DRAG_AREA),
  }));
  const hasWork = couplings.ids.length > 0 || bodies.some(({ drag }) => drag > 0);
  if (hasWork && input.method !== 'dop853' && input.method !== 'rk4')
    throw validationError(
      'method',
      `method is ${input.method}; drag and couplings need dop853 or rk4, since symplectic steps are of forces by place alone.`,
    );
  const left = all.ids.length - couplings.ids.length;
  return {
    dimensions: 1,
    bodies,
    strength,
    strengthUncertainty: 0,
    softening,
    alpha: input.alpha ?? preset?.alpha ?? 1,
    beta: input.beta ?? preset?.beta ?? 0,
    couplings,
    hasWork,
    notes: left > 0 ? [`The ${left} couplings of koSettings are left out.`] : [],
  };
}
