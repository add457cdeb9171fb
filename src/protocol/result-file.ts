// Result files (`svc-result/1`): a result that a program saved, with all that a re-run needs. It holds the sealed
// envelope if a service sealed one, otherwise the pure fields, which anybody can have changed.

import { ABI_VERSION } from '../kernels/abi.ts';
import type { Solution } from '../solvers/definition.ts';
import type { PureFields } from './pure-fields.ts';
import type { Untrusted } from './untrusted.ts';

export const RESULT_FORMAT = 'svc-result/1';

/** An array that is too long for the result, which holds its hash. */
interface LongArray {
  readonly name: string;
  readonly sha256: string;
  readonly data: readonly number[];
}

export interface ResultFile {
  readonly format: typeof RESULT_FORMAT;
  /** As a service answered it. */
  readonly envelope?: Untrusted;
  /** Without an envelope: the pure fields, as computed here. */
  readonly result?: PureFields;
  readonly arrays: readonly LongArray[];
  /** For readers of the file; a replay ignores it, and no signature covers it. */
  readonly not_signed: {
    readonly kernel: { readonly slug: string; readonly sha256: string; readonly abi: number };
    readonly input_units: Readonly<Record<string, string>>;
  };
}

export interface SavedRun {
  readonly pure: PureFields;
  readonly solution: Solution;
  /** Slug of the kernel. */
  readonly kernel: string;
  /** The sealed envelope of the same result. */
  readonly envelope: Untrusted | undefined;
  /** By input, as far as the inputs have units. */
  readonly inputUnits: Readonly<Record<string, string>>;
}

export function resultFileOf({ pure, solution, kernel, envelope, inputUnits }: SavedRun): ResultFile {
  const arrays = [...pure.series, ...pure.fields].flatMap(({ name, sha256 }) => {
    const field = [...solution.series, ...solution.fields].find((one) => one.name === name);
    return sha256 === undefined || field === undefined
      ? []
      : [{ name, sha256, data: Array.from(field.data, positive) }];
  });
  return {
    format: RESULT_FORMAT,
    ...(envelope === undefined ? { result: pure } : { envelope }),
    arrays,
    not_signed: { kernel: { slug: kernel, sha256: pure.kernel_sha256, abi: ABI_VERSION }, input_units: inputUnits },
  };
}

/** JSON has no −0, and the hash is that of the numbers with 0 in its place. */
const positive = (value: number) => value + 0;
