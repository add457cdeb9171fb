// The problem of a request: rates, groups, windows and start; rejects fields that do not fit together.

import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';
import type { EpiInput } from './inputs.ts';
import { type Observations, observationsOf } from './observations.ts';
import { type Defaults, PRESETS, type Window } from './presets.ts';
import { type Matrix, spectralRadius } from './reproduction.ts';

export interface Problem {
  readonly hasExposed: boolean;
  readonly beta: number;
  readonly gamma: number;
  /** 0 without an exposed state. */
  readonly sigma: number;
  readonly mu: number;
  readonly omega: number;
  readonly days: number;
  /** In the order of time. */
  readonly windows: readonly Window[];
  /** People of each group, and of all. */
  readonly sizes: readonly number[];
  readonly people: number;
  readonly contacts: Matrix;
  /** Infectious, exposed and immune of each group at the start; the others are susceptible. */
  readonly infectious: readonly number[];
  readonly exposed: readonly number[];
  readonly immune: readonly number[];
  readonly times: Float64Array;
  /** Number of stochastic runs, 0 for none. */
  readonly runs: number;
  /** Counts that decide some of the parameters. */
  readonly observations?: Observations | undefined;
}

/** @throws DomainError VALIDATION_FAILED */
export function problemOf(input: EpiInput): Problem {
  const preset: Defaults = PRESETS[input.preset];
  const { model = preset.model } = input;
  const hasExposed = model === 'seir';
  const observations = observationsOf(input, preset, hasExposed);
  const days = daysOf(input, preset, observations);
  const {
    gamma = preset.gamma,
    mu = preset.mu ?? 0,
    waning = preset.waning ?? 0,
    ensemble = preset.ensemble ?? 0,
  } = input;
  const sigma = hasExposed ? (input.sigma ?? preset.sigma) : 0;
  const { sizes, contacts } = groupsOf(input, preset);
  const people = sizes.reduce((sum, size) => sum + size, 0);
  const start = startOf(input, preset, hasExposed, sizes, people, ensemble > 0 && observations === undefined);
  const problem = { hasExposed, gamma, sigma, mu, omega: waning, days, sizes, people, contacts, ...start };
  const { samples } = input;
  return {
    ...problem,
    beta: betaOf(input, preset, problem),
    windows: windowsOf(input.windows ?? preset.windows ?? [], days),
    times: Float64Array.from({ length: samples }, (_, i) => (i === samples - 1 ? days : (days * i) / (samples - 1))),
    runs: observations === undefined ? ensemble : runsBeside(input),
    observations,
  };
}

/** A forecast of half as many days again, unless the length is given. */
function daysOf({ days, cases }: EpiInput, preset: Defaults, observations: Observations | undefined): number {
  if (observations === undefined) return days ?? preset.days;
  const { lastDay } = observations;
  const length = days ?? (cases === undefined ? preset.days : 1.5 * lastDay);
  if (length >= lastDay) return length;
  throw validationError('days', `days is ${length}; the cases last until day ${lastDay}.`, 'TOO_SHORT', { lastDay });
}

function runsBeside({ ensemble = 0 }: EpiInput): number {
  if (ensemble === 0) return 0;
  throw validationError('ensemble', `ensemble is ${ensemble}; expected 0 beside cases, which a curve is fitted to.`);
}

/** R0 over β times the spectral radius of the contacts: the infectious days, and the share that lives to see them. */
export const infectiousDays = ({
  gamma,
  sigma,
  mu,
  hasExposed,
}: Pick<Problem, 'gamma' | 'sigma' | 'mu' | 'hasExposed'>) => (hasExposed ? sigma / (sigma + mu) : 1) / (gamma + mu);

