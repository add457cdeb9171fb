// Bodies at their start: places, velocities and what acts on each, checked one by one and together.

import { validationError } from '../parts/errors.ts';
import type { BodyInput } from './inputs.ts';
import { stateOf } from './orbit.ts';

export interface Body {
  readonly mass: number;
  /** As long as the problem has dimensions. On a line the displacement φ, and its rate. */
  readonly position: readonly number[];
  readonly velocity: readonly number[];
  readonly radius: number;
  /** On a line: where φ is counted from, weight and drag over mass. */
  readonly site: number;
  readonly gravity: number;
  readonly drag: number;
  readonly name: string;
}

const MAX = { mass: 1e45, length: 1e25, speed: 1e15, phi: 1e9, area: 1e6 } as const;

const refuse = (path: string, value: unknown, expected: string, code = 'OUT_OF_RANGE') => {
  throw validationError(path, `${path} is ${String(value)}; expected ${expected}.`, code);
};

function ranged(value: number, path: string, max: number, min = -max): number {
  // Written so that NaN is refused.
  if (!(value >= min && value <= max)) refuse(path, value, `${min} to ${max}`);
  return value;
}

/** Counted from 0, as in the request and in the quantities. */
const nameOf = (body: BodyInput, i: number) => body.object ?? `body ${i}`;

const FIELD_ONLY = ['location', 'medium', 'phi0', 'dphi0', 'dragArea'] as const;
const GRAVITY_ONLY = ['velocity', 'radius', 'orbit'] as const;

function assertKeys(body: BodyInput, i: number, keys: readonly (keyof BodyInput)[], law: string): void {
  const wrong = keys.find((key) => body[key] !== undefined);
  if (wrong === undefined) return;
  const path = `bodies.${i}.${wrong}`;
  throw validationError(path, `${path} is of another law; these bodies are of ${law}.`, 'NOT_ALLOWED');
}

/** @throws DomainError VALIDATION_FAILED */
export function gravityBodies(
  given: readonly BodyInput[],
  G: number,
  softening: number,
): { readonly bodies: readonly Body[]; readonly dimensions: 2 | 3; readonly notes: readonly string[] } {
  const bodies: Body[] = [];
  for (const [i, body] of given.entries()) {
    assertKeys(body, i, FIELD_ONLY, 'gravity');
    const mass = ranged(body.mass, `bodies.${i}.mass`, MAX.mass, 0);
    const radius = ranged(body.radius ?? 0, `bodies.${i}.radius`, MAX.length, 0);
    const { position, velocity } = body.orbit === undefined ? placed(body, i) : orbiting(body, i, bodies, G);
    bodies.push({ mass, position, velocity, radius, site: 0, gravity: 0, drag: 0, name: nameOf(body, i) });
  }
  if (!bodies.some(({ mass }) => mass > 0)) refuse('bodies.0.mass', 0, 'more than 0 for one body at least');
  const isBarycentric =
    given[0]?.position === undefined &&
    given[0]?.velocity === undefined &&
    given.slice(1).every(({ orbit }) => orbit !== undefined);
  const centred = isBarycentric ? aboutCentre(bodies) : bodies;
  const isFlat =
    given.every(({ position, velocity }) => !(is3d(position) || is3d(velocity))) &&
    centred.every(({ position, velocity }) => position[2] === 0 && velocity[2] === 0);
  const dimensions = isFlat ? 2 : 3;
  assertApart(centred, softening);
  return {
    dimensions,
    bodies: centred.map((body) => ({
      ...body,
      position: body.position.slice(0, dimensions),
      velocity: body.velocity.slice(0, dimensions),
    })),
    notes: isBarycentric ? ['Places are relative to the centre of mass, which is at rest.'] : [],
  };
}

const is3d = (vector: BodyInput['position']) => Array.isArray(vector) && vector.length === 3;

function placed(body: BodyInput, i: number): Pick<Body, 'position' | 'velocity'> {
  const vector = (given: BodyInput['position'], name: string, max: number) => {
    const values = given === undefined ? [] : typeof given === 'number' ? [given] : given;
    return [0, 1, 2].map((k) => ranged(values[k] ?? 0, `bodies.${i}.${name}`, max));
  };
  return {
    position: vector(body.position, 'position', MAX.length),
    velocity: vector(body.velocity, 'velocity', MAX.speed),
  };
}

