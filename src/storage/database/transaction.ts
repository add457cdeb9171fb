// One transaction on one connection of the pool. knex's own transactions create a second knex for each, with a hundred
// closures that survive until a major garbage collection; that doubled the 99th percentile of the append latency.

import type { Knex } from 'knex';
import type { Executor } from './sql.ts';

/**
 * Commits the changes of `work` when it resolves, and rolls them back when it rejects.
 *
 * @throws what `work` throws, and an Error if it resolved although one of its statements had failed
 */
export async function inTransaction<T>(
  knex: Knex,
  beginStatement: string,
  work: (on: Executor) => Promise<T>,
): Promise<T> {
  const connection: unknown = await knex.client.acquireConnection();
  // Without bindings, knex leaves a question mark in the statement as it is.
  const run = (statement: string, bindings?: readonly Knex.RawBinding[]) =>
    (bindings ? knex.raw(statement, bindings) : knex.raw(statement)).connection(connection);
  let isOver = false;
  const raw = (statement: string, bindings?: readonly Knex.RawBinding[]) => {
    // By now, the connection may belong to another transaction.
    if (isOver) throw new Error(`The transaction was over before this statement: ${statement}`);
    return run(statement, bindings);
  };
  try {
    await run(beginStatement);
    const answer = await work({ raw: raw as Knex['raw'] });
    isOver = true;
    const { command }: { command?: string } = await run('commit');
    // PostgreSQL returns ROLLBACK instead of an error if a statement had failed and `work` went on.
    if (command === 'ROLLBACK') throw new Error('A statement of the transaction had failed; nothing was written.');
    return answer;
  } catch (error) {
    isOver = true;
    // On a lost connection this fails, but the server has rolled back already.
    await run('rollback').catch(() => {});
    throw error;
  } finally {
    await knex.client.releaseConnection(connection);
  }
}
