// Presets: each gives the fields that a request leaves out.

export interface Defaults {
  readonly length?: number;
  readonly bottom?: 'pinned' | 'fixed' | 'guided' | 'free';
  readonly top?: 'pinned' | 'fixed' | 'guided' | 'free';
  readonly E: number;
  readonly section: string;
  readonly EI?: string;
  readonly foundation?: string;
  readonly springs?: string;
  readonly loads?: string;
  readonly weight?: string;
  readonly vary?: 'load' | 'weight';
  readonly load?: number;
  readonly yield_stress?: number;
  readonly nodes?: string;
  readonly members?: string;
}

const STEEL = { E: 210e9, section: 'rectangle 0.02 0.02', yield_stress: 250e6 } as const;
const HEB200 = 'EI=11.97e6 EA=1.640e9';
const IPE300 = 'EI=17.55e6 EA=1.130e9';

export const PRESETS = {
  /** A square bar of 20 mm, 2 m long, between pins. */
  bar: { ...STEEL, length: 2, bottom: 'pinned', top: 'pinned' },
  /** A strut so short that it yields before it buckles. */
  strut: { ...STEEL, section: 'tube 0.0603 0.004', length: 1.2, bottom: 'fixed', top: 'pinned', load: 60e3 },
  /** A mast of concrete under its own weight, which grows until it buckles. */
  mast: {
    E: 30e9,
    section: 'circle 0.4',
    length: 40,
    bottom: 'fixed',
    top: 'free',
    weight: '3079',
    vary: 'weight',
  },
  /** A timber pole that is thinner at its top. */
  pole: { E: 11e9, section: 'circle 0.2', length: 9, bottom: 'fixed', top: 'free', EI: '8.6e5*(1-0.05*x)^4' },
  /** The lower shaft of a crane column is four times as stiff; the crane loads its top. */
  crane: {
    E: 210e9,
    section: 'i 0.3 0.3 0.019 0.011',
    length: 9,
    bottom: 'fixed',
    top: 'guided',
    EI: '0 7.2e7; 6 7.2e7; 6 1.8e7; 9 1.8e7',
    loads: '6 2',
  },
  /** A bar with an elastic brace in the middle. */
  braced: { ...STEEL, length: 2, bottom: 'pinned', top: 'pinned', springs: '1 k=4e4' },
  /** A slender pile in soft clay. */
  pile: {
    E: 210e9,
    section: 'tube 0.1143 0.0063',
    length: 12,
    bottom: 'pinned',
    top: 'pinned',
    foundation: '0 60e3; 8 60e3; 12 20e3',
    yield_stress: 355e6,
  },
  /** A portal frame on pins that sways. */
  portal: {
    E: 210e9,
    section: 'rectangle 0.02 0.02',
    nodes: '0 0 pinned; 0 4; 6 4; 6 0 pinned',
    members: `1 2 ${HEB200}; 2 3 ${IPE300}; 3 4 ${HEB200}`,
    loads: '2 0 -1; 3 0 -1',
  },
  /** Two storeys, whose wind bracing is a pair of hinged rods. */
  storeys: {
    E: 210e9,
    section: 'rectangle 0.02 0.02',
    nodes: '0 0 fixed; 6 0 fixed; 0 3.5; 6 3.5; 0 7; 6 7',
    members: `1 3 ${HEB200}; 2 4 ${HEB200}; 3 5 ${HEB200}; 4 6 ${HEB200}; 3 4 ${IPE300}; 5 6 ${IPE300}; 1 4 EI=1e4 EA=8e7 hinge=both`,
    loads: '3 0 -1; 4 0 -1; 5 0 -0.6; 6 0 -0.6',
  },
} as const satisfies Readonly<Record<string, Defaults>>;
