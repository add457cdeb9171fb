// Identities: a ZID is derived from an equation that only its holder knows. It cannot be reset.

import { concat, toHex } from '../../core/bits.ts';
import { sha256, sha256Hex, utf8 } from '../../core/sha256.ts';

export interface NewIdentity {
  readonly zid: string;
  /** With the salt, the only way back to the account and to sealed payloads. Shown once. */
  readonly equation: string;
  /** Hex. */
  readonly salt: string;
}

const ZID_DIGITS = 32;
const SALT_BYTES = 16;
const COEFFICIENTS = 7;
/** 24 bits each: 168 bits in all, printed as 8 decimal digits. */
const COEFFICIENT_BYTES = 3;

/** The public id of the equation's holder. */
export function zidOf(equation: string): string {
  return sha256Hex(equation.normalize('NFC')).slice(0, ZID_DIGITS);
}

const OWNER = utf8('svc-owner\0');

/** Commitment to the owner's equation in the first row of a machine; equation and salt prove ownership. */
export function ownerCommitOf(equation: string, salt: Uint8Array): string {
  return toHex(sha256(concat(OWNER, salt, utf8(equation.normalize('NFC')))));
}

/** A random driven, damped Duffing oscillator: seven coefficients of 24 random bits each. */
export function newIdentity(randomBytes: (count: number) => Uint8Array): NewIdentity {
  const bytes = randomBytes(COEFFICIENTS * COEFFICIENT_BYTES);
  const [a, b, c, d, e, f, g] = Array.from({ length: COEFFICIENTS }, (_, i) => coefficient(bytes, i));
  const equation = `phi'' + ${a}*phi' + ${b}*phi + ${c}*phi^3 = ${d}*cos(${e}*t + ${f}) + ${g}`;
  return { zid: zidOf(equation), equation, salt: Buffer.from(randomBytes(SALT_BYTES)).toString('hex') };
}

function coefficient(bytes: Uint8Array, i: number): string {
  const at = i * COEFFICIENT_BYTES;
  const digits = String(((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)).padStart(8, '0');
  return `${digits.slice(0, 1)}.${digits.slice(1)}`;
}
