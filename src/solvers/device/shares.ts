// The three grids that judge a number.

/** Shares of the cells of the request. */
export const SHARES = [1, 0.5, 0.25] as const;

/** Cells of the line on a share of those of the request: whole eights, so that each grid has every second node of the last. */
export const lineCells = ({ cells }: { readonly cells: number }, share: number): number =>
  8 * Math.ceil(cells / 8) * share;
