// The sealed result of a computation, and the answer of the dimensional gate.

import { z } from 'zod';
import { ERROR_FORMS, type ErrorCode } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { UNCERTAINTY_SOURCES } from '../../core/uncertainty.ts';
import { Definition } from '../../operators/definition.ts';
import { MAX_INLINE_ELEMENTS } from '../../protocol/executed-run.ts';
import { BATCH_TYPE, PAYLOAD_TYPE } from '../../protocol/seal-batch.ts';
import { SealedAxisShape } from '../../protocol/sweep/axes.ts';
import { KeyPrefix, PublicKey, Sha256, Signature, SvcProof, success, Tick } from '../schemas.ts';
import { PlotSchema } from './plot-schema.ts';

const ArrayResult = z
  .strictObject({
    name: z.string(),
    unit: z.string(),
    shape: z.array(z.int().min(0)),
    sha256: Sha256.describe('Of the numbers as little-endian f64, row-major; the seal covers this hash.'),
    data: z.array(z.number()).optional().describe(`Row-major, inline up to ${LIMITS.inlineNumbers} numbers.`),
    base64: z.string().optional().describe('The bytes of a longer array, if self_contained was asked for.'),
    bytes: z.int().optional(),
    href: z
      .string()
      .optional()
      .describe(
        `Where the bytes are, for ${LIMITS.fieldMinutes} minutes, of a filed run for ${LIMITS.fieldDays} days; absent if they could not be stored.`,
      ),
  })
  .meta({ id: 'ArrayResult', description: 'A series or field: inline data, or its bytes, or a link to them.' });

const Seal = z
  .strictObject({
    payloadType: z.enum([PAYLOAD_TYPE, BATCH_TYPE]),
    payload: z
      .string()
      .describe('in-toto Statement v1, or {batch, root, size} of a Merkle tree of statements; base64.'),
    signatures: z.array(Signature).length(1),
    statement: z.string().optional().describe('The statement, base64; only in a batch.'),
    inclusion: z
      .strictObject({ index: z.int().min(0), path: z.array(Sha256) })
      .optional()
      .describe('RFC 6962 inclusion of the statement; only in a batch.'),
  })
  .meta({
    id: 'Seal',
    description: 'DSSE envelope, Ed25519; the keyid is the RFC 7638 thumbprint of a key in the JWKS.',
  });

const Quantity = z.strictObject({
  name: z.string(),
  value: z.number(),
  unit: z.string(),
  uncertainty: z.number().min(0).optional().describe('Absolute half-width; missing for inputs and counts.'),
});

const UncertaintyPart = z
  .strictObject({
    source: z.enum(UNCERTAINTY_SOURCES),
    kind: z.enum(['bound', 'standard']).describe('bound: no error is larger. standard: one standard deviation.'),
    value: z.number().min(0),
    unit: z.string(),
    basis: z.string().describe('In words; not sealed.'),
  })
  .meta({ id: 'UncertaintyPart', description: 'One source of the uncertainty of the value.' });

const Bits = z.string().regex(/^[0-9a-f]{16}$/);

const Verification = z
  .strictObject({
    method: z.string(),
    reference: z.number(),
    reference_bits: Bits,
    value_bits: Bits,
    errorPct: z.number().describe('Measured, in percent of max(|reference|, scale).'),
    ulp: z.number().describe('Distance of value and reference in units in the last place.'),
    observed_order: z.number().optional(),
    rtCorrelation: z
      .number()
      .describe('Correlation of the headline series with the pulse; depends on when the call ran.'),
  })
  .meta({ id: 'Verification', description: 'The same number computed a second way.' });

const InvariantResult = z
  .strictObject({
    name: z.string().describe('Stable identifier.'),
    label: z.string().optional().describe('In words; not sealed.'),
    value: z.number(),
    drift: z.number(),
    bound: z.number(),
    unit: z.string().optional(),
    holds: z.boolean(),
  })
  .meta({ id: 'Invariant' });

const MasterTerm = z.strictObject({
  term: z.string(),
  operator_id: z.string(),
  expression: z.string(),
  value: z.number(),
  unit: z.string(),
  included: z.boolean(),
});

const Inputs = z.record(z.string(), z.unknown());

const ExecutedRun = z
  .strictObject({
    parameters: z.record(z.string(), z.union([z.number(), z.enum(['-0', 'NaN', 'Infinity', '-Infinity'])])),
    inputs: z.record(
      z.string(),
      z.strictObject({
        type: z.enum(['f64', 'i32']),
        length: z.int().min(0),
        sha256: Sha256,
        base64: z
          .string()
          .optional()
          .describe(`Little-endian bytes, up to ${MAX_INLINE_ELEMENTS} elements or if self_contained was asked for.`),
      }),
    ),
    steps: z.number().min(0),
    outputs: z.array(z.string()),
    statistics: z.array(z.string()),
  })
  .meta({
    id: 'ExecutedRun',
    description: 'A kernel run: parameters and arrays by the names that the kernel exports.',
  });

