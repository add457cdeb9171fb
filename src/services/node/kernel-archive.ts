// Every kernel that ever sealed a result, by its hash. Without them no receipt could be replayed.

import { DomainError } from '../../core/errors.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import type { KernelRepository } from '../../storage/node/kernels.ts';

export interface KernelSource {
  load(slug: string): Promise<KernelImage>;
  slugs(): Promise<readonly string[]>;
}

export class KernelArchive {
  readonly #repository: KernelRepository;
  readonly #source: KernelSource;
  readonly #byHash = new Map<string, KernelImage>();

  constructor(repository: KernelRepository, source: KernelSource) {
    this.#repository = repository;
    this.#source = source;
  }

  /** Keep every kernel of this build before it can seal anything. */
  async keepCurrent(): Promise<void> {
    for (const slug of await this.#source.slugs()) {
      const image = await this.#source.load(slug);
      await this.#repository.keep(image);
      this.#byHash.set(image.sha256, image);
    }
  }

  current(slug: string): Promise<KernelImage> {
    return this.#source.load(slug);
  }

  /** @throws DomainError KERNEL_UNAVAILABLE */
  async find(sha256: string): Promise<KernelImage> {
    const known = this.#byHash.get(sha256) ?? (await this.#repository.find(sha256));
    if (!known) throw new DomainError('KERNEL_UNAVAILABLE', `No kernel with the hash ${sha256} is kept here.`);
    return known;
  }

  async bytes(sha256: string): Promise<Uint8Array> {
    return (await this.find(sha256)).bytes;
  }
}
