// A citation as an item of CSL JSON 1.0.2, which reference managers and Pandoc read.
//
// The type is `dataset`: what is cited is a record of inputs, outputs and a signature, which stays what it is whichever
// program reads it. `software` would cite the program, whose version a receipt does not hold.

import type { Citation } from './citation.ts';

interface CslItem {
  readonly id: string;
  readonly type: 'dataset';
  readonly title: string;
  readonly publisher: string;
  readonly version: string;
  readonly issued?: { readonly 'date-parts': readonly [readonly [year: number, month: number, day: number]] };
  readonly URL?: string;
  readonly note: string;
}

function cslItem({ key, title, publisher, version, date, url, note }: Citation): CslItem {
  return {
    id: key,
    type: 'dataset',
    title,
    publisher,
    version,
    ...(date === undefined ? {} : { issued: { 'date-parts': [[date.year, date.month, date.day]] } }),
    ...(url === undefined ? {} : { URL: url }),
    note,
  };
}

/** A list of one item, which is what programs import; with a line end. */
export const toCslJson = (citation: Citation): string => `${JSON.stringify([cslItem(citation)], undefined, 2)}\n`;