const RunOutcome = z
  .strictObject({
    info: z.int(),
    steps: z.number(),
    views: z.record(z.string(), Sha256),
    statistics: Sha256,
  })
  .meta({ id: 'RunOutcome', description: 'Hashes of the arrays that a run left behind.' });

const UnitsByKey = z.record(z.string(), z.string());

const RowRange = { from: z.int().min(0), to: z.int().min(0) };

const Samples = z
  .strictObject({
    count: z.int().min(1),
    seed: z.int().min(0),
    inputs: z.array(z.strictObject({ name: z.string(), value: z.number(), uncertainty: z.number() })),
    mean: z.number(),
    standard_deviation: z.number().min(0),
    low: z.number(),
    high: z.number().describe('low and high leave 2.5 % of the samples out on each side.'),
    within: z.int().min(0).describe('Samples within the ranges of the inputs.'),
  })
  .meta({ id: 'Samples', description: 'Inputs that were drawn, and statistics of the values.' });

const TableRow = z.array(z.number());

const Table = z
  .strictObject({
    columns: z.array(z.string()).describe('The swept inputs, value, uncertainty.'),
    units: z.array(z.string()),
    shape: z.array(z.int().min(1)).describe('Rows and columns.'),
    sha256: Sha256.describe('Of the numbers as little-endian f64, row-major, with NaN for null.'),
    outline: z
      .strictObject({ first: TableRow, last: TableRow, min: TableRow, max: TableRow })
      .describe('Rows with the first, last, smallest and largest value.'),
    rows: z
      .array(z.array(z.number().nullable()))
      .optional()
      .describe(`Inline up to ${LIMITS.inlineNumbers} numbers; null in a refused row.`),
    base64: z.string().optional(),
    bytes: z.int().optional(),
    href: z.string().optional().describe('Where the bytes of a longer table are.'),
    refused: z.array(z.strictObject({ ...RowRange, code: z.enum(Object.keys(ERROR_FORMS) as ErrorCode[]) })),
    unconverged: z.array(z.strictObject(RowRange)).describe('Rows that did not converge, from 0.'),
  })
  .meta({ id: 'Table', description: 'The value and ± of every point of a sweep.' });

const Selection = z
  .strictObject({
    by: z.enum(['caller', 'wizard']),
    operators: z
      .array(z.strictObject({ operator_id: z.string(), name: z.string(), why: z.string() }))
      .describe('In the order of computation.'),
    also_fit: z.array(z.string()).optional().describe('Other operators that these inputs fit.'),
    chain: z
      .array(z.strictObject({ from: z.string(), to: z.string(), symbol: z.string() }))
      .describe('Values of operators that later ones took as inputs.'),
  })
  .meta({ id: 'Selection', description: 'How the operators of a computation were selected and linked.' });

/** Field of every request that is sealed. */
export const SelfContained = z
  .boolean()
  .optional()
  .describe(
    `Hold all arrays in the receipt instead of links and hashes, up to ${LIMITS.selfContainedBytes} bytes; 413 above.`,
  );

/** Results of some solvers that are no single number; see solvers/findings.ts. */
const FINDINGS = {
  guardState: z.enum(['OK', 'DEGRADED', 'BREACH']).optional().describe('Of protect: state of the guard.'),
  branch: z.enum(['harmonic', 'hyperbolic']).optional().describe('Of protect: solution of the guard equation.'),
  reasons: z.array(z.string()).optional().describe('Of protect: what holds the liveness down, in words; not sealed.'),
  coherenceScore: z.number().min(0).max(1).optional().describe('Of lattice: mean order parameter.'),
  locked: z.boolean().optional().describe('Of lattice: whether all nodes keep one frequency.'),
  nodes: z
    .array(
      z.strictObject({
        domain: z.string().optional(),
        operator_id: z.string().optional(),
        value: z.number().optional(),
        unit: z.string().optional(),
        uncertainty: z.number().min(0).optional(),
        omega: z.number(),
        theta0: z.number(),
        theta: z.number(),
        R_t: z.number(),
      }),
    )
    .optional()
    .describe('Of lattice: each node at the end, with the result of its domain.'),
  lattice_equation: z.string().optional().describe('Of lattice, in words; not sealed.'),
  steps: z
    .array(
      z.strictObject({
        t: z.number(),
        phase: z.number(),
        svcond: Tick,
        R_t: z.number(),
        delta: z.number(),
        S_R_t: z.number(),
      }),
    )
    .optional()
    .describe('Of shift: what the clock reads at each step, and S R(t).'),
};

