// Tables of exp and log, computed when this module is loaded (a few milliseconds).
//
// Rules, and the centres of log: ARM optimized-routines, math/exp_data.c and math/log_data.c (N = 128, 2018).
import { fromBitsHex, highWord, lowWord } from './bits.ts';

/** Numbers below are integers in units of 2^-160. */
const PRECISION = 160n;
const ONE = 1n << PRECISION;
/** The nearest double: the conversion rounds to nearest even; the division is exact. */
const toDouble = (fixed: bigint) => Number(fixed) / Number(ONE);
/** A double of magnitude 2^-100 … 2^50, exactly. */
const toFixed = (x: number) => BigInt(x * 2 ** 100) << (PRECISION - 100n);

const SIZE = 128;

/**
 * 2^(i/128) ≈ H (1 + tail): the words of H minus i · 2^45, so that adding k · 2^45 for any k ≡ i (mod 128) gives
 * 2^(k/128), and the relative remainder of H.
 */
export const EXP_TABLE = expTable();

function expTable() {
  const tail = new Float64Array(SIZE);
  const high = new Int32Array(SIZE);
  const low = new Int32Array(SIZE);
  const step = rootOfTwo();
  let power = ONE;
  for (let i = 0; i < SIZE; i++) {
    const h = toDouble(power);
    tail[i] = toDouble(((power - toFixed(h)) << PRECISION) / toFixed(h));
    high[i] = highWord(h) - (i << 13);
    low[i] = lowWord(h);
    power = (power * step) >> PRECISION;
  }
  return { tail, high, low };
}

/** 2^(1/128): seven square roots. */
function rootOfTwo(): bigint {
  let root = 2n * ONE;
  for (let i = 0; i < 7; i++) root = integerRoot(root << PRECISION);
  return root;
}

/** ⌊√n⌋ by Newton's iteration from above. */
function integerRoot(n: bigint): bigint {
  let x = 1n << BigInt(n.toString(16).length * 2);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

/**
 * 1/c for a c near the middle of each of the 128 parts of [0.6875, 1.375), as bits. Listed, because each was found by a
 * search over 2^30 candidates for a log c with 20 zeros after its 43rd bit.
 */
const INVERSE_CENTRES = `
  3ff734f0c3e0de9f 3ff713786a2ce91f 3ff6f26008fab5a0 3ff6d1a61f138c7d 3ff6b1490bc5b4d1 3ff69147332f0cba
  3ff6719f18224223 3ff6524f99a51ed9 3ff63356aa8f24c4 3ff614b36b9ddc14 3ff5f66452c65c4c 3ff5d867b5912c4f
  3ff5babccb5b90de 3ff59d61f2d91a78 3ff5805612465687 3ff56397cee76bd3 3ff54725e2a77f93 3ff52aff42064583
  3ff50f22dbb2bddf 3ff4f38f4734ded7 3ff4d843cfde2840 3ff4bd3ec078a3c8 3ff4a27fc3e0258a 3ff4880524d48434
  3ff46dce1b192d0b 3ff453d9d3391854 3ff43a2744b4845a 3ff420b54115f8fb 3ff40782da3ef4b1 3ff3ee8f5d57fe8f
  3ff3d5d9a00b4ce9 3ff3bd60c010c12b 3ff3a5242b75dab8 3ff38d22cd9fd002 3ff3755bc5847a1c 3ff35dce49ad36e2
  3ff34679984dd440 3ff32f5cceffcb24 3ff3187775a10d49 3ff301c8373e3990 3ff2eb4ebb95f841 3ff2d50a0219a9d1
  3ff2bef9a8b7fd2a 3ff2a91c7a0c1bab 3ff293726014b530 3ff27dfa5757a1f5 3ff268b39b1d3bbf 3ff2539d838ff5bd
  3ff23eb7aac9083b 3ff22a012ba940b6 3ff2157996cc4132 3ff201201dd2fc9b 3ff1ecf4494d480b 3ff1d8f5528f6569
  3ff1c52311577e7c 3ff1b17c74cb26e9 3ff19e010c2c1ab6 3ff18ab07bb670bd 3ff1778a25efbcb6 3ff1648d354c31da
  3ff151b990275fdd 3ff13f0ea432d24c 3ff12c8b7210f9da 3ff11a3028ecb531 3ff107fbda8434af 3ff0f5ee0f4e6bb3
  3ff0e4065d2a9fce 3ff0d244632ca521 3ff0c0a77ce2981a 3ff0af2f83c636d1 3ff09ddb98a01339 3ff08cabaf52e7df
  3ff07b9f2f4e28fb 3ff06ab58c358f19 3ff059eea5ecf92c 3ff04949cdd12c90 3ff038c6c6f0ada9 3ff02865137932a9
  3ff0182427ea7348 3ff008040614b195 3fefe01ff726fa1a 3fefa11cc261ea74 3fef6310b081992e 3fef25f63ceeadcd
  3feee9c8039113e7 3feeae8078cbb1ab 3fee741aa29d0c9b 3fee3a91830a99b5 3fee01e009609a56 3fedca01e577bb98
  3fed92f20b7c9103 3fed5cac66fb5cce 3fed272caa5ede9d 3fecf26e3e6b2ccd 3fecbe6da2a77902 3fec8b266d37086d
  3fec5894bd5d5804 3fec26b533bb9f8c 3febf583eeece73f 3febc4fd75db96c1 3feb951e0c864a28 3feb65e2c5ef3e2c
  3feb374867c9888b 3feb094b211d304a 3feadbe885f2ef7e 3feaaf1d31603da2 3fea82e63fd358a7 3fea5740ef09738b
  3fea2c2a90ab4b27 3fea01a01393f2d1 3fe9d79f24db3c1b 3fe9ae2505c7b190 3fe9852ef297ce2f 3fe95cbaeea44b75
  3fe934c69de74838 3fe90d4f2f6752e6 3fe8e6528effd79d 3fe8bfce9fcc007c 3fe899c0dabec30e 3fe87427aa2317fb
  3fe84f00acb39a08 3fe82a49e8653e55 3fe8060195f40260 3fe7e22563e0a329 3fe7beb377dcb5ad 3fe79baa679725c2
  3fe77907f2170657 3fe756cadbd6130c
`;

/** For each part: 1/c, c as a sum of two doubles, and log c rounded to 2^-43, so that adding k ln2 is exact. */
export const LOG_TABLE = logTable();

function logTable() {
  const inverse = new Float64Array(SIZE);
  const centreHigh = new Float64Array(SIZE);
  const centreLow = new Float64Array(SIZE);
  const logarithm = new Float64Array(SIZE);
  for (const [i, bits] of INVERSE_CENTRES.trim().split(/\s+/).entries()) {
    inverse[i] = fromBitsHex(bits) ?? Number.NaN;
    const c = (ONE << PRECISION) / toFixed(inverse[i] ?? 1);
    const high = toDouble(c);
    centreHigh[i] = high;
    centreLow[i] = toDouble(c - toFixed(high));
    const bitsAfter43 = PRECISION - 43n;
    logarithm[i] = toDouble(((naturalLog(c) + (1n << (bitsAfter43 - 1n))) >> bitsAfter43) << bitsAfter43);
  }
  return { inverse, centreHigh, centreLow, logarithm };
}

/** ln c = 2 artanh((c − 1) / (c + 1)), by its series. */
function naturalLog(c: bigint): bigint {
  const z = ((c - ONE) << PRECISION) / (c + ONE);
  const square = (z * z) >> PRECISION;
  let sum = 0n;
  let power = z;
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n;
    power = (power * square) / ONE;
  }
  return 2n * sum;
}