function orbiting(body: BodyInput, i: number, before: readonly Body[], G: number): Pick<Body, 'position' | 'velocity'> {
  const path = `bodies.${i}.orbit`;
  const { orbit } = body;
  if (body.position !== undefined || body.velocity !== undefined)
    throw validationError(path, `${path} stands beside a position or velocity; expected one of them.`, 'GIVEN_TWICE');
  if (orbit === undefined) throw new Error('An orbit was looked for.');
  const centre = before[orbit.about];
  if (centre === undefined) {
    const many = i === 0 ? 'no orbit of the first body' : `0 to ${i - 1}, an earlier body`;
    throw validationError(`${path}.about`, `${path}.about is ${orbit.about}; expected ${many}.`, 'OUT_OF_RANGE');
  }
  ranged(orbit.a, `${path}.a`, MAX.length, 1e-25);
  if (!(orbit.e >= 0 && orbit.e < 1)) refuse(`${path}.e`, orbit.e, '0 to less than 1');
  for (const name of ['inclination', 'node', 'periapsis', 'anomaly'] as const)
    ranged(orbit[name], `${path}.${name}`, 1e6);
  const mu = G * (centre.mass + body.mass);
  if (!(mu > 0)) refuse(`${path}`, 'about a body without attraction', 'G and a mass above 0');
  const [r, v] = stateOf(orbit, mu);
  return {
    position: r.map((one, k) => one + (centre.position[k] ?? 0)),
    velocity: v.map((one, k) => one + (centre.velocity[k] ?? 0)),
  };
}

function aboutCentre(bodies: readonly Body[]): readonly Body[] {
  const total = bodies.reduce((sum, { mass }) => sum + mass, 0);
  const mean = (of: 'position' | 'velocity') =>
    [0, 1, 2].map((k) => bodies.reduce((sum, body) => sum + (body.mass / total) * (body[of][k] ?? 0), 0));
  const [centre, drift] = [mean('position'), mean('velocity')];
  return bodies.map((body) => ({
    ...body,
    position: body.position.map((one, k) => one - (centre[k] ?? 0)),
    velocity: body.velocity.map((one, k) => one - (drift[k] ?? 0)),
  }));
}

/** Without softening no two bodies are at one place, and no two overlap. */
function assertApart(bodies: readonly Body[], softening: number): void {
  for (const [i, one] of bodies.entries())
    for (const [j, other] of bodies.entries()) {
      if (j <= i) continue;
      const d2 = one.position.reduce(
        (sum, x, k) => sum + (x - (other.position[k] ?? 0)) * (x - (other.position[k] ?? 0)),
        0,
      );
      const touch = one.radius + other.radius;
      const path = `bodies.${j}.position`;
      if (d2 === 0 && softening === 0)
        throw validationError(
          path,
          `bodies.${i} and bodies.${j} are at one place; move one, or give softening.`,
          'COINCIDENT',
        );
      if (touch > 0 && Math.sqrt(d2) <= touch)
        throw validationError(
          path,
          `bodies.${i} and bodies.${j} overlap: their distance is ${Math.sqrt(d2)}, their radii add up to ${touch}.`,
          'OVERLAP',
        );
    }
}

/** @param isSingular  whether bodies at one place have no finite force */
export function fieldBodies(
  given: readonly BodyInput[],
  isSingular: boolean,
  siteOf: (body: BodyInput, mass: number) => Pick<Body, 'gravity' | 'drag'>,
): readonly Body[] {
  const bodies = given.map((body, i): Body => {
    assertKeys(body, i, GRAVITY_ONLY, 'the field');
    const at = `bodies.${i}`;
    if (Array.isArray(body.position) && body.position.length > 1)
      throw validationError(
        `${at}.position`,
        `${at}.position has ${body.position.length} coordinates; the field is on a line.`,
      );
    const site = Array.isArray(body.position) ? (body.position[0] ?? 0) : ((body.position as number | undefined) ?? 0);
    const mass = ranged(body.mass, `${at}.mass`, MAX.mass, 1e-45);
    if (body.dragArea !== undefined) ranged(body.dragArea, `${at}.dragArea`, MAX.area, 0);
    return {
      mass,
      position: [ranged(body.phi0 ?? 0, `${at}.phi0`, MAX.phi)],
      velocity: [ranged(body.dphi0 ?? 0, `${at}.dphi0`, MAX.phi)],
      radius: 0,
      site: ranged(site, `${at}.position`, MAX.phi),
      ...siteOf(body, mass),
      name: nameOf(body, i),
    };
  });
  if (!isSingular) return bodies;
  const places = bodies.map(({ site, position }) => site + (position[0] ?? 0));
  for (const [j, place] of places.entries()) {
    const i = places.indexOf(place);
    if (i < j)
      throw validationError(
        `bodies.${j}.position`,
        `bodies.${i} and bodies.${j} are at one place; move one, or give pairwiseSoftening.`,
        'COINCIDENT',
      );
  }
  return bodies;
}