/** A sealed result, or the dimensional gate's refusal to give a number. */
export const Envelope = success({
  solver: z.string(),
  revision: z.int().min(1).describe('Equal revisions derive equal numbers from equal outputs.'),
  domain: z.string(),
  operatorChain: z.array(z.string()),
  operator_id: z
    .string()
    .describe('The law whose registered definition made the value; otherwise solver:<slug>, or own:<hash>.'),
  value: z.number(),
  unit: z.string(),
  uncertainty: z
    .number()
    .describe('Half-width, in `unit`, of an interval that holds the true value in at least 95 of 100 cases.'),
  uncertainty_budget: z
    .array(UncertaintyPart)
    .describe('Where it comes from: the bounds add up, and twice the root of the sum of the squared standards.'),
  precisionBound: z.number().describe('Relative bound; 1e-4 or what was verified, whichever is larger.'),
  errorPct: z.number().describe('A tolerance ceiling in percent (100 · precisionBound), not an error rate.'),
  converged: z.boolean(),
  tuneStatus: z.enum(['converged', 'not converged']).optional().describe('Of a solver that tunes its own step.'),
  R_t: z.number(),
  phase: z.number().min(0).max(1),
  svcond: Tick,
  masterSum: z.number().describe('R_t · value'),
  master_sum: z.strictObject({ terms: z.array(MasterTerm), total: z.number(), unit: z.string() }),
  E: z.number().describe('Functional equation: R_t · functional.'),
  functional: z.number(),
  equations: z.array(z.string()),
  results: z.array(
    z.strictObject({ operator_id: z.string(), value: z.number(), unit: z.string(), uncertainty: z.number() }),
  ),
  quantities: z.array(Quantity),
  ...FINDINGS,
  series: z.array(ArrayResult),
  fields: z.array(ArrayResult),
  plots: z.array(PlotSchema),
  trajectory_sha256: Sha256,
  verification: Verification,
  invariants: z.array(InvariantResult),
  kernel_sha256: Sha256,
  seed: z.number(),
  inputs: Inputs,
  consts: z.record(z.string(), z.number()),
  units: UnitsByKey.optional().describe('Units of inputs not given in the declared unit.'),
  uncertainties: z.record(z.string(), z.number()).optional().describe('Standard uncertainties of inputs.'),
  detail: z.literal('full').optional(),
  as: z.string().optional().describe('Unit of the value that was asked for.'),
  solve_for: z.string().optional().describe('The input that was asked for; quantities lists every root.'),
  complete: z
    .boolean()
    .optional()
    .describe('Whether it is proved that no other number in the range of the unknown is a root.'),
  sweep: z
    .array(SealedAxisShape)
    .optional()
    .describe('Swept inputs, the first outermost; the value and all other fields are of the last row with a value.'),
  samples: Samples.optional(),
  table: Table.optional(),
  selection: Selection.optional(),
  definitions: z
    .array(
      Definition.meta({ id: 'OperatorDefinition', description: 'Everything the value of an operator depends on.' }),
    )
    .describe("Definitions of the chain's operators at the time of computation."),
  phi0: z.number().optional().describe('Phase of KO42 in rad, unless it is 0.'),
  runs: z.array(ExecutedRun).describe('Kernel runs as executed: with the kernel, all that a replay needs.'),
  outcomes: z.array(RunOutcome).describe('What each run left behind.'),
  stamps: z
    .array(z.string())
    .length(7)
    .describe('Unix nanoseconds at SELECT, BIND, VALIDATE, COMPUTE, VERIFY, PULSE, RETURN.'),
  alpha_eff: z.number().optional(),
  cko: z.strictObject({ metric_shift: z.strictObject({ delta_alpha: z.number(), variance: z.number() }) }).optional(),
  svcProof: SvcProof,
  version: z.literal('v2'),
  keyPrefix: KeyPrefix,
  epoch: z.int(),
  notes: z.array(z.string()),
  billing: z.strictObject({ tokens: z.int() }),
  run_id: z.string().optional(),
  receipts: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('Receipts of the laws whose results entered the inputs; the inputs hold their hashes.'),
  public_key: PublicKey,
  seal: Seal,
}).meta({ id: 'Envelope', description: 'A sealed, replayable result.' });

export const Gate = success({
  solver: z.string(),
  domain: z.string(),
  operatorChain: z.array(z.string()),
  value: z.null(),
  value_repr: z.literal('NaN'),
  unit: z.string(),
  gate: z.strictObject({
    ok: z.literal(false),
    reason: z.string(),
    unrecognised: z.array(z.string()),
    accepted: UnitsByKey.describe('Accepted keys and their units.'),
    conflicts: z
      .record(z.string(), UnitsByKey)
      .optional()
      .describe('Ambiguous keys: the unit that each operator expects.'),
  }),
  R_t: z.number(),
  phase: z.number(),
  svcond: Tick,
  svcProof: SvcProof,
  version: z.literal('v1'),
  keyPrefix: KeyPrefix,
  epoch: z.int(),
  billing: z.strictObject({ tokens: z.literal(0) }),
}).meta({
  id: 'Gate',
  description: 'The dimensional gate: an unknown or ambiguous key in `inputs`. Nothing was computed.',
});

export const EnvelopeOrGate = z.union([Envelope, Gate]);
