// Axial forces of a frame by statics of the first order, and the check that it is no mechanism.

import { validationError } from '../parts/errors.ts';
import { firstColumns, Skyline } from '../parts/skyline.ts';
import type { Frame, FrameMember } from './frame.ts';
import { type Numbering, numberingOf } from './numbering.ts';
import { memberStiffness } from './stability-functions.ts';

export interface AxialForces {
  /** Compression of each member: held, and for a factor of 1. */
  readonly held: Float64Array;
  readonly varied: Float64Array;
  /** Largest force that is out of balance at a node, over the largest load. */
  readonly imbalance: number;
}

/** Adds a matrix of a piece whose unknowns are `freedoms[6 e …]`. */
export function addPiece(matrix: Skyline, freedoms: Int32Array, e: number, piece: Float64Array): void {
  for (let i = 0; i < 6; i++) {
    const a = freedoms[6 * e + i] ?? -1;
    if (a < 0) continue;
    for (let j = 0; j < 6; j++) {
      const b = freedoms[6 * e + j] ?? -1;
      if (b >= 0 && b <= a) matrix.add(a, b, piece[6 * i + j] ?? 0);
    }
  }
}

export function addJointSprings(matrix: Skyline, { nodes }: Frame, { joints }: Numbering, unit?: number): void {
  for (const [i, { springs }] of nodes.entries())
    for (let d = 0; d < 3; d++) {
      const a = joints[3 * i + d] ?? -1;
      const stiffness = springs[d] ?? 0;
      if (a >= 0 && stiffness > 0) matrix.add(a, a, unit ?? stiffness);
    }
}

/** A pivot below this part of its diagonal, in a frame of members of unit stiffness, shows a mechanism. */
const SINGULAR = 1e-11;

/** @throws DomainError VALIDATION_FAILED: a mechanism */
export function axialForces(frame: Frame): AxialForces {
  const numbering = numberingOf(frame, () => 1);
  const { freedoms, unknowns, members: owner, joints } = numbering;
  const first = firstColumns(freedoms, unknowns);
  assertNoMechanism(frame, numbering, first);
  const matrix = new Skyline(first);
  const pieces = owner.map((index) => memberStiffness({ ...memberAt(frame, index), compression: 0 }));
  for (const [e, piece] of pieces.entries()) addPiece(matrix, freedoms, e, piece);
  addJointSprings(matrix, frame, numbering);
  matrix.factor();
  const forcesOf = (isHeld: boolean) => {
    const force = new Float64Array(unknowns);
    let largest = 0;
    for (const load of frame.loads) {
      if (load.isHeld !== isHeld) continue;
      for (let d = 0; d < 3; d++) {
        const a = joints[3 * load.node + d] ?? -1;
        largest = Math.max(largest, Math.abs(load.force[d] ?? 0));
        if (a >= 0) force[a] = (force[a] ?? 0) + (load.force[d] ?? 0);
      }
    }
    const x = matrix.solve(force);
    const left = Float64Array.from(force);
    const apply = () => {
      for (const [e, piece] of pieces.entries())
        for (let i = 0; i < 6; i++) {
          const a = freedoms[6 * e + i] ?? -1;
          if (a < 0) continue;
          for (let j = 0; j < 6; j++) {
            const b = freedoms[6 * e + j] ?? -1;
            if (b >= 0) left[a] = (left[a] ?? 0) - (piece[6 * i + j] ?? 0) * (x[b] ?? 0);
          }
        }
      for (const [i, { springs }] of frame.nodes.entries())
        for (let d = 0; d < 3; d++) {
          const a = joints[3 * i + d] ?? -1;
          if (a >= 0) left[a] = (left[a] ?? 0) - (springs[d] ?? 0) * (x[a] ?? 0);
        }
    };
    apply();
    // One step of iterative refinement.
    for (const [i, dx] of matrix.solve(left).entries()) x[i] = (x[i] ?? 0) + dx;
    left.set(force);
    apply();
    const out = left.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    const compression = Float64Array.from(frame.members, ({ length, cosine, sine, EA }, index) => {
      const at = (i: number) => {
        const a = freedoms[6 * index + i] ?? -1;
        return a < 0 ? 0 : (x[a] ?? 0);
      };
      return (-EA / length) * (cosine * (at(3) - at(0)) + sine * (at(4) - at(1)));
    });
    // What is rounding would make a bar that carries nothing the first to buckle.
    const floor = 1e-12 * compression.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    return { compression: compression.map((one) => (Math.abs(one) <= floor ? 0 : one)), out, largest };
  };
  const [held, varied] = [forcesOf(true), forcesOf(false)];
  const scale = Math.max(held.largest, varied.largest);
  const imbalance = Math.max(held.out, varied.out) / scale;
  return { held: held.compression, varied: varied.compression, imbalance };
}

const NO_MEMBER: FrameMember = {
  from: 0,
  to: 0,
  length: 1,
  cosine: 1,
  sine: 0,
  EI: 1,
  EA: 1,
  hingeFrom: false,
  hingeTo: false,
};

export const memberAt = (frame: Frame, index: number): FrameMember => frame.members[index] ?? NO_MEMBER;

/** Motions without strain do not depend on how stiff the members are: all are made equally stiff. */
function assertNoMechanism(frame: Frame, numbering: Numbering, first: Int32Array): void {
  const { freedoms, members: owner, joints } = numbering;
  const matrix = new Skyline(first);
  for (const [e, index] of owner.entries()) {
    const member = memberAt(frame, index);
    const length = member.length / frame.extent;
    addPiece(
      matrix,
      freedoms,
      e,
      memberStiffness({ ...member, length, EI: length * length * length, EA: length, compression: 0 }),
    );
  }
  addJointSprings(matrix, frame, numbering, 1);
  const { smallest, row } = matrix.factor();
  if (smallest > SINGULAR) return;
  const joint = joints.indexOf(row);
  const where =
    joint >= 0
      ? `node ${Math.floor(joint / 3) + 1} can ${['move along x', 'move along y', 'turn'][joint % 3]}`
      : 'a member can turn';
  const message = `nodes: the frame is a mechanism: ${where} without strain. Hold it, or take out a hinge.`;
  throw validationError('nodes', message, 'MECHANISM');
}
