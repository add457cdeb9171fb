// Names of given numbers that a request does not use, for the dimensional gates of solvers and operators.

type Numbers = Readonly<Record<string, number>>;
type IsKnown = (key: string) => boolean;

/** Keys of `inputs` as they are, then those of `consts` as `consts.hbar`. */
export function unrecognisedKeys(
  inputs: Numbers,
  consts: Numbers,
  isInput: IsKnown,
  isConstant: IsKnown = isInput,
): string[] {
  const unknownIn = (numbers: Numbers, isKnown: IsKnown) => Object.keys(numbers).filter((key) => !isKnown(key));
  return [...unknownIn(inputs, isInput), ...unknownIn(consts, isConstant).map((key) => `consts.${key}`)];
}
