// Elementary functions with identical results on every engine.
//
// Math.sin may differ between engines in the last bit, but a sealed number must not. These functions use only + - * /,
// in the order of operations of the compiled kernels, so TypeScript and WebAssembly agree bit for bit. Errors are
// below 1 ulp.

export { cosh, exp, expm1, log, powerOfTwo } from './exponential.ts';
export { cos, sin } from './trigonometric.ts';
