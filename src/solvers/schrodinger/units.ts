// The two unit systems of the solver, and their conversion to SI.
//
// CODATA 2022: Tiesinga, Mohr, Newell, Taylor, https://physics.nist.gov/constants. h, e and c are exact.

const PLANCK = 6.626_070_15e-34; // J s
const ELEMENTARY_CHARGE = 1.602_176_634e-19; // C
const LIGHT = 299_792_458; // m/s
const HARTREE_EV = 27.211_386_245_981; // eV, ± 3.0e-11
const BOHR_NM = 0.052_917_721_054_4; // nm, ± 8.2e-12
export const ELECTRON_KG = 9.109_383_713_9e-31; // kg, ± 2.8e-40

export interface Units {
  readonly energy: string;
  readonly length: string;
  /** ħ² / 2m_e, in energy × length². */
  readonly electronKinetic: number;
  /** ħ: in atomic units 1, in eV fs. Frequencies are in 1/time of this. */
  readonly hbar: number;
  /** e²/4πε₀, in energy × length. */
  readonly coulomb: number;
  readonly metres: number;
  /** h c in energy × nanometres: gives the vacuum wavelength of a transition. Absent in atomic units. */
  readonly photon?: number;
}

export const UNITS: Readonly<Record<'atomic' | 'eV-nm', Units>> = {
  atomic: { energy: 'E_h', length: 'a_0', electronKinetic: 0.5, hbar: 1, coulomb: 1, metres: BOHR_NM * 1e-9 },
  'eV-nm': {
    energy: 'eV',
    length: 'nm',
    electronKinetic: 0.5 * HARTREE_EV * BOHR_NM * BOHR_NM, // ħ²/m_e = E_h a_0²
    hbar: (PLANCK / (2 * Math.PI) / ELEMENTARY_CHARGE) * 1e15,
    coulomb: HARTREE_EV * BOHR_NM, // e²/4πε₀ = E_h a_0
    metres: 1e-9,
    photon: ((PLANCK * LIGHT) / ELEMENTARY_CHARGE) * 1e9,
  },
};
