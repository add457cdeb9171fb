// Random words of a seed for problems that are drawn: each a pure function of seed and index.

/** Word `index` of the random numbers of a seed: a pure function of both (the finaliser of MurmurHash3, twice). */
export function randomWord(seed: number, index: number): number {
  let word = mixed((seed % 4_294_967_296) ^ mixed(Math.floor(seed / 4_294_967_296) + 0x9e3779b9));
  word = mixed(word ^ mixed(index + 0x7f4a7c15));
  return mixed(word + index) >>> 0;
}

function mixed(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
