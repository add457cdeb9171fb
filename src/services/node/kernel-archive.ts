// Archives every kernel that ever sealed a result, by SHA-256, so that receipts stay replayable.

import { DomainError } from '../../core/errors.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import type { KernelRepository } from '../../storage/node/kernels.ts';

export interface KernelSource {
  load(slug: string): Promise<KernelImage>;
  slugs(): Promise<readonly string[]>;
  /** A kernel of this or of an earlier version. */
  find(sha256: string): Promise<KernelImage | undefined>;
}

export class KernelArchive {
  readonly #repository: KernelRepository;
  readonly #source: KernelSource;
  readonly #byHash = new Map<string, KernelImage>();

  constructor(repository: KernelRepository, source: KernelSource) {
    this.#repository = repository;
    this.#source = source;
  }

  /** Archives every kernel of this build; call it before any of them seals a result. */
  async storeCurrent(): Promise<void> {
    for (const slug of await this.#source.slugs()) {
      const image = await this.#source.load(slug);
      await this.#repository.put(image);
      this.#byHash.set(image.sha256, image);
    }
  }

  current(slug: string): Promise<KernelImage> {
    return this.#source.load(slug);
  }

  /** @throws DomainError KERNEL_UNAVAILABLE */
  async find(sha256: string): Promise<KernelImage> {
    const image =
      this.#byHash.get(sha256) ?? (await this.#repository.find(sha256)) ?? (await this.#source.find(sha256));
    if (!image) throw new DomainError('KERNEL_UNAVAILABLE', `Kernel ${sha256} not found on this node.`);
    return image;
  }

  async bytes(sha256: string): Promise<Uint8Array> {
    return (await this.find(sha256)).bytes;
  }
}
