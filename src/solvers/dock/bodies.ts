// Bodies of the program: small rigid clusters of Lennard-Jones atoms, in units of sigma.
//
// Edges of the polyhedra are 2^(1/6), where a pair has its minimum. lj7 and lj13 are the minima of free clusters of 7 and 13
// atoms: a pentagonal bipyramid (ring and half axis of least energy) and a centred icosahedron (radius (2A/B)^(1/6) with A
// and B its sums of r^-12 and r^-6), found with 30 digits.

export const BODY_NAMES = [
  'tetrahedron',
  'atom',
  'dimer',
  'triangle',
  'square',
  'octahedron',
  'ico13',
  'lj7',
  'lj13',
] as const;

export type BodyName = (typeof BODY_NAMES)[number];
export type Place = readonly [x: number, y: number, z: number];

const EDGE = 1.122462048309373;
const HALF = EDGE / 2;
/** Of a tetrahedron inside a cube, and of an octahedron: edge / √8 and edge / √2. */
const CUBE = EDGE / (2 * Math.SQRT2);
const AXIS = EDGE / Math.SQRT2;
/** Vertices of an icosahedron on the unit sphere: 1 / √(1 + φ²) and φ / √(1 + φ²). */
const [SHORT, LONG] = [0.5257311121191336, 0.8506508083520399];
const RADIUS_13 = 1.0818382885513658;
const RING_7 = 0.9562063096026524;
const AXIS_7 = 0.5738701692194005;
/** Cosines and sines of multiples of 72 degrees. */
const PENTAGON: readonly (readonly [number, number])[] = [
  [1, 0],
  [0.3090169943749474, 0.9510565162951535],
  [-0.8090169943749475, 0.5877852522924731],
  [-0.8090169943749475, -0.5877852522924731],
  [0.3090169943749474, -0.9510565162951535],
];

const icosahedron = (radius: number): readonly Place[] => {
  const places: Place[] = [[0, 0, 0]];
  for (const a of [SHORT * radius, -SHORT * radius])
    for (const b of [LONG * radius, -LONG * radius]) places.push([0, a, b], [b, 0, a], [a, b, 0]);
  return places;
};

const BODIES: Readonly<Record<BodyName, () => readonly Place[]>> = {
  atom: () => [[0, 0, 0]],
  dimer: () => [
    [-HALF, 0, 0],
    [HALF, 0, 0],
  ],
  triangle: () => [
    [-HALF, -HALF / SQRT_3, 0],
    [HALF, -HALF / SQRT_3, 0],
    [0, EDGE / SQRT_3, 0],
  ],
  square: () => [
    [-HALF, -HALF, 0],
    [HALF, -HALF, 0],
    [HALF, HALF, 0],
    [-HALF, HALF, 0],
  ],
  tetrahedron: () => [
    [CUBE, CUBE, CUBE],
    [CUBE, -CUBE, -CUBE],
    [-CUBE, CUBE, -CUBE],
    [-CUBE, -CUBE, CUBE],
  ],
  octahedron: () => [
    [AXIS, 0, 0],
    [-AXIS, 0, 0],
    [0, AXIS, 0],
    [0, -AXIS, 0],
    [0, 0, AXIS],
    [0, 0, -AXIS],
  ],
  ico13: () => icosahedron(1),
  lj7: () => [...PENTAGON.map(([c, s]): Place => [RING_7 * c, RING_7 * s, 0]), [0, 0, AXIS_7], [0, 0, -AXIS_7]],
  lj13: () => icosahedron(RADIUS_13),
};

const SQRT_3 = 1.7320508075688772;

export const bodyOf = (name: BodyName): readonly Place[] => BODIES[name]();
