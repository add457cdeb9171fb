// Exact displacements of the ready problems, in closed form.

/** Of a plane body: state and constants. */
export interface Elasticity {
  readonly state: 'stress' | 'strain' | 'axisymmetric';
  readonly E: number;
  readonly nu: number;
}

/** The constants of plane stress that give the in-plane solution of a plane state. */
function planeConstants({ state, E, nu }: Elasticity): { readonly E: number; readonly nu: number } {
  return state === 'stress' ? { E, nu } : { E: E / (1 - nu * nu), nu: nu / (1 - nu) };
}

type Displacement = (x: number, y: number) => readonly [number, number];

/**
 * A beam from x = 0 to its length, |y| <= height / 2, with a parabolic shear at its end and the stress of the same solution
 * at the other. Timoshenko & Goodier, Theory of Elasticity (3rd ed., 1970), §21.
 *
 * @param force  at the end, upward, for a thickness of 1 m
 */
export function endLoadDisplacement({
  length,
  height,
  force,
  ...material
}: Elasticity & { readonly length: number; readonly height: number; readonly force: number }): Displacement {
  const { E, nu } = planeConstants(material);
  const inertia = (height * height * height) / 12;
  const factor = force / (6 * E * inertia);
  return (x, y) => [
    -factor * y * ((6 * length - 3 * x) * x + (2 + nu) * (y * y - (height * height) / 4)),
    factor * (3 * nu * y * y * (length - x) + ((4 + 5 * nu) * height * height * x) / 4 + (3 * length - x) * x * x),
  ];
}

/** A tube under inner pressure whose ends are held. Timoshenko & Goodier, §28. */
export function boreDisplacement({
  E,
  nu,
  inner,
  outer,
  pressure,
}: Elasticity & { readonly inner: number; readonly outer: number; readonly pressure: number }): Displacement {
  const factor = (pressure * inner * inner) / (outer * outer - inner * inner);
  return (r) => [((factor * (1 + nu)) / E) * ((1 - 2 * nu) * r + (outer * outer) / r), 0];
}
