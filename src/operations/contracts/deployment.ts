// Deploys a contract and reports what is legal in its definition, but hardly meant.

import type { Services } from '../services.ts';

type DeployArguments = Parameters<Services['contracts']['deploy']>;

/** @throws DomainError as ContractService.deploy */
export async function deploy({ contracts }: Services, ...[machine, by, request]: DeployArguments) {
  const contract = await contracts.deploy(machine, by, request);
  return { contract, warnings: contracts.warningsOf(request.definition, contract.parameters) };
}
