// The package's public entry for Node.

export * from './browser.ts';
export { kernelSlugs, loadKernel } from './kernels/load-node.ts';
export { definitionOf } from './operators/definition.ts';
export { findOperator } from './operators/load.ts';
export { computeHere } from './protocol/compute-here.ts';
export type { ComputeRequest } from './protocol/compute-request.ts';
