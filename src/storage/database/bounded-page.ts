// A page of rows that is limited in bytes as well as in rows: 200 rows of 64 KiB would be an answer of 12 MB.

import { type Binding, type Executor, rows } from './sql.ts';

export interface BoundedPage<Row> {
  /** At least one row, if the query finds one. All but the last have less than `maxBytes` together. */
  readonly rows: readonly Row[];
  /** The query finds more rows. */
  readonly isCut: boolean;
}

export interface PageBounds {
  /** Order of the page, as in the query: `seq desc`. */
  readonly order: string;
  /** SQL of the bytes of a row, over the columns of the query. `octet_length` does not read a long text. */
  readonly bytes: string;
  readonly maxBytes: number;
  readonly maxRows: number;
}

/** @param query  a select without order and limit */
export async function boundedPage<Row>(
  on: Executor,
  query: string,
  bindings: readonly Binding[],
  { order, bytes, maxBytes, maxRows }: PageBounds,
): Promise<BoundedPage<Row>> {
  const found = await rows<Row & { readonly page_rows: number }>(
    on,
    `select * from (
       select page.*, count(*) over () as page_rows,
         sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding) as page_bytes
       from (${query} order by ${order} limit ?) page
     ) sized where coalesce(page_bytes, 0) < ? order by ${order}`,
    [...bindings, maxRows + 1, maxBytes],
  );
  const page = found.slice(0, maxRows);
  return { rows: page, isCut: page.length < (found[0]?.page_rows ?? 0) };
}
