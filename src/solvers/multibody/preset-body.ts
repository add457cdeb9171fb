// A body of a preset: what of a request's body the presets use.

interface PresetOrbit {
  readonly a: number;
  readonly e?: number;
  readonly inclination?: number;
  readonly node?: number;
  readonly periapsis?: number;
  readonly anomaly?: number;
}

export interface PresetBody {
  readonly mass: number;
  readonly position?: number | readonly number[];
  readonly velocity?: readonly number[];
  readonly orbit?: PresetOrbit;
  readonly location?: 'earth' | 'moon';
  readonly medium?: 'air' | 'water';
  readonly object?: string;
  readonly phi0?: number;
  readonly dphi0?: number;
}
