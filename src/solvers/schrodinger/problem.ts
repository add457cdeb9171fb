// The problem of a request: ħ²/2m, the coefficients of the potential, and the walls.

import { validationError } from '../parts/errors.ts';
import type { SchrodingerInput } from './inputs.ts';
import { KIND, type Potential } from './potential.ts';
import { type Program, programOf } from './program.ts';
import { closedFormLevels } from './reference.ts';
import { UNITS, type Units } from './units.ts';
import { automaticWalls } from './walls.ts';

export interface Problem extends Potential {
  readonly units: Units;
  readonly hbar: number;
  readonly xmin: number;
  readonly xmax: number;
  /** Whether each wall is part of the potential; otherwise it only cuts off a tail. */
  readonly isPhysicalWall: readonly [left: boolean, right: boolean];
  /** Exact energies of the requested bound states, or undefined without a closed form. */
  readonly exact: readonly number[] | undefined;
  readonly program: Program | undefined;
}

/** @throws DomainError VALIDATION_FAILED naming the field, EXPRESSION_INVALID */
export function problemOf(input: SchrodingerInput): Problem {
  const units = UNITS[input.units];
  if (input.units === 'eV-nm' && input.hbar !== undefined) {
    throw validationError(
      'hbar',
      `hbar is ${input.hbar}; with units eV-nm it is the physical constant and must not be given.`,
    );
  }
  const hbar = input.hbar ?? units.hbar;
  const kinetic = input.units === 'atomic' ? (0.5 * hbar * hbar) / input.mass : units.electronKinetic / input.mass;
  const potential = { l: 0, lambda: 0, ...coefficients(input, units, kinetic, hbar), kinetic };
  const exact = closedFormLevels(potential, input.states);
  if (exact?.length === 0) {
    throw validationError('D', `D is ${input.D}: the well has no bound state; sqrt(2 m D) > ħ alpha / 2 is required.`);
  }
  return {
    ...potential,
    units,
    hbar,
    exact,
    ...walls(input, potential, exact),
    program: potential.kind === KIND.expression ? customProgram(input, hbar, kinetic) : undefined,
  };
}

type Coefficients = Pick<Potential, 'kind' | 'c1' | 'c2'> & Partial<Potential>;

function coefficients(input: SchrodingerInput, units: Units, kinetic: number, hbar: number): Coefficients {
  const { omega, L, V0, a, D, alpha, g, F, Z, l, lambda } = input;
  const spring = (hbar * hbar * omega * omega) / (4 * kinetic); // m ω² / 2
  switch (input.potential) {
    case 'infinite_well':
      return { kind: KIND.box, c1: L, c2: 0 };
    case 'harmonic':
      if (omega === 0) throw validationError('omega', 'omega is 0; the harmonic potential requires omega > 0.');
      return { kind: KIND.polynomial, c1: spring, c2: 0 };
    case 'quartic':
      if (omega === 0 && g === 0) throw validationError('g', 'g and omega are both 0; at least one must be positive.');
      return { kind: KIND.polynomial, c1: spring, c2: g };
    case 'double_well':
      return { kind: KIND.doubleWell, c1: V0, c2: a };
    case 'finite_well':
      return { kind: KIND.finiteWell, c1: V0, c2: a };
    case 'morse':
      return { kind: KIND.morse, c1: D, c2: alpha };
    case 'hydrogen':
      return { kind: KIND.coulomb, c1: Z * units.coulomb, c2: kinetic * l * (l + 1), l };
    case 'linear':
      return { kind: KIND.linear, c1: F, c2: 0 };
    case 'poschl_teller':
      return { kind: KIND.poschlTeller, c1: kinetic * alpha * alpha * lambda * (lambda + 1), c2: alpha, lambda };
    case 'custom':
      return { kind: KIND.expression, c1: 0, c2: 0 };
  }
}

/** Potentials with a physical wall at x = 0. */
const HALF_LINE: ReadonlySet<number> = new Set([KIND.coulomb, KIND.linear]);

function walls(
  input: SchrodingerInput,
  potential: Potential,
  exact: readonly number[] | undefined,
): Pick<Problem, 'xmin' | 'xmax' | 'isPhysicalWall'> {
  const { kind } = potential;
  if (kind === KIND.box) {
    for (const field of ['xmin', 'xmax'] as const) {
      if (input[field] === undefined) continue;
      throw validationError(
        field,
        `${field} is ${input[field]}; the infinite well extends from 0 to L; give L instead.`,
      );
    }
    return { xmin: 0, xmax: input.L, isPhysicalWall: [true, true] };
  }
  const hasWall = HALF_LINE.has(kind);
  if (hasWall && input.xmin !== undefined && input.xmin !== 0) {
    throw validationError('xmin', `xmin is ${input.xmin}; the ${input.potential} potential has its wall at 0.`);
  }
  if (kind === KIND.expression) {
    for (const field of ['xmin', 'xmax'] as const) {
      if (input[field] !== undefined) continue;
      throw validationError(field, `${field} is missing; a custom potential requires xmin and xmax.`, 'MISSING');
    }
  }
  const isGiven = input.xmin !== undefined && input.xmax !== undefined;
  const box =
    isGiven || kind === KIND.expression ? { xmin: 0, xmax: 0 } : automaticWalls(potential, input.states, exact);
  const xmin = hasWall ? 0 : (input.xmin ?? box.xmin);
  const xmax = input.xmax ?? box.xmax;
  if (!(xmax > xmin)) throw validationError('xmax', `xmax is ${xmax}; it must be greater than xmin = ${xmin}.`);
  if (!Number.isFinite(xmax - xmin)) {
    const weak = `The ${input.potential} potential is too weak to place its walls`;
    throw validationError('xmax', `${weak}: computed ${xmin} and ${xmax}; give xmin and xmax.`);
  }
  return { xmin, xmax, isPhysicalWall: [hasWall, false] };
}

/** @throws DomainError EXPRESSION_INVALID, VALIDATION_FAILED if it is missing */
function customProgram(input: SchrodingerInput, hbar: number, kinetic: number): Program {
  if (input.expression === undefined) {
    throw validationError(
      'expression',
      'expression is missing; a custom potential requires an expression in x.',
      'MISSING',
    );
  }
  // The mass in units of ħ and the length, so that mass*omega^2*x^2/2 is an energy in both unit systems.
  const mass = (hbar * hbar) / (2 * kinetic);
  const { omega, L, V0, a, D, alpha, l, Z, g, F, lambda } = input;
  return programOf(input.expression, { mass, hbar, omega, L, V0, a, D, alpha, l, Z, g, F, lambda });
}
