// Plans of the statements that a repository runs: what PostgreSQL read for each, by EXPLAIN (ANALYZE, BUFFERS).

import { type Executor, rows } from '../../../src/storage/database/sql.ts';

/** A statement that has run. */
export interface Explained {
  readonly statement: string;
  /** Pages of 8 kB that were read, from memory or not. */
  readonly buffers: number;
  readonly ms: number;
  /** Rows returned, or written. */
  readonly rows: number;
  /** Nodes that read tables, as `Seq Scan audit`. */
  readonly scans: readonly string[];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/**
 * An executor that explains each statement and undoes it, before it runs it: `work` sees what it would see, and what it
 * writes stays. `on` must be a transaction.
 */
export function explaining(on: Executor, explained: Explained[]): Executor {
  const explain = async (statement: string, bindings: never): Promise<void> => {
    await on.raw('savepoint explained');
    const [found] = await rows<{
      'QUERY PLAN': readonly [{ readonly Plan: PlanNode; readonly 'Execution Time': number }];
    }>(on, `explain (analyze, buffers, format json) ${statement}`, bindings);
    await on.raw('rollback to savepoint explained');
    if (found === undefined) throw new Error(`No plan of ${statement}`);
    const [{ Plan: plan, 'Execution Time': ms }] = found['QUERY PLAN'];
    const nodes = nodesOf(plan);
    explained.push({
      statement: statement.replace(/\s+/g, ' '),
      buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      ms,
      rows: Math.max(...nodes.map((node) => (node === plan || node.Plans === undefined ? node['Actual Rows'] : 0))),
      scans: nodes.flatMap((node) =>
        node['Relation Name'] === undefined || !/Scan/.test(node['Node Type'])
          ? []
          : [`${node['Node Type']} ${node['Relation Name']}`],
      ),
    });
  };
  const raw = async (statement: string, bindings: never) => {
    await explain(statement, bindings);
    return on.raw(statement, bindings);
  };
  return { raw: raw as unknown as Executor['raw'] };
}
