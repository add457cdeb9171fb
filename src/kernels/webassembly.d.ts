// The part of WebAssembly that kernels use: TypeScript keeps its types in the DOM library, which server rooms do without.

declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  // biome-ignore lint/suspicious/noEmptyInterface: the DOM library declares it so too, and the two merge
  interface Module {}
  interface Table {
    grow(delta: number): number;
    // biome-ignore lint/suspicious/noExplicitAny: as in the DOM library
    set(index: number, value?: any): void;
  }
  interface Instance {
    // biome-ignore lint/suspicious/noExplicitAny: as in the DOM library
    readonly exports: Record<string, any>;
  }
  var Module: { new (bytes: ArrayBuffer | ArrayBufferView<ArrayBuffer>): Module };
  var Instance: { new (module: Module, imports: Record<string, Record<string, unknown>>): Instance };
  function compile(bytes: ArrayBuffer | ArrayBufferView<ArrayBuffer>): Promise<Module>;
}
