// Dependences between the constants of codata.ts: each follows from independent adjusted constants as a product of
// powers (m_e = 2 h R∞/(c α²)), so their errors are those of few sources.
//
// Relations as in Tiesinga, Mohr, Newell & Taylor, Rev. Mod. Phys. 93, 025010 (2021), tables XXVI and XXVIII. Sums
// (g = 2(1 + a), the Sackur–Tetrode constant) have the logarithmic derivative in place of the exponent. What is not
// listed is a source of its own.

/** Names of sources, which are names of constants. */
const ALPHA = 'fine-structure constant';
const RYDBERG = 'Rydberg constant';
const GRAVITY = 'Newtonian constant of gravitation';
const ELECTRON = 'electron relative atomic mass';
const PROTON = 'proton relative atomic mass';
const NEUTRON = 'neutron relative atomic mass';
const MUON = 'muon-electron mass ratio';
const TAU = 'tau mass';

/**
 * Relative standard uncertainties of the sources. CODATA prints two digits; the further ones are those at which all
 * constants that follow come out as printed. The electron's is the part that is independent of the proton's.
 */
const RELATIVE: Readonly<Record<string, number>> = {
  [ALPHA]: 1.557e-10,
  [RYDBERG]: 1.0935e-12,
  [GRAVITY]: 2.247427e-5,
  [ELECTRON]: 1.695e-11,
  [PROTON]: 8.24e-12,
  [NEUTRON]: 4e-10,
  [MUON]: 2.2235e-8,
  [TAU]: 6.7535e-5,
  'alpha particle-electron mass ratio': 2.33e-11,
  'deuteron g factor': 2.566e-9,
  'helion g factor': 8.08e-10,
  'muon mag. mom. anomaly': 3.5165e-7,
  'neutron g factor': 2.354e-7,
  'proton g factor': 2.865e-10,
  'shielded proton gyromag. ratio': 4.1e-9,
  'triton g factor': 1.99e-9,
  'W to Z mass ratio': 1.4748e-4,
};

type Exponents = Readonly<Record<string, number>>;

const times = (...factors: readonly Exponents[]): Exponents => {
  const product: Record<string, number> = {};
  for (const factor of factors)
    for (const [name, exponent] of Object.entries(factor)) product[name] = (product[name] ?? 0) + exponent;
  return product;
};
const power = (base: Exponents, exponent: number): Exponents =>
  Object.fromEntries(Object.entries(base).map(([name, one]) => [name, one * exponent]));
const inverse = (base: Exponents) => power(base, -1);

const R: Exponents = { [RYDBERG]: 1 };
const A: Exponents = { [ALPHA]: 1 };
const BOHR_RADIUS = times(A, inverse(R));
const ELECTRON_MASS = times(R, power(A, -2));
/** Its correlation with the proton's, from the printed uncertainty of their ratio. */
const ELECTRON_RELATIVE: Exponents = { [ELECTRON]: 1, [PROTON]: 0.608 };
const ATOMIC_MASS = times(ELECTRON_MASS, inverse(ELECTRON_RELATIVE));
const PROTON_MASS = times(ATOMIC_MASS, { [PROTON]: 1 });
const NEUTRON_MASS = times(ATOMIC_MASS, { [NEUTRON]: 1 });
const MUON_MASS = times(ELECTRON_MASS, { [MUON]: 1 });
/** Of light nuclei, whose relative atomic masses are known far better than the atomic mass constant. */
const NUCLEAR_MASS = times(ELECTRON_MASS, { [ELECTRON]: -1 });
const NUCLEAR_MAGNETON = inverse(PROTON_MASS);
const PROTON_MOMENT = times(NUCLEAR_MAGNETON, { 'proton g factor': 1 });
const NEUTRON_MOMENT = times(NUCLEAR_MAGNETON, { 'neutron g factor': 1 });

/** d ln a/d ln α of the electron's anomaly, α/2π - 0.328 (α/π)² + …, and a/(1 + a) of both anomalies. */
const ANOMALY_SLOPE = 0.9985;
const ELECTRON_ANOMALY_SHARE = 1.158308e-3;
const MUON_ANOMALY_SHARE = 1.164562e-3;

