// Shape: a law as text in which symbols are identified by dimension and position instead of by name.

import { isDimensionless, printDimension } from '../../core/units/dimension.ts';
import { canonical } from './canonical.ts';
import { type ColourNames, shapeText } from './colouring.ts';
import { printNumber } from './normal-form.ts';
import type { PreparedOperator } from './prepared-operator.ts';

export interface Shape {
  /** Equal for renamed, commuted and rewritten copies. */
  readonly exact: string;
  /** Equal also where only literals differ. */
  readonly masked: string;
  /** Dimensionless laws often share a masked shape by chance. */
  readonly isDimensionless: boolean;
}

export function shapeOf({ expanded, inputs, constants, output }: PreparedOperator, colourNames: ColourNames): Shape {
  const isPure = ({ title, unit }: PreparedOperator['constants'][number]) =>
    title === undefined && isDimensionless(unit.dimension);
  const numbers = new Map(constants.filter(isPure).map(({ name, value }) => [name, value]));
  const tree = canonical(expanded, numbers);
  const free = new Map(inputs.map(({ name, unit }) => [name, printDimension(unit.dimension)]));
  const text = (isMasked: boolean) => {
    const fixed = new Map(
      constants.map(({ name, title, value, unit }) => {
        const own = `${isMasked ? '#' : printNumber(value)}[${printDimension(unit.dimension)}]`;
        return [name, title === undefined ? own : `"${title}"`];
      }),
    );
    return `${printDimension(output.dimension)} = ${shapeText(tree, free, fixed, colourNames, { isMasked })}`;
  };
  return {
    exact: text(false),
    masked: text(true),
    isDimensionless: [output, ...inputs.map(({ unit }) => unit)].every(({ dimension }) => isDimensionless(dimension)),
  };
}
