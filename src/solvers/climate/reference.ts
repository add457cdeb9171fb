// The break of a dam on a flat bed, exactly: Ritter's solution for a dry bed below it, Stoker's for a wet one.
//
// Ritter, Z. Ver. Dtsch. Ing. 36 (1892) 947; Stoker, Water Waves (1957), §10.8. The middle depth solves 2 (c_L − c) = (h −
// h_R) √(g/2 (1/h + 1/h_R)), whose sides fall and rise with h: bisection to the last bit.

export interface DamBreak {
  /** Depth and velocity between the rarefaction and the bore; of a dry bed, 0 and the speed of the front. */
  readonly middle: number;
  readonly velocity: number;
  /** Speed of the bore or of the dry front. */
  readonly front: number;
  /** Energy over density and breadth that the bore takes in a second; none without water below. */
  readonly loss: number;
  /** Depth at distance x right of the dam. */
  depthAt(x: number, t: number): number;
}

/** @param left  > right >= 0 */
export function damBreak(left: number, right: number, g: number): DamBreak {
  const c = Math.sqrt(g * left);
  const middle = right === 0 ? 0 : middleDepth(left, right, g);
  const velocity = 2 * (c - Math.sqrt(g * middle));
  const front = right === 0 ? velocity : (middle * velocity) / (middle - right);
  const tail = velocity - Math.sqrt(g * middle);
  return {
    middle,
    velocity,
    front,
    // What passes the bore is right · front, and each m² of it loses g (h − h_R)³ / (4 h h_R) (Stoker, §10.6).
    loss: right === 0 ? 0 : (0.25 * g * front * (middle - right) * (middle - right) * (middle - right)) / middle,
    depthAt: (x, t) => {
      if (x <= -c * t) return left;
      if (x >= front * t) return right;
      if (x >= tail * t) return middle;
      const wave = 2 * c - x / t;
      return (wave * wave) / (9 * g);
    },
  };
}

function middleDepth(left: number, right: number, g: number): number {
  const rising = (h: number) =>
    (h - right) * Math.sqrt(0.5 * g * (1 / h + 1 / right)) - 2 * (Math.sqrt(g * left) - Math.sqrt(g * h));
  let [low, high] = [right, left];
  for (let i = 0; i < 200; i++) {
    const half = 0.5 * (low + high);
    if (half <= low || half >= high) break;
    if (rising(half) < 0) low = half;
    else high = half;
  }
  return high;
}
