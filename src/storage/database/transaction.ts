// One transaction on one connection of the pool. knex's own makes a second knex for each: a hundred closures that the
// collector carries along until its great round, which made the slowest hundredth of the appends twice as slow.

import type { Knex } from 'knex';
import type { Executor } from './sql.ts';

/**
 * What `work` does is committed when it resolves and undone when it rejects.
 *
 * @throws what `work` throws, and an Error if it resolved although one of its statements had failed
 */
export async function inTransaction<T>(knex: Knex, beginning: string, work: (on: Executor) => Promise<T>): Promise<T> {
  const connection: unknown = await knex.client.acquireConnection();
  // Without bindings a question mark stays one.
  const run = (statement: string, bindings?: readonly Knex.RawBinding[]) =>
    (bindings ? knex.raw(statement, bindings) : knex.raw(statement)).connection(connection);
  let isOver = false;
  const raw = (statement: string, bindings?: readonly Knex.RawBinding[]) => {
    // The connection may be another's by now.
    if (isOver) throw new Error(`The transaction was over before this statement: ${statement}`);
    return run(statement, bindings);
  };
  try {
    await run(beginning);
    const answer = await work({ raw: raw as Knex['raw'] });
    isOver = true;
    const { command }: { command?: string } = await run('commit');
    // PostgreSQL answers so, and not with an error, when a statement had failed and `work` went on.
    if (command === 'ROLLBACK') throw new Error('A statement of the transaction had failed; nothing was written.');
    return answer;
  } catch (error) {
    isOver = true;
    // On a connection that is lost it fails, and has already been done.
    await run('rollback').catch(() => {});
    throw error;
  } finally {
    await knex.client.releaseConnection(connection);
  }
}
