// Result files (`svc-result/2`): a result that a program saved, with all that a re-run needs. It holds the sealed
// envelope if a service sealed one, otherwise the pure fields, which anybody can have changed.

import { ABI_VERSION } from '../kernels/abi.ts';
import type { Solution } from '../solvers/definition.ts';
import type { NumericArray } from './array-digest.ts';
import type { PureFields } from './pure-fields.ts';
import { arrayTable, withArrays } from './self-contained.ts';
import type { Untrusted } from './untrusted.ts';

export const RESULT_FORMAT = 'svc-result/2';

export interface ResultFile {
  readonly format: typeof RESULT_FORMAT;
  /** As a service answered it, with the bytes of its arrays. */
  readonly envelope?: Untrusted;
  /** Without an envelope: the pure fields, as computed here, with the bytes of their arrays. */
  readonly result?: Untrusted;
  /** For readers of the file; a replay ignores it, and no signature covers it. */
  readonly not_signed: {
    readonly kernel: { readonly slug: string; readonly sha256: string; readonly abi: number };
    readonly input_units: Readonly<Record<string, string>>;
  };
}

export interface SavedRun {
  readonly pure: PureFields;
  readonly solution: Pick<Solution, 'series' | 'fields' | 'table'>;
  /** Input arrays of the runs that the pure fields hold only by hash. */
  readonly runArrays: readonly NumericArray[];
  /** Slug of the kernel. */
  readonly kernel: string;
  /** The sealed envelope of the same result. */
  readonly envelope: Untrusted | undefined;
  /** By input, as far as the inputs have units. */
  readonly inputUnits: Readonly<Record<string, string>>;
}

export function resultFileOf(run: SavedRun): ResultFile {
  const { pure, kernel, envelope, inputUnits } = run;
  return {
    format: RESULT_FORMAT,
    ...(envelope === undefined
      ? { result: completeReceipt({ ...pure }, run) }
      : { envelope: completeReceipt(envelope, run) }),
    not_signed: { kernel: { slug: kernel, sha256: pure.kernel_sha256, abi: ABI_VERSION }, input_units: inputUnits },
  };
}

/** The receipt of a run with the bytes of every array. */
export function completeReceipt(
  envelope: Untrusted,
  { solution: { series, fields, table }, runArrays }: Pick<SavedRun, 'solution' | 'runArrays'>,
): Untrusted {
  return withArrays(
    envelope,
    arrayTable(
      [...series, ...fields].map(({ data }) => data),
      table === undefined ? runArrays : [...runArrays, table.data],
    ),
  );
}
