// Elementary functions with one result on every engine.
//
// A host's Math.sin may differ from the next one's in the last bit, and a sealed number must not. These use + - * /
// only, in the order of the mathematics that is compiled into the kernels, so TypeScript and WebAssembly agree bit for
// bit; errors stay below 1 ulp.

export { cosh, exp, expm1, log } from './exponential.ts';
export { cos, sin } from './trigonometric.ts';
