// Transition of a definition with the law that most tests use, and without a receipt.

export const transition = (
  id: string,
  from: string | readonly string[],
  to: string,
  trigger: object,
  more: object = {},
) => ({
  id,
  from,
  to,
  operator: 'KO42',
  proof: false,
  trigger,
  ...more,
});
