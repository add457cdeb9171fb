// The Lennard-Jones energy between all atoms of two bodies: 4 (r^-12 - r^-6), in units of the well depth and of sigma.
//
// Exact for r² >= CORE. Below, a pair goes on along its tangent in r²: the energy stays continuous with its slope, and
// falls with the distance everywhere, so that no false minimum lies inside a core. Two receptor atoms at once; sums in a
// fixed order.
import { laneSum } from '../../numerics/simd';
import { Bodies } from './bodies';

/** (0.35 sigma)²: 1.2e6 well depths. */
const CORE: f64 = 0.1225;
// Constants of a pair, from memory: literals would be rebuilt in every turn of the loop.
const CONSTANTS: usize = memory.data<f64>([CORE, 1, 0.5, 6]);

/** Energy of the ligand as placed; writes its slopes. */
export function lennardJones(): f64 {
  const core = v128.load_splat<f64>(CONSTANTS);
  const one = v128.load_splat<f64>(CONSTANTS, 8);
  const half = v128.load_splat<f64>(CONSTANTS, 16);
  const six = v128.load_splat<f64>(CONSTANTS, 24);
  let energy = f64x2.splat(0);
  let place = Bodies.placed;
  let slope = Bodies.slopes;
  const end = (<usize>Bodies.padded) << 3;
  const rx = Bodies.rx;
  const ry = Bodies.ry;
  const rz = Bodies.rz;
  for (let i = 0; i < Bodies.ligandAtoms; i++) {
    const x = v128.load_splat<f64>(place);
    const y = v128.load_splat<f64>(place, 8);
    const z = v128.load_splat<f64>(place, 16);
    let gx = f64x2.splat(0);
    let gy = f64x2.splat(0);
    let gz = f64x2.splat(0);
    for (let j: usize = 0; j < end; j += 16) {
      const dx = f64x2.sub(x, v128.load(rx + j));
      const dy = f64x2.sub(y, v128.load(ry + j));
      const dz = f64x2.sub(z, v128.load(rz + j));
      const r2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz));
      const u = f64x2.pmax(core, r2);
      const s = f64x2.div(one, u);
      const s3 = f64x2.mul(f64x2.mul(s, s), s);
      // Of the energy over 4, and of its slope by r² over 24, negative.
      const e = f64x2.mul(s3, f64x2.sub(s3, one));
      const f = f64x2.mul(f64x2.mul(s3, f64x2.sub(s3, half)), s);
      // u - r² is positive inside a core only: e + 6 f (u - r²).
      const depth = f64x2.mul(six, f64x2.mul(f, f64x2.sub(u, r2)));
      energy = f64x2.add(energy, f64x2.add(e, depth));
      gx = f64x2.add(gx, f64x2.mul(f, dx));
      gy = f64x2.add(gy, f64x2.mul(f, dy));
      gz = f64x2.add(gz, f64x2.mul(f, dz));
    }
    store<f64>(slope, -48 * laneSum(gx));
    store<f64>(slope, -48 * laneSum(gy), 8);
    store<f64>(slope, -48 * laneSum(gz), 16);
    place += 24;
    slope += 24;
  }
  return 4 * laneSum(energy);
}
