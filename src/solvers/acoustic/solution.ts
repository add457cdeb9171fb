// Builds the solution from the kernel outputs: modes, their ±, shapes, and the response at a place.

import { ROUNDOFF } from '../../core/decimal-error.ts';
import { exp, log } from '../../core/elementary.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import type { Field } from '../field.ts';
import { exactly, field, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { estimateOf, tripleOf } from '../parts/refinement.ts';
import type { Plot } from '../plot.ts';
import { boxModes } from './correction.ts';
import { type DampedModes, dampedModes } from './damped.ts';
import { type Enclosure, enclosureOf } from './enclosure.ts';
import type { AcousticFace } from './face.ts';
import type { AcousticInput } from './inputs.ts';
import type { Mesh } from './mesh.ts';
import type { Mode } from './mode.ts';
import { type Problem, problemOf } from './problem.ts';
import { boxFrequencies, discFrequencies } from './reference.ts';
import { dampedResponseOf, nodalPoints, pictureOf, responseOf } from './response.ts';

const EMPTY = new Float64Array();
const LOG_RATIO = 0.5 * log(2);
/** Relative: rounding and the iteration, whose error enters squared. */
const ROUNDING = 1e-12;
/** Relative: a disc is a polygon of many corners. */
const CORNERS = 1e-6;
const EQUAL = { box: 1e-7, cut: 2e-3 } as const;

export function solutionOf(outputs: readonly KernelOutput<AcousticFace>[], input: AcousticInput): Solution {
  const problem = problemOf(input);
  const [mesh] = problem.meshes as [Mesh];
  const { views } = outputOf(outputs, 0);
  const damped = problem.walls === undefined ? undefined : dampedModes(problem, mesh, outputs);
  const all =
    damped?.modes ?? (problem.isBox ? modesOfBox(problem, mesh, views) : modesOfOutline(problem, mesh, outputs, input));
  const found = upTo(input.f_max, all, input.mode);
  const own = found[input.mode - 1] ?? lostMode(problem, mesh, input.mode);
  const enclosure = frequenciesAbout(problem, own, input.mode);
  const chosen = enclosure === undefined ? own : enclosed(own, enclosure);
  const modes = found.map((mode) => (mode === own ? chosen : mode));
  const isWitnessed = problem.outline === undefined || enclosure !== undefined;
  const value = chosen.frequency;
  const judges = judgesOf(problem, input);
  const errorOf = ({ frequency, error }: Mode) => error + (ROUNDING + problem.speedError) * frequency;
  const budget = uncertain([
    bound('discretisation', chosen.error, judges.basis),
    bound('rounding', ROUNDING * value, 'sums, and what the iteration left'),
    bound('model', problem.speedError * value, 'speed of sound in air, within 0.1 %'),
  ]);
  const isConnected =
    damped !== undefined ||
    !problem.isClosed ||
    outputs.every((one) => (one.views.eigenvalues?.[1] ?? 0) > 1e-9 / problem.volume);
  // The modes computed must reach beyond f_max, or some below it may be missing.
  const isWhole = input.f_max === undefined || (all[all.length - 1]?.frequency ?? 0) > input.f_max;
  const drawn = drawingOf(problem, mesh, modes, chosen, damped);
  const numbers = (read: (mode: Mode, i: number) => number) => Float64Array.from(modes, read);
  const tolerance = problem.isBox ? EQUAL.box : EQUAL.cut;
  const isEqual = (a: Mode, b: Mode) => Math.abs(a.frequency - b.frequency) <= tolerance * a.frequency;
  const invariants = damped?.invariants ?? invariantsOf(problem, mesh, outputs);
  const axes = problem.isBox ? (['nx', 'ny', 'nz'] as const).slice(0, problem.dimensions) : [];
  return {
    value,
    ...budget,
    bound: budget.uncertainty / value,
    converged: outputs.every(({ info }) => info === 0) && isConnected && chosen.isRegular && isWitnessed && isWhole,
    witness: {
      method: judges.method,
      reference: chosen.reference,
      scale: value,
      ...(chosen.order === undefined ? {} : { observedOrder: chosen.order }),
    },
    invariants,
    series: [
      series(
        'mode',
        '1',
        numbers((_, i) => i + 1),
      ),
      series(
        'frequency',
        'Hz',
        numbers(({ frequency }) => frequency),
      ),
      series('uncertainty', 'Hz', numbers(errorOf)),
      series(
        'frequency_on_grid',
        'Hz',
        numbers(({ onGrid }) => onGrid),
      ),
      series(
        'multiplicity',
        '1',
        numbers((mode) => modes.filter((one) => isEqual(one, mode)).length),
      ),
      series(
        'quality_factor',
        '1',
        numbers(({ frequency, decay }) => (Math.PI * frequency) / decay),
      ),
      ...(damped === undefined
        ? []
        : [
            series(
              'decay_rate',
              '1/s',
              numbers(({ decay }) => decay),
            ),
            series(
              'reverberation_time',
              's',
              numbers(({ decay }) => (3 * log(10)) / decay),
            ),
          ]),
      ...axes.map((name, d) =>
        series(
          name,
          '1',
          numbers(({ halfWaves }) => halfWaves[d] ?? 0),
        ),
      ),
      ...drawn.series,
    ],
    fields: drawn.fields,
    plots: [
      ...drawn.plots,
      {
        kind: 'table',
        title: 'Modes',
        columns: [
          'mode',
          'frequency',
          'uncertainty',
          'multiplicity',
          ...axes,
          'quality_factor',
          ...(damped ? ['reverberation_time'] : []),
        ],
      },
      { kind: 'line', title: 'Response at the microphone, dB', x: 'response_frequency', y: ['response_level'] },
    ],
    quantities: [...quantitiesOf(problem, input, mesh, chosen, damped, residualOf(invariants)), ...boundsOf(enclosure)],
    operatorInputs: chosen.halfWaves.length > 0 ? { WM1: waveOf(problem, chosen) } : {},
    functional: value,
    notes: notesOf(problem, { isConnected, isWhole, isWitnessed, isEnclosed: isWithin(own, enclosure) }, damped?.lost),
  };
}

/** Wave numbers of a mode of a box. */
function waveOf({ speed, lengths }: Problem, { halfWaves }: Mode): Readonly<Record<string, number>> {
  const [kx, ky, kz] = [0, 1, 2].map((d) => (Math.PI * (halfWaves[d] ?? 0)) / (lengths[d] ?? 1));
  return { c: speed, kx: kx ?? 0, ky: ky ?? 0, kz: kz ?? 0 };
}

/** In words: the witness, and what ± comes from. */
function judgesOf(
  { walls, isBox }: Problem,
  { shape }: AcousticInput,
): { readonly method: string; readonly basis: string } {
  if (walls !== undefined) {
    const method = 'transcendental equation of each axis';
    return { method, basis: `the ${method}` };
  }
  if (shape === 'disc') return { method: 'zeros of Bessel functions', basis: 'the zeros of Bessel functions' };
  return isBox
    ? { method: 'closed form', basis: 'the closed form' }
    : {
        method: 'bounds from both sides by finite elements on triangles',
        basis: 'three grids, and bounds by triangles',
      };
}

/** Bounds of the frequency of an outline, in Hz; undefined where there are none. */
function frequenciesAbout(
  { outline, isClosed, speed }: Problem,
  { frequency }: Mode,
  mode: number,
): Enclosure | undefined {
  if (outline === undefined || !(frequency > 0)) return undefined;
  const wave = (2 * Math.PI * frequency) / speed;
  const found = enclosureOf(outline.polygon, outline.isOpen, mode + Number(isClosed), wave * wave);
  return found && { low: hertz(found.low, speed), high: hertz(found.high, speed) };
}

/** Whether the value is within its ± of the bounds. */
const isWithin = ({ frequency, error }: Mode, enclosure: Enclosure | undefined): boolean =>
  enclosure === undefined || (frequency + error >= enclosure.low && frequency - error <= enclosure.high);

/**
 * A mode between its bounds. Grids that are wrong in the same way may agree with each other, but not with these; where the
 * bounds are closer than the grids, ± comes from them. The reference is the place between them that is nearest.
 */
function enclosed(mode: Mode, enclosure: Enclosure): Mode {
  const { frequency, error } = mode;
  const { low, high } = enclosure;
  const far = Math.max(frequency - low, high - frequency);
  const reference = Math.min(Math.max(frequency, low), high);
  const isInside = reference === frequency;
  const isConfirmed = isWithin(mode, enclosure);
  return {
    ...mode,
    reference,
    error: isInside ? Math.min(error, far) : Math.max(error, isConfirmed ? 0 : far),
    isRegular: mode.isRegular && isConfirmed,
  };
}

const boundsOf = (enclosure: Enclosure | undefined): readonly Quantity[] =>
  enclosure === undefined
    ? []
    : [exactly('lower_bound', enclosure.low, 'Hz'), exactly('upper_bound', enclosure.high, 'Hz')];

/** The modes up to a frequency; at least that of the value. */
function upTo(top: number | undefined, modes: readonly Mode[], mode: number): readonly Mode[] {
  if (top === undefined) return modes;
  const count = modes.filter(({ frequency }) => frequency <= top).length;
  return modes.slice(0, Math.max(count, mode));
}

/** A mode that walls have taken away: nothing is known of its frequency. */
function lostMode({ speed, lengths, rt60 }: Problem, { volumes }: Mesh, mode: number): Mode {
  const frequency = (mode * speed) / (2 * Math.max(...lengths));
  const decay = (3 * log(10)) / rt60;
  const known = { reference: frequency, error: frequency, isRegular: false, decay, decayError: decay };
  return { frequency, onGrid: frequency, ...known, halfWaves: [], shape: new Float64Array(volumes.length).fill(1) };
}

interface Findings {
  readonly isConnected: boolean;
  readonly isWhole: boolean;
  readonly isWitnessed: boolean;
  readonly isEnclosed: boolean;
}

function notesOf(
  { speedError, isBox }: Problem,
  { isConnected, isWhole, isWitnessed, isEnclosed }: Findings,
  lost: number | undefined,
): string[] {
  return [
    ...(isBox ? [] : ['± comes from three grids; cells are cut by the outline.']),
    ...(isWitnessed ? [] : ['The outline is too thin for bounds by triangles: nothing confirms the grids.']),
    ...(isEnclosed ? [] : ['Bounds by triangles contradict the grids: take more cells.']),
    ...(speedError > 0 ? ['Speed of sound of an ideal gas; ± takes 0.1 % for it.'] : []),
    ...(isConnected ? [] : ['The grid parts the cavity: more cells are needed in its narrow places.']),
    ...(isWhole ? [] : ['More modes may lie below f_max than were computed.']),
    ...(lost === undefined
      ? ['Frequencies are those without losses; damping enters Q and the response only.']
      : [
          'Modes are followed from rigid walls, or from open ones where |ζ| < 1; Q and the response are those of the walls.',
        ]),
    ...(lost ? [`${lost} of the modes followed decay without ringing, or have no end: they are left out.`] : []),
  ];
}

const hertz = (lambda: number, speed: number) => (speed * Math.sqrt(Math.max(0, lambda))) / (2 * Math.PI);

const losses = ({ rt60 }: Problem) => ({ decay: (3 * log(10)) / rt60, decayError: 0 });

type Views = KernelOutput<AcousticFace>['views'];

function modesOfBox(problem: Problem, mesh: Mesh, { eigenvalues = EMPTY, shapes = EMPTY }: Views): Mode[] {
  const { lengths, ends, speed, isClosed } = problem;
  const skipped = Number(isClosed);
  const n = mesh.volumes.length;
  const found = boxModes(mesh, ends, eigenvalues.slice(skipped), shapes.slice(skipped * n));
  const exact = boxFrequencies(lengths, ends, speed, problem.modes);
  return found.map(({ lambda, lastTerm, onGrid, halfWaves, shape }, i) => {
    const frequency = hertz(lambda, speed);
    const reference = exact[i] ?? Number.NaN;
    // What the series left out is smaller than its last term.
    const rest = 0.5 * lastTerm * mesh.spacings.reduce((h, one) => Math.max(h, one * one), 0) * frequency * 0.2;
    return {
      frequency,
      onGrid: hertz(onGrid, speed),
      reference,
      error: Math.max(Math.abs(frequency - reference), Math.min(rest, (0.5 * lastTerm * frequency) / lambda)),
      isRegular: Math.abs(frequency - reference) <= 0.01 * frequency,
      ...losses(problem),
      halfWaves,
      shape,
    };
  });
}

function modesOfOutline(
  problem: Problem,
  mesh: Mesh,
  outputs: readonly KernelOutput<AcousticFace>[],
  { shape: kind, lx }: AcousticInput,
): Mode[] {
  const n = mesh.volumes.length;
  const skipped = Number(problem.isClosed);
  const shapes = outputOf(outputs, 0).views.shapes ?? EMPTY;
  const on = (grid: number, i: number) =>
    hertz(outputOf(outputs, grid).views.eigenvalues?.[i + skipped] ?? Number.NaN, problem.speed);
  const { order: maxOrder, speed, modes, isClosed } = problem;
  const maxPower = maxOrder === 2 ? 2 : exp(maxOrder * LOG_RATIO);
  const exact = kind === 'disc' ? discFrequencies(lx, !isClosed, speed, modes) : undefined;
  return Array.from({ length: modes }, (_, i) => {
    const triple = tripleOf([on(0, i), on(1, i), on(2, i)]);
    const [frequency] = triple;
    const estimate = estimateOf(triple, frequency, { logRatio: LOG_RATIO, maxOrder, maxPower });
    // Of an outline, until its bounds are known.
    const reference = exact?.[i] ?? Number.NaN;
    const distance = Math.abs(frequency - reference);
    return {
      frequency,
      onGrid: frequency,
      reference,
      error:
        (exact === undefined ? estimate.error + 1e-7 * frequency : distance) +
        CORNERS * frequency * Number(exact !== undefined),
      isRegular:
        exact === undefined ? estimate.isRegular || estimate.error < 0.02 * frequency : distance <= 0.02 * frequency,
      order: estimate.order,
      ...losses(problem),
      halfWaves: [],
      shape: shapes.slice((i + skipped) * n, (i + skipped + 1) * n),
    };
  });
}

function invariantsOf(
  problem: Problem,
  { volumes }: Mesh,
  outputs: readonly KernelOutput<AcousticFace>[],
): readonly Invariant[] {
  const missed = outputs.reduce((sum, { statistics: { counted = 0, expected = 0 } }) => sum + counted - expected, 0);
  const residuals = outputs.map(({ views }) =>
    (views.residuals ?? EMPTY).reduce((most, one) => Math.max(most, one), 0),
  );
  const { shapes = EMPTY, eigenvalues = EMPTY } = outputOf(outputs, 0).views;
  const n = volumes.length;
  let skew = 0;
  for (let a = 0; a < eigenvalues.length; a++)
    for (let b = 0; b <= a; b++) {
      let sum = a === b ? -1 : 0;
      for (let i = 0; i < n; i++) sum += (volumes[i] ?? 0) * (shapes[a * n + i] ?? 0) * (shapes[b * n + i] ?? 0);
      skew = Math.max(skew, Math.abs(sum));
    }
  const value = eigenvalues.length;
  const common = [
    { name: 'mode_count', label: 'frequencies missed, by the inertia', value, drift: missed, bound: 0 },
    { name: 'residual', label: 'residual of the modes', value, drift: Math.max(...residuals), bound: 1e-8 },
    { name: 'orthogonality', label: 'modes are orthogonal', value, drift: skew, bound: 1e-10 },
  ];
  if (!problem.isClosed) return common;
  const zero = (eigenvalues[0] ?? Number.NaN) / (eigenvalues[1] ?? Number.NaN);
  return [...common, { name: 'zero_mode', label: 'constant pressure at 0 Hz', value, drift: zero, bound: 1e-10 }];
}

/** Of every eigenvalue that was found, at most. */
const residualOf = (invariants: readonly Invariant[]) => invariants.find(({ name }) => name === 'residual')?.drift ?? 1;

function quantitiesOf(
  problem: Problem,
  input: AcousticInput,
  mesh: Mesh,
  chosen: Mode,
  damped: DampedModes | undefined,
  residual: number,
): readonly Quantity[] {
  const { speed, speedError, volume, dimensions } = problem;
  const rt60 = damped === undefined ? problem.rt60 : (3 * log(10)) / chosen.decay;
  const relative = chosen.decayError / chosen.decay + speedError;
  const rt60Error = input.rt60 === undefined || damped !== undefined ? relative + ROUNDING : ROUNDOFF;
  // Without a mode nothing is known of its frequency.
  const frequencyError = Math.min(1, chosen.error / chosen.frequency + ROUNDING + speedError);
  const onGridError = frequencyError === 1 ? 1 : residual + ROUNDING + speedError;
  const quality = (Math.PI * chosen.frequency * rt60) / (3 * log(10));
  const schroeder = 2000 * Math.sqrt(rt60 / volume);
  return [
    quantity('frequency_on_grid', chosen.onGrid, 'Hz', onGridError * chosen.onGrid),
    quantity('speed_of_sound', speed, 'm/s', (speedError + 1e-14) * speed),
    quantity('reverberation_time', rt60, 's', rt60Error * rt60),
    ...(damped === undefined ? [] : [quantity('decay_rate', chosen.decay, '1/s', relative * chosen.decay)]),
    quantity('quality_factor', quality, '1', (frequencyError + rt60Error) * quality),
    ...(dimensions === 3 && damped === undefined
      ? [quantity('schroeder_frequency', schroeder, 'Hz', (0.5 * rt60Error + ROUNDING) * schroeder)]
      : []),
    exactly('chosen_mode', input.mode, '1'),
    exactly('cells', mesh.volumes.length, '1'),
  ];
}

function drawingOf(
  problem: Problem,
  mesh: Mesh,
  modes: readonly Mode[],
  { shape }: Mode,
  damped: DampedModes | undefined,
) {
  const { data, nx, ny, x, y } = pictureOf(mesh, shape);
  const { source, microphone, volume, isClosed } = problem;
  const parts = modes.map((mode) => ({
    frequency: mode.frequency,
    source: mode.shape[source] ?? 0,
    microphone: mode.shape[microphone] ?? 0,
  }));
  const constant = { frequency: 0, source: 1 / Math.sqrt(volume), microphone: 1 / Math.sqrt(volume) };
  const { frequencies, levels } =
    damped === undefined
      ? responseOf(isClosed ? [constant, ...parts] : parts, (3 * log(10)) / problem.rt60)
      : dampedResponseOf(
          damped.poles,
          1.1 * modes.reduce((most, { frequency }) => Math.max(most, frequency), 1),
          problem.speed,
        );
  const response: Field[] = [series('response_frequency', 'Hz', frequencies), series('response_level', '1', levels)];
  if (problem.dimensions === 1)
    return {
      series: [series('x', 'm', x), series('pressure', '1', data), ...response],
      fields: [],
      plots: [{ kind: 'line', title: 'Pressure of the mode', x: 'x', y: ['pressure'] }] as Plot[],
    };
  const { xs, ys } = nodalPoints(mesh, shape);
  const hasNodes = xs.length > 0;
  const title = hasNodes ? 'Pressure of the mode and its nodal lines' : 'Pressure of the mode';
  const map: Plot = { kind: 'field', title, x: 'x', y: 'y', values: 'pressure' };
  const plots: Plot[] = [
    {
      ...map,
      ...(hasNodes ? { over: { x: 'nodal_x', y: 'nodal_y' } } : {}),
      ...(problem.isBox ? {} : { blank: 'zero' }),
    },
  ];
  return {
    series: [
      series('x', 'm', x),
      series('y', 'm', y),
      ...(hasNodes ? [series('nodal_x', 'm', xs), series('nodal_y', 'm', ys)] : []),
      ...response,
    ],
    fields: [field('pressure', '1', [ny, nx], data)],
    plots,
  };
}
