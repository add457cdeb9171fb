// Atoms near an atom, by cubic cells.

interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export class Neighbours {
  readonly #places: readonly Place[];
  readonly #radius: number;
  readonly #cells = new Map<string, number[]>();

  constructor(places: readonly Place[], radius: number) {
    this.#places = places;
    this.#radius = radius;
    for (const [index, place] of places.entries()) {
      const key = this.#cellOf(place).join(' ');
      const cell = this.#cells.get(key);
      if (cell) cell.push(index);
      else this.#cells.set(key, [index]);
    }
  }

  /** Indices of the other places within the radius, rising. */
  around(index: number): number[] {
    const own = this.#places[index];
    if (!own) return [];
    const [cx, cy, cz] = this.#cellOf(own);
    const found: number[] = [];
    for (const dz of [-1, 0, 1])
      for (const dy of [-1, 0, 1])
        for (const dx of [-1, 0, 1])
          for (const other of this.#cells.get(`${cx + dx} ${cy + dy} ${cz + dz}`) ?? [])
            if (other !== index && this.#distance2(own, other) < this.#radius * this.#radius) found.push(other);
    return found.sort((a, b) => a - b);
  }

  #distance2(own: Place, index: number): number {
    const other = this.#places[index];
    if (!other) return Number.POSITIVE_INFINITY;
    const [x, y, z] = [own.x - other.x, own.y - other.y, own.z - other.z];
    return x * x + y * y + z * z;
  }

  #cellOf({ x, y, z }: Place): readonly [number, number, number] {
    return [Math.floor(x / this.#radius), Math.floor(y / this.#radius), Math.floor(z / this.#radius)];
  }
}
