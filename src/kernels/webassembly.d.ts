// The part of WebAssembly that kernels use: TypeScript keeps its types in the DOM library, which server rooms do without.

declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  // biome-ignore lint/suspicious/noEmptyInterface: the DOM library declares it so too, and the two merge
  interface Module {}
  function compile(bytes: ArrayBuffer | ArrayBufferView<ArrayBuffer>): Promise<Module>;
}
