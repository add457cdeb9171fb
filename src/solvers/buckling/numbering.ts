// Unknowns of a frame whose members are divided into equal pieces: inner nodes of one member after the other, then joints.

import type { Frame, FrameMember } from './frame.ts';

export interface Numbering {
  readonly unknowns: number;
  /** Of each piece, six: u, v and rotation at both ends, −1 where held. */
  readonly freedoms: Int32Array;
  /** The member of each piece. */
  readonly members: readonly number[];
  /** Of each node, three. */
  readonly joints: Int32Array;
}

export function numberingOf(frame: Frame, piecesOf: (member: FrameMember, index: number) => number): Numbering {
  const { nodes, members } = frame;
  let next = 0;
  const inner = members.map((member, index) => {
    const pieces = piecesOf(member, index);
    const hingeFrom = member.hingeFrom ? next++ : -1;
    const first = next;
    next += 3 * (pieces - 1);
    const hingeTo = member.hingeTo ? next++ : -1;
    return { pieces, first, hingeFrom, hingeTo };
  });
  const joints = new Int32Array(3 * nodes.length).fill(-1);
  for (const [i, { held, springs }] of nodes.entries()) {
    // Hinges on all sides leave no rotation of the joint.
    const turns = members.some((one) => (one.from === i && !one.hingeFrom) || (one.to === i && !one.hingeTo));
    for (let d = 0; d < 3; d++) {
      const isNeeded = d < 2 || turns || (springs[2] ?? 0) > 0;
      if (!held[d] && isNeeded) joints[3 * i + d] = next++;
    }
  }
  const freedoms: number[] = [];
  const owner: number[] = [];
  for (const [index, { from, to }] of members.entries()) {
    const { pieces = 1, first = 0, hingeFrom = -1, hingeTo = -1 } = inner[index] ?? {};
    for (let k = 0; k < pieces; k++) {
      for (const end of [k, k + 1]) {
        const isInner = end > 0 && end < pieces;
        const node = end === 0 ? from : to;
        const hinge = end === 0 ? hingeFrom : hingeTo;
        for (let d = 0; d < 3; d++) {
          if (isInner) freedoms.push(first + 3 * (end - 1) + d);
          else freedoms.push(d === 2 && hinge >= 0 ? hinge : (joints[3 * node + d] ?? -1));
        }
      }
      owner.push(index);
    }
  }
  return { unknowns: next, freedoms: Int32Array.from(freedoms), members: owner, joints };
}
