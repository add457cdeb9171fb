// The account that owns the node: the first start opens it.

import type { NodeRepository } from '../../storage/node/node.ts';

const OWNER = 'owner';

/** Id of the account; undefined before the first start is complete. */
export const ownerOf = (node: Pick<NodeRepository, 'get'>): Promise<string | undefined> => node.get(OWNER);

export async function setOwner(node: Pick<NodeRepository, 'setOnce'>, accountId: string): Promise<void> {
  await node.setOnce(OWNER, accountId);
}
