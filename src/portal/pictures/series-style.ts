// Look of several curves, paths or bars of one picture: colours that every kind of colour vision tells apart
// (style/base.css), and dashes, so that curves on top of each other are both seen.

/** Dashes in pixels, by style. Style k has the class `series-k` and the colour `--series-k`. */
export const SERIES_DASHES: readonly (readonly number[])[] = [[], [6, 4], [], [1.5, 3], []];

export const seriesStyle = (index: number): number => index % SERIES_DASHES.length;

/** Class of the marks and of the name of a series. */
export const seriesClass = (index: number): string => `series-${seriesStyle(index)}`;

/** `stroke-dasharray` of a line. */
export const seriesDash = (index: number): string | undefined =>
  SERIES_DASHES[seriesStyle(index)]?.join(' ') || undefined;
