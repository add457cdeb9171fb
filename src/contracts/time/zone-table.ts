// The tables of time zones that contracts may name. A definition names the release, so that a later release, which may
// move a change to summer time, does not move the deadlines of contracts that are in force.

import { nearestNames } from '../../core/nearest.ts';
import { parseZone, type Zone } from './zone.ts';
import RELEASE_2026F from './zones-2026f.json' with { type: 'json' };

interface ZoneTable {
  readonly rules: readonly string[];
  readonly zones: Readonly<Record<string, number>>;
}

const TABLES: Readonly<Record<string, ZoneTable>> = { '2026f': RELEASE_2026F };

/** Releases of the IANA Time Zone Database, oldest first. */
export const ZONE_RELEASES: readonly string[] = Object.keys(TABLES);

export const UTC: Zone = { first: 0, changes: [], yearly: [] };

const parsed = new Map<string, Zone>();

/** A zone by its name; UTC needs no release. Undefined for an unknown zone or release. */
export function zoneOf(release: string | undefined, name: string): Zone | undefined {
  if (name === 'UTC') return UTC;
  const table = release !== undefined && Object.hasOwn(TABLES, release) ? TABLES[release] : undefined;
  const index = table !== undefined && Object.hasOwn(table.zones, name) ? table.zones[name] : undefined;
  const text = index === undefined ? undefined : table?.rules[index];
  if (text === undefined) return undefined;
  const zone = parsed.get(text) ?? parseZone(text);
  parsed.set(text, zone);
  return zone;
}

/** The zone names most like an unknown one. */
export function zonesLike(release: string, name: string): readonly string[] {
  return nearestNames(name, Object.keys(TABLES[release]?.zones ?? {}), 1);
}