function betaOf(
  { R0, beta }: EpiInput,
  preset: Defaults,
  problem: Pick<Problem, 'gamma' | 'sigma' | 'mu' | 'hasExposed' | 'contacts'>,
): number {
  if (R0 !== undefined && beta !== undefined)
    throw validationError('R0', `R0 is ${R0} and beta is ${beta}; expected one of them.`, 'GIVEN_TWICE');
  if (beta !== undefined) return beta;
  const { value } = spectralRadius(problem.contacts);
  if (value === 0) throw validationError('contacts', 'contacts lets nobody infect anybody; give beta instead of R0.');
  return (R0 ?? preset.R0) / infectiousDays(problem) / value;
}

function groupsOf(input: EpiInput, preset: Defaults): { readonly sizes: readonly number[]; readonly contacts: Matrix } {
  const isGiven = input.contacts !== undefined || input.N !== undefined;
  const sizes = input.groups ?? (isGiven ? undefined : preset.groups);
  const contacts = input.contacts ?? (sizes === undefined ? undefined : preset.contacts);
  if (sizes === undefined) {
    if (contacts !== undefined)
      throw validationError('groups', 'groups is missing; contacts needs the sizes.', 'MISSING');
    return { sizes: [input.N ?? preset.N], contacts: [[1]] };
  }
  if (contacts === undefined)
    throw validationError('contacts', `contacts is missing; groups has ${sizes.length} sizes.`, 'MISSING');
  const { people: max } = LIMITS.epi;
  for (const [g, size] of sizes.entries())
    if (!(size >= 1 && size <= max))
      throw validationError(`groups.${g}`, `groups.${g} is ${size}; expected 1 to ${max} people.`, 'OUT_OF_RANGE');
  const sum = sizes.reduce((total, size) => total + size, 0);
  if (input.N !== undefined && input.N !== sum)
    throw validationError('N', `N is ${input.N}; the groups have ${sum} people.`, 'COUNTS_DIFFER', { sum });
  assertMatrix(contacts, sizes.length);
  return { sizes, contacts };
}

const MAX_CONTACTS = 1e4;

function assertMatrix(contacts: Matrix, groups: number): void {
  if (contacts.length !== groups || contacts.some((row) => row.length !== groups)) {
    const got = `${contacts.length} rows of ${contacts.map((row) => row.length).join(', ')}`;
    throw validationError('contacts', `contacts has ${got}; expected ${groups} rows of ${groups}.`, 'COUNTS_DIFFER');
  }
  for (const [g, row] of contacts.entries())
    for (const [h, rate] of row.entries())
      if (!(rate >= 0 && rate <= MAX_CONTACTS)) {
        const path = `contacts.${g}.${h}`;
        throw validationError(path, `${path} is ${rate}; expected 0 to ${MAX_CONTACTS}.`, 'OUT_OF_RANGE');
      }
}

type Start = Pick<Problem, 'infectious' | 'exposed' | 'immune'>;

function startOf(
  input: EpiInput,
  preset: Defaults,
  hasExposed: boolean,
  sizes: readonly number[],
  people: number,
  isWhole: boolean,
): Start {
  const { I0 = preset.I0, immune = preset.immune ?? 0 } = input;
  const E0 = input.E0 ?? (hasExposed ? (preset.E0 ?? 0) : 0);
  if (E0 > 0 && !hasExposed)
    throw validationError('E0', `E0 is ${E0}; the model sir has nobody exposed.`, 'NOT_ALLOWED');
  const infected = I0 + E0;
  if (infected > people) {
    const field = I0 > people ? 'I0' : 'E0';
    const message = `I0 + E0 is ${infected}; at most the population of ${people} can be infected.`;
    throw validationError(field, message, 'MORE_THAN_N', { people });
  }
  const atMost = 1 - infected / people;
  if (immune * people > people - infected) {
    const message = `immune is ${immune}; ${infected} of ${people} are infected, so at most ${atMost} is immune.`;
    throw validationError('immune', message, 'MORE_THAN_N', { max: atMost });
  }
  if (!isWhole) {
    const shared = (total: number) => sizes.map((size) => total * (size / people));
    return { infectious: shared(I0), exposed: shared(E0), immune: shared(immune * people) };
  }
  for (const [field, value] of [
    ['N', people],
    ['I0', I0],
    ['E0', E0],
  ] as const)
    if (!Number.isInteger(value)) {
      const message = `${field} is ${value}; an ensemble counts whole people.`;
      throw validationError(field, message, 'NOT_WHOLE');
    }
  const broken = sizes.findIndex((size) => !Number.isInteger(size));
  if (broken >= 0)
    throw validationError(
      `groups.${broken}`,
      `groups.${broken} is ${sizes[broken]}; an ensemble counts whole people.`,
      'NOT_WHOLE',
    );
  const infectious = wholeShares(I0, sizes);
  const exposed = wholeShares(
    E0,
    sizes.map((size, g) => size - (infectious[g] ?? 0)),
  );
  const left = sizes.map((size, g) => size - (infectious[g] ?? 0) - (exposed[g] ?? 0));
  return { infectious, exposed, immune: wholeShares(Math.round(immune * people), left) };
}

