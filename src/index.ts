// The public entry of the package in Node.

export * from './browser.ts';
export { kernelSlugs, loadKernel } from './kernels/load-node.ts';
