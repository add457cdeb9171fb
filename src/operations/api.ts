// Types of the API, from the operations list: input and JSON response by operation name.

import type { z } from 'zod';
import type { OPERATIONS } from './index.ts';
import type { Frozen } from './operation.ts';

type AnyOperation = (typeof OPERATIONS)[number];

/** Operations that respond with JSON. */
type JsonOperation = Extract<AnyOperation, { readonly output: z.ZodType }>;

/** Without `undefined`, which JSON lacks. */
type Json<T> = T extends object ? { [K in keyof T]: Json<Exclude<T[K], undefined>> } : T;

/** `Api['machine.get']` is `{input, output}`. */
export type Api = {
  readonly [Each in JsonOperation as Each['name']]: {
    readonly input: Frozen<z.input<Each['input']>>;
    readonly output: Json<z.output<Each['output']>>;
  };
};

/** Name of an operation that responds with JSON. */
export type ApiName = keyof Api;

/** Input of an operation before its defaults. */
export type ApiInput<Name extends ApiName> = Api[Name]['input'];

/** Response of an operation. */
export type ApiOutput<Name extends ApiName> = Api[Name]['output'];
