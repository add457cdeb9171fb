// An atom as Vina's scoring sees it: its radius, and whether it is hydrophobic, a donor, or an acceptor.
//
// As AutoDock Vina assigns it (Eberhardt et al., J. Chem. Inf. Model. 61 (2021) 3891) from the types of AutoDock and from
// bonds, which are pairs closer than 1.1 times the sum of their covalent radii with no third atom closer to both. SD and XYZ
// files have no types: hydrogens on N, O and S are polar, oxygens accept, and nitrogens with at most two neighbours accept.

import { validationError } from '../parts/errors.ts';
import { Neighbours } from './neighbours.ts';
import type { Atom, FileField, Structure } from './structure.ts';

/** Bits of the kernel's atoms (assembly/solvers/dock/bodies.ts). */
export const BITS = { hydrophobic: 1, donor: 2, acceptor: 4 } as const;

interface Element {
  /** Of the surface, in Å; 0 for hydrogen, which is not scored. */
  readonly radius: number;
  readonly covalent: number;
  readonly isMetal?: boolean;
}

const METAL = { radius: 1.2, isMetal: true } as const;

const ELEMENTS: Readonly<Record<string, Element>> = {
  H: { radius: 0, covalent: 0.37 },
  C: { radius: 1.9, covalent: 0.77 },
  N: { radius: 1.8, covalent: 0.75 },
  O: { radius: 1.7, covalent: 0.73 },
  S: { radius: 2, covalent: 1.02 },
  P: { radius: 2.1, covalent: 1.06 },
  F: { radius: 1.5, covalent: 0.71 },
  Cl: { radius: 1.8, covalent: 0.99 },
  Br: { radius: 2, covalent: 1.14 },
  I: { radius: 2.2, covalent: 1.33 },
  Si: { radius: 2.2, covalent: 1.11 },
  Mg: { ...METAL, covalent: 1.3 },
  Mn: { ...METAL, covalent: 1.39 },
  Zn: { ...METAL, covalent: 1.31 },
  Ca: { ...METAL, covalent: 1.74 },
  Fe: { ...METAL, covalent: 1.25 },
  ...Object.fromEntries(
    ['Cu', 'Na', 'K', 'Hg', 'Co', 'U', 'Cd', 'Ni'].map((one) => [one, { ...METAL, covalent: 1.75 }]),
  ),
};

/** Metals that AutoDock has no type for are no heteroatoms to Vina. */
const PLAIN_METALS = new Set(['Cu', 'Na', 'K', 'Hg', 'Co', 'U', 'Cd', 'Ni']);
const HALOGENS = new Set(['F', 'Cl', 'Br', 'I']);
/** Types of AutoDock that are not symbols of elements. */
const TYPES: Readonly<Record<string, string>> = { A: 'C', NA: 'N', OA: 'O', SA: 'S', HD: 'H', Se: 'S' };
const TYPE_NAMES = 'C A N NA O OA S SA P F Cl Br I Si H HD Mg Mn Zn Ca Fe Cu K Hg Co U Cd Ni Se'.split(' ');
const BOND = 1.1;
const MAX_BOND = BOND * 2 * 1.75;

export interface ScoredAtom {
  /** In the structure. */
  readonly index: number;
  readonly radius: number;
  readonly bits: number;
}

interface Typed {
  readonly symbol: string;
  readonly element: Element;
}

/** Bonded atoms of each atom, by indices. */
function bondsOf(atoms: readonly Atom[], covalent: (index: number) => number): readonly (readonly number[])[] {
  const near = new Neighbours(atoms, MAX_BOND);
  const distance2 = (a: number, b: number): number => {
    const [p, q] = [atoms[a], atoms[b]];
    if (!p || !q) return Number.POSITIVE_INFINITY;
    return (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z);
  };
  return atoms.map((_, a) => {
    const around = near.around(a);
    return around.filter((b) => {
      const r2 = distance2(a, b);
      const longest = BOND * (covalent(a) + covalent(b));
      return r2 < longest * longest && !around.some((c) => c !== b && distance2(a, c) < r2 && distance2(b, c) < r2);
    });
  });
}

/** The heavy atoms as Vina scores them, and the rotors of the bonds that the file calls rotatable. */
export function scoredAtoms(field: FileField, { atoms, rotatable }: Structure) {
  const typed = atoms.map((atom) => typedAtom(field, atom));
  const bonds = bondsOf(atoms, (i) => typed[i]?.element.covalent ?? 0);
  const symbol = (i: number) => typed[i]?.symbol ?? '';
  const isHetero = (i: number) => !['C', 'H'].includes(symbol(i)) && !PLAIN_METALS.has(symbol(i));
  const isPolarHydrogen = (i: number): boolean => {
    const type = atoms[i]?.type;
    if (type !== undefined) return type === 'HD';
    return symbol(i) === 'H' && (bonds[i] ?? []).some((k) => ['N', 'O', 'S'].includes(symbol(k)));
  };
  const isAcceptor = (i: number): boolean => {
    const { type, charge = 0 } = atoms[i] ?? {};
    if (type !== undefined) return type === 'NA' || type === 'OA';
    return symbol(i) === 'O' || (symbol(i) === 'N' && charge <= 0 && (bonds[i] ?? []).length <= 2);
  };
  const bitsOf = (i: number): number => {
    const own = symbol(i);
    const around = bonds[i] ?? [];
    if (HALOGENS.has(own)) return BITS.hydrophobic;
    if (own === 'C') return around.some(isHetero) ? 0 : BITS.hydrophobic;
    if (typed[i]?.element.isMetal) return BITS.donor;
    if (own !== 'N' && own !== 'O') return 0;
    return (around.some(isPolarHydrogen) ? BITS.donor : 0) | (isAcceptor(i) ? BITS.acceptor : 0);
  };
  const scored = typed.flatMap(({ symbol: own, element }, index): ScoredAtom[] =>
    own === 'H' ? [] : [{ index, radius: element.radius, bits: bitsOf(index) }],
  );
  const heavyAround = (i: number) => (bonds[i] ?? []).filter((k) => symbol(k) !== 'H').length;
  // Each end of a bond counts half, if the other end is heavy and goes on.
  const half = (end: number, other: number) =>
    symbol(end) !== 'H' && symbol(other) !== 'H' && heavyAround(other) > 1 ? 0.5 : 0;
  const rotors = rotatable.reduce((sum, [a, b]) => sum + half(a, b) + half(b, a), 0);
  return { scored, rotors, hasHydrogens: typed.some(({ symbol: own }) => own === 'H') };
}

function typedAtom(field: FileField, { type, element: written, line }: Atom): Typed {
  const word = type ?? written;
  const capital = word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
  // CA is calcium in capitals to some programs and no type of AutoDock.
  const symbol = (type !== undefined ? TYPES[word] : undefined) ?? (ELEMENTS[word] ? word : capital);
  const element = ELEMENTS[symbol];
  if (element) return { symbol, element };
  const known = type !== undefined ? TYPE_NAMES : Object.keys(ELEMENTS);
  const message = `${field}, line ${line}: ${JSON.stringify(word)} has no parameters in Vina's scoring; it knows ${known.join(', ')}.`;
  throw validationError(field, message, 'UNKNOWN_ELEMENT', { line, known });
}
