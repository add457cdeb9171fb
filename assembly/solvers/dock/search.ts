// Basin hopping: chains of local minima, each from a random start, joined by random moves and Metropolis' rule.
//
// Wales & Doye, J. Phys. Chem. A 101 (1997) 5111. The draws of a chain are numbers of its own stream, so that they are a
// function of seed, search and chain.
import { allocateF64 } from '../../kernel';
import { normalPair, uniformPair } from '../../numerics/random';
import { copyValues, get, set } from '../../numerics/vector';
import { ATOM_COLUMNS, Bodies } from './bodies';
import { Energy, evaluate } from './energy';
import { FREEDOM, movePose, POSE, setUniformOrientation } from './pose';

/** Draws of a start inside the box, of which the first without a clash is taken, else the best. */
const START_TRIALS: i32 = 24;
const CLASH: f64 = 50;
/** Distance of two atoms of a start on the surface, in sigma. */
const CONTACT: f64 = 1;
/** Shares of moves that turn the ligand to any orientation, and that take it round the receptor. */
const REORIENT: f64 = 0.2;
const ROUND: f64 = 0.35;

export class Search {
  static temperature: f64 = 1;
  static hopLength: f64 = 0.4;
  /** Radians. */
  static hopAngle: f64 = 0.8;
  static number: u32 = 0;
  static stream: u32 = 0;
  static draws: u64 = 0;
}

const PAIR: usize = memory.data(16, 16);
const MOVE: usize = memory.data(48, 16);
const CENTRE: usize = memory.data(24, 16);
let scratch: usize = 0;
let gradient: usize = 0;

export function allocateSearch(): bool {
  scratch = allocateF64(POSE);
  gradient = allocateF64(FREEDOM);
  return scratch !== 0 && gradient !== 0;
}

export function startSearch(): void {
  for (let d = 0; d < 3; d++) {
    let sum: f64 = 0;
    for (let j = 0; j < Bodies.receptorAtoms; j++) sum += get(Bodies.receptor, j * ATOM_COLUMNS + d);
    set(CENTRE, d, sum / <f64>Bodies.receptorAtoms);
  }
}

export function startChain(chain: i32): void {
  Search.stream = (Search.number << 20) + <u32>chain;
  Search.draws = 0;
}

function drawUniforms(): void {
  uniformPair(PAIR, Search.stream, Search.draws++);
}

function drawNormals(): void {
  normalPair(PAIR, Search.stream, Search.draws++);
}

function drawOrientation(pose: usize): void {
  drawUniforms();
  const u = get(PAIR, 0);
  const v = get(PAIR, 1);
  drawUniforms();
  setUniformOrientation(pose, u, v, get(PAIR, 0));
}

/** A start: in turn on the surface of the receptor and anywhere in the box; with a box of the caller always in it. */
export function drawStart(pose: usize, chain: i32): void {
  if (!Energy.isBoxed && !Energy.isVina && chain % 2 === 0) {
    drawContact(pose);
    return;
  }
  let best = Infinity;
  for (let trial = 0; trial < START_TRIALS; trial++) {
    drawUniforms();
    set(scratch, 0, get(Energy.box, 0) + (2 * get(PAIR, 0) - 1) * get(Energy.box, 3));
    set(scratch, 1, get(Energy.box, 1) + (2 * get(PAIR, 1) - 1) * get(Energy.box, 4));
    drawUniforms();
    set(scratch, 2, get(Energy.box, 2) + (2 * get(PAIR, 0) - 1) * get(Energy.box, 5));
    drawOrientation(scratch);
    const energy = evaluate(scratch, gradient);
    if (energy < best || trial === 0) {
      best = energy;
      copyValues(pose, scratch, POSE);
    }
    // Without an interaction there is no way to the receptor either.
    if (best < CLASH && best < -1e-6) return;
  }
}

/** Any orientation, moved along any direction from far away until two atoms touch. */
function drawContact(pose: usize): void {
  drawOrientation(pose);
  drawUniforms();
  const z = 2 * get(PAIR, 0) - 1;
  const rim = Math.sqrt(1 - z * z);
  const angle = 2 * Math.PI * get(PAIR, 1);
  const nx = rim * Math.cos(angle);
  const ny = rim * Math.sin(angle);
  for (let d = 0; d < 3; d++) set(pose, d, get(CENTRE, d));
  evaluate(pose, gradient);
  let furthest: f64 = 0;
  for (let i = 0; i < Bodies.ligandAtoms; i++) {
    for (let j = 0; j < Bodies.receptorAtoms; j++) {
      const px = get(Bodies.placed, 3 * i) - get(Bodies.receptor, j * ATOM_COLUMNS);
      const py = get(Bodies.placed, 3 * i + 1) - get(Bodies.receptor, j * ATOM_COLUMNS + 1);
      const pz = get(Bodies.placed, 3 * i + 2) - get(Bodies.receptor, j * ATOM_COLUMNS + 2);
      const along = px * nx + py * ny + pz * z;
      const square = CONTACT * CONTACT - (px * px + py * py + pz * pz) + along * along;
      if (square >= 0) furthest = Math.max(furthest, Math.sqrt(square) - along);
    }
  }
  set(pose, 0, get(CENTRE, 0) + furthest * nx);
  set(pose, 1, get(CENTRE, 1) + furthest * ny);
  set(pose, 2, get(CENTRE, 2) + furthest * z);
}

/** A random move of a pose: a new orientation, a way round the receptor, or a small displacement with a rotation. */
export function hop(pose: usize): void {
  drawUniforms();
  const kind = get(PAIR, 0);
  if (kind < REORIENT) {
    drawOrientation(pose);
    return;
  }
  if (kind < ROUND && !Energy.isBoxed && !Energy.isVina) {
    turnRound(pose);
    return;
  }
  for (let k = 0; k < FREEDOM; k += 2) {
    drawNormals();
    const sizeOf = k < 3 ? Search.hopLength : Search.hopAngle * Bodies.lever;
    const sizeOfNext = k + 1 < 3 ? Search.hopLength : Search.hopAngle * Bodies.lever;
    set(MOVE, k, sizeOf * get(PAIR, 0));
    set(MOVE, k + 1, sizeOfNext * get(PAIR, 1));
  }
  movePose(pose, pose, MOVE, 1);
}

/** The same distance from the middle of the receptor in another direction, with another orientation. */
function turnRound(pose: usize): void {
  let square: f64 = 0;
  for (let d = 0; d < 3; d++) square += (get(pose, d) - get(CENTRE, d)) * (get(pose, d) - get(CENTRE, d));
  const distance = Math.sqrt(square);
  drawUniforms();
  const z = 2 * get(PAIR, 0) - 1;
  const rim = Math.sqrt(1 - z * z);
  const angle = 2 * Math.PI * get(PAIR, 1);
  set(pose, 0, get(CENTRE, 0) + distance * rim * Math.cos(angle));
  set(pose, 1, get(CENTRE, 1) + distance * rim * Math.sin(angle));
  set(pose, 2, get(CENTRE, 2) + distance * z);
  drawOrientation(pose);
}

/** Metropolis' rule for a change of the energy. */
export function isAccepted(change: f64): bool {
  drawUniforms();
  return change <= 0 || get(PAIR, 0) < Math.exp(-change / Search.temperature);
}
