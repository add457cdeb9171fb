// Local variables of a compiled function: their numbers, in the order of creation after the parameters.

import type { ValueType } from './encoding.ts';

export class Locals {
  readonly types: ValueType[] = [];
  readonly #parameters: number;

  /** @param parameters  number of parameters, which are the first local variables */
  constructor(parameters: number) {
    this.#parameters = parameters;
  }

  add(type: ValueType): number {
    return this.#parameters + this.types.push(type) - 1;
  }
}
