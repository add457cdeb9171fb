// The settings of a machine as its chain states them: all of them in its first row, and again in each row `settings`.
//
// These rows are never sealed to the owner: the service stores and uses the same values in plain text, and `svc fsck`
// compares them. See decision 20.

import type { Machine, MachineSettings } from '../../storage/machines/machines.ts';

export interface StatedSettings {
  readonly name: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly settings: MachineSettings;
  /** Public key, 64 hex digits, that payloads are sealed to; null without one. */
  readonly sealingKey: string | null;
}

export function statedSettings(
  machine: Pick<Machine, 'name' | 'description' | 'isPublic' | 'settings' | 'sealingKey'>,
): StatedSettings {
  const { name, description, isPublic, settings, sealingKey = null } = machine;
  return { name, description, isPublic, settings, sealingKey };
}

/** Whether a payload states all settings. Rows of earlier versions have only those that changed. */
export function isStatedSettings(payload: unknown): payload is StatedSettings {
  const fields: Partial<StatedSettings> = typeof payload === 'object' && payload !== null ? payload : {};
  return fields.sealingKey !== undefined && fields.isPublic !== undefined && fields.name !== undefined;
}
