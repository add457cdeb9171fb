// Schemas shared by operations. Field names follow the specification.

import { z } from 'zod';
import { parseWhole } from '../core/decimal.ts';
import { LIMITS } from '../core/limits.ts';
import { singleLine } from '../core/text-schema.ts';

/** A response; `invoke` sets `ok`. */
export const success = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ok: z.literal(true).describe('Always true on success.'), ...shape });

export const Hex32 = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .describe('32 lower-case hex digits.');
export const Hex64 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('64 lower-case hex digits.');
export const Sha256 = Hex64.describe('SHA-256, 64 lower-case hex digits.');

export const Tick = z.int().min(0).describe('A tick of 0.777000777 s, counted from the Unix epoch.');

export const Timestamp = z.iso.datetime().describe('ISO 8601, UTC.');

export const Folder = z
  .string()
  .min(1)
  .max(LIMITS.folderCharacters)
  .regex(/^[\w .-]+$/)
  .describe('Files the run under this name in the library of the key.');

export const OperatorId = z
  .string()
  .regex(/^([A-Z]{2,5}[0-9]{1,4}|[A-Z]+(_[A-Z]+)+|SVC-PROTECT-[0-9]{3})$/)
  .describe('Id of an operator, for example CHE17.');

export const SvcProof = Hex64.describe('HMAC-SHA256 receipt, 64 hex digits.');

/** svc_ak_ or svc_ak_demo_ and eight characters; `public` and `playground` for keyless calls. */
export const KeyPrefix = singleLine(32).describe('Public prefix of an API key; it selects the receipt key.');

/** An object whose values may be anything. */
export const JsonObject = z.record(singleLine(64, 0), z.unknown());

/** A whole number in a query or path, where it comes as text: decimal digits only. */
export const queryInt = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  z.preprocess((given) => (typeof given === 'string' ? parseWhole(given) : given), z.int().min(min).max(max));

/** A whole number from 0 in a query. */
export const QueryInt = queryInt(0);

/** A row count in a query. */
export const queryCount = ({ default: defaultCount, max }: { readonly default: number; readonly max: number }) =>
  queryInt(1, max).default(defaultCount);

/** Documents a default in JSON Schema, which zod omits if the schema converts its input, as `queryInt` does. */
export function documentDefault({ zodSchema, jsonSchema }: DocumentedSchema): void {
  const { def } = zodSchema._zod;
  if (def.type === 'default') jsonSchema.default = def.defaultValue;
}

interface DocumentedSchema {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: { default?: unknown };
}

/** Query parameters of a paginated list. */
export const PAGE = {
  limit: queryCount(LIMITS.pageSize).describe('Rows per page.'),
  cursor: singleLine(512, 0).optional().describe('`next_cursor` of the previous page.'),
};

/** Pagination with a row number as the cursor. */
export const SEQ_PAGE = {
  limit: PAGE.limit,
  cursor: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .describe('`next_cursor` of the previous page.'),
};

/** Converts SEQ_PAGE to the options of services. */
export const beforeSeq = ({ limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }) => ({
  limit,
  before: cursor === undefined ? undefined : Number(cursor),
});

export const NextCursor = z.string().nullable();

/** Response with a complete list. */
export const rowsOf = <Row extends z.ZodType>(row: Row) => success({ rows: z.array(row) });

/** Response with one page of a list. */
export const pageOf = <Row extends z.ZodType>(row: Row) => success({ rows: z.array(row), next_cursor: NextCursor });

/** Converts a page of a service to that response. */
export const pageRecord = <Row>({ rows, nextCursor }: { rows: readonly Row[]; nextCursor: string | undefined }) => ({
  rows,
  next_cursor: nextCursor ?? null,
});

export const PublicKey = z
  .strictObject({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: z.string(),
    kid: z.string().describe('RFC 7638 thumbprint.'),
    alg: z.literal('EdDSA'),
    use: z.literal('sig'),
  })
  .meta({ id: 'PublicKey', description: 'An Ed25519 public key as a JWK.' });

/** Signature of a DSSE envelope. */
export const Signature = z.strictObject({ keyid: z.string(), sig: z.string() });

export const ErrorBody = z
  .object({
    ok: z.literal(false),
    error: z.string(),
    code: z.string(),
    request_id: z.string(),
    details: z.array(z.strictObject({ path: z.string(), code: z.string(), message: z.string() })).optional(),
  })
  .loose()
  .meta({ id: 'Error', description: 'Every error has this shape; `code` is stable.' });