/** A whole number shared by size, in whole numbers and none above its size: the largest remainders get what is left. */
export function wholeShares(total: number, sizes: readonly number[]): readonly number[] {
  const sum = sizes.reduce((all, size) => all + size, 0);
  const exact = sizes.map((size) => (sum === 0 ? 0 : (total * size) / sum));
  const shares = exact.map((share, g) => Math.min(Math.floor(share), sizes[g] ?? 0));
  const order = exact
    .map((share, g) => ({ g, rest: share - Math.floor(share) }))
    .sort((a, b) => b.rest - a.rest || a.g - b.g);
  let left = total - shares.reduce((all, share) => all + share, 0);
  for (let turn = 0; left > 0 && turn < 2 * order.length; turn++) {
    const { g } = order[turn % order.length] ?? { g: 0 };
    if ((shares[g] ?? 0) >= (sizes[g] ?? 0)) continue;
    shares[g] = (shares[g] ?? 0) + 1;
    left--;
  }
  return shares;
}

const MAX_FACTOR = 100;
const MAX_VACCINATION = 10;

function windowsOf(given: readonly Window[], days: number): readonly Window[] {
  const sorted = given.map((window, i) => ({ ...window, i })).sort((a, b) => a.from - b.from || a.i - b.i);
  for (const { from, to, factor, vaccination, i } of sorted) {
    const at = `windows.${i}`;
    const refuse = (field: string, value: number, allowed: string, code = 'OUT_OF_RANGE') => {
      throw validationError(`${at}.${field}`, `${at}.${field} is ${value}; expected ${allowed}.`, code);
    };
    if (!(from >= 0 && from < days)) refuse('from', from, `0 to less than ${days}, the length of the run`);
    if (!(to > from && to <= days)) refuse('to', to, `more than from = ${from}, and at most ${days}`);
    if (!(factor >= 0 && factor <= MAX_FACTOR)) refuse('factor', factor, `0 to ${MAX_FACTOR}`);
    if (!(vaccination >= 0 && vaccination <= MAX_VACCINATION))
      refuse('vaccination', vaccination, `0 to ${MAX_VACCINATION} 1/day`);
  }
  for (const [k, window] of sorted.entries()) {
    const before = sorted[k - 1];
    if (before === undefined || window.from >= before.to) continue;
    const message = `windows.${window.i} begins on day ${window.from}; windows.${before.i} ends on day ${before.to}: they must not overlap.`;
    throw validationError(`windows.${window.i}.from`, message, 'OVERLAP');
  }
  return sorted.map(({ from, to, factor, vaccination }) => ({ from, to, factor, vaccination }));
}

/** The window that holds a time; a window begins at its first moment and ends before its last. */
export const windowAt = ({ windows }: Pick<Problem, 'windows'>, t: number): Pick<Window, 'factor' | 'vaccination'> =>
  windows.find(({ from, to }) => t >= from && t < to) ?? { factor: 1, vaccination: 0 };