const FOLLOWS: readonly (readonly [exponents: Exponents, ...names: readonly string[]])[] = [
  [A, 'atomic unit of velocity', 'vacuum mag. permeability', 'characteristic impedance of vacuum'],
  [inverse(A), 'inverse fine-structure constant', 'vacuum electric permittivity', 'atomic unit of permittivity'],
  [
    R,
    'atomic unit of current',
    'atomic unit of electric potential',
    'atomic unit of energy',
    'Hartree energy',
    'Hartree energy in eV',
    'Rydberg constant times c in Hz',
    'Rydberg constant times hc in eV',
    'Rydberg constant times hc in J',
  ],
  [inverse(R), 'atomic unit of time'],
  [BOHR_RADIUS, 'Bohr radius', 'atomic unit of length', 'atomic unit of electric dipole mom.'],
  [inverse(BOHR_RADIUS), 'atomic unit of momentum'],
  [power(BOHR_RADIUS, 2), 'atomic unit of electric quadrupole mom.'],
  [power(BOHR_RADIUS, -2), 'atomic unit of mag. flux density'],
  [power(BOHR_RADIUS, -3), 'atomic unit of charge density'],
  [times(R, inverse(BOHR_RADIUS)), 'atomic unit of electric field', 'atomic unit of force'],
  [times(R, power(BOHR_RADIUS, -2)), 'atomic unit of electric field gradient'],
  [times(power(BOHR_RADIUS, 2), inverse(R)), 'atomic unit of electric polarizability'],
  [times(power(BOHR_RADIUS, 2), inverse(ELECTRON_MASS)), 'atomic unit of magnetizability'],
  [times(power(A, 2), BOHR_RADIUS), 'classical electron radius'],
  [power(times(power(A, 2), BOHR_RADIUS), 2), 'Thomson cross section'],
  [
    ELECTRON_MASS,
    'electron mass',
    'atomic unit of mass',
    'electron mass energy equivalent',
    'electron mass energy equivalent in MeV',
    'electron molar mass',
  ],
  [
    inverse(ELECTRON_MASS),
    'atomic unit of mag. dipole mom.',
    'Bohr magneton',
    'Bohr magneton in eV/T',
    'Compton wavelength',
    'reduced Compton wavelength',
    'electron charge to mass quotient',
    'electron gyromag. ratio',
    'electron gyromag. ratio in MHz/T',
    'electron mag. mom.',
    'quantum of circulation',
    'quantum of circulation times 2',
  ],
  [power(A, ANOMALY_SLOPE), 'electron mag. mom. anomaly'],
  [power(A, ANOMALY_SLOPE * ELECTRON_ANOMALY_SHARE), 'electron g factor'],
  [ELECTRON_RELATIVE, 'electron relative atomic mass'],
  [times(ELECTRON_RELATIVE, { [PROTON]: -1 }), 'electron-proton mass ratio'],
  [times(inverse(ELECTRON_RELATIVE), { [PROTON]: 1 }), 'proton-electron mass ratio'],
  [
    ATOMIC_MASS,
    'atomic mass constant',
    'unified atomic mass unit',
    'atomic mass constant energy equivalent',
    'atomic mass constant energy equivalent in MeV',
    'molar mass constant',
    'molar mass of carbon-12',
  ],
  [power(ATOMIC_MASS, 1.5 / -1.15170753496), 'Sackur-Tetrode constant (1 K, 100 kPa)'],
  [power(ATOMIC_MASS, 1.5 / -1.16487052149), 'Sackur-Tetrode constant (1 K, 101.325 kPa)'],
  [
    PROTON_MASS,
    'proton mass',
    'proton mass energy equivalent',
    'proton mass energy equivalent in MeV',
    'proton molar mass',
  ],
  [
    inverse(PROTON_MASS),
    'nuclear magneton',
    'nuclear magneton in eV/T',
    'nuclear magneton in MHz/T',
    'proton charge to mass quotient',
    'proton Compton wavelength',
    'reduced proton Compton wavelength',
  ],
  [PROTON_MOMENT, 'proton mag. mom.', 'proton gyromag. ratio', 'proton gyromag. ratio in MHz/T'],
  [{ 'shielded proton gyromag. ratio': 1 }, 'shielded proton gyromag. ratio in MHz/T', 'shielded proton mag. mom.'],
  [NEUTRON_MASS, 'neutron mass', 'neutron mass energy equivalent in MeV', 'neutron molar mass'],
  [inverse(NEUTRON_MASS), 'neutron Compton wavelength', 'reduced neutron Compton wavelength'],
  [NEUTRON_MOMENT, 'neutron mag. mom.', 'neutron gyromag. ratio'],
  [times({ [NEUTRON]: 1 }, inverse(ELECTRON_RELATIVE)), 'neutron-electron mass ratio'],
  [{ [NEUTRON]: 1, [PROTON]: -1 }, 'neutron-proton mass ratio'],
  [MUON_MASS, 'muon mass', 'muon mass energy equivalent in MeV', 'muon molar mass'],
  [inverse(MUON_MASS), 'muon Compton wavelength', 'reduced muon Compton wavelength', 'muon mag. mom.'],
  [{ [MUON]: -1 }, 'electron-muon mass ratio'],
  [{ 'muon mag. mom. anomaly': MUON_ANOMALY_SHARE }, 'muon g factor'],
  [{ [TAU]: 1 }, 'tau energy equivalent', 'tau molar mass'],
  [{ [TAU]: -1 }, 'tau Compton wavelength', 'reduced tau Compton wavelength'],
  [
    NUCLEAR_MASS,
    'deuteron mass',
    'deuteron mass energy equivalent in MeV',
    'deuteron molar mass',
    'triton mass',
    'triton molar mass',
    'helion mass',
    'helion molar mass',
    'alpha particle mass',
    'alpha particle mass energy equivalent in MeV',
    'alpha particle molar mass',
  ],
  [{ 'alpha particle-electron mass ratio': -1 }, 'electron to alpha particle mass ratio'],
  [times(NUCLEAR_MAGNETON, { 'deuteron g factor': 1 }), 'deuteron mag. mom.'],
  [times(NUCLEAR_MAGNETON, { 'helion g factor': 1 }), 'helion mag. mom.'],
  [times(NUCLEAR_MAGNETON, { 'triton g factor': 1 }), 'triton mag. mom.'],
  [{ [GRAVITY]: 0.5 }, 'Planck length', 'Planck time'],
  [{ [GRAVITY]: -0.5 }, 'Planck mass', 'Planck temperature'],
  // sin²θ = 1 - (m_W/m_Z)²
  [{ 'W to Z mass ratio': -6.967 }, 'weak mixing angle'],
];

const EXPONENTS: ReadonlyMap<string, Exponents> = new Map(
  FOLLOWS.flatMap(([exponents, ...names]) => names.map((name) => [name, exponents] as const)),
);

/** Digits of a coefficient: far more than an uncertainty of two digits supports. */
const DECIMALS = 6;

/**
 * Correlation coefficients of a constant's error with the relative error of each source, whose squares add up to 1: two constants are
 * correlated by the sum of the products of theirs.
 */
export function correlationOf(name: string, value: number): Readonly<Record<string, number>> {
  const parts = relativeParts(name);
  if (parts === undefined) return { [name]: Math.sign(value) };
  const size = Math.sign(value) * sizeOf(parts);
  return Object.fromEntries(parts.map(([source, part]) => [source, Number((part / size).toFixed(DECIMALS))]));
}

/**
 * The standard uncertainty with more digits than the printed two, so that the errors of constants which follow from
 * each other cancel where they should.
 */
export function standardUncertaintyOf(name: string, value: number, printed: number): number {
  const relative = relativeUncertaintyOf(name) ?? RELATIVE[name];
  return relative === undefined ? printed : Number((Math.abs(value) * relative).toPrecision(DIGITS));
}

const DIGITS = 6;

/** The relative standard uncertainty that follows from the sources; undefined for a source. */
export function relativeUncertaintyOf(name: string): number | undefined {
  const parts = relativeParts(name);
  return parts && sizeOf(parts);
}

const sizeOf = (parts: readonly (readonly [string, number])[]) =>
  Math.sqrt(parts.reduce((sum, [, part]) => sum + part * part, 0));

const relativeParts = (name: string) => {
  const exponents = EXPONENTS.get(name);
  return (
    exponents &&
    Object.entries(exponents).map(([source, exponent]) => [source, exponent * (RELATIVE[source] ?? 0)] as const)
  );
};
