// Avatar image of a machine's token.

import { z } from 'zod';
import { fromBase64 } from '../../../core/bits.ts';
import { DomainError } from '../../../core/errors.ts';
import { LIMITS } from '../../../core/limits.ts';
import { printable } from '../../../core/text-schema.ts';
import { defineOperation, media } from '../../operation.ts';
import { success } from '../../schemas.ts';
import { WRITE_ERRORS } from '../errors.ts';
import { Logged, Slug } from '../schemas.ts';
import { Avatar } from './schemas.ts';

const { avatar } = LIMITS.tally;

export const setAvatar = defineOperation({
  name: 'tally.set-avatar',
  summary: 'Set the avatar of the token. Re-encoding strips everything but the pixels.',
  route: 'POST /api/chain/{slug}/tally/token/avatar',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    data: printable(z.string().min(4)).describe(
      `Base64 of a PNG, JPEG or WebP of at most ${avatar.bytes} bytes and ${avatar.side} × ${avatar.side} pixels.`,
    ),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/webp']).optional().describe('Must match the content.'),
  }),
  output: success({ ...Logged, avatar: Avatar }),
  errors: [...WRITE_ERRORS, 'BODY_TOO_LARGE'],
  handle: async ({ data, media_type }, { services }, { machine, by }) => {
    const { row, avatar: stored } = await services.tally.setAvatar(machine, by, bytesOf(data), media_type);
    return { ...row, avatar: avatarRecord(stored) };
  },
});

export const getAvatar = defineOperation({
  name: 'tally.avatar',
  summary: "Avatar image of a machine's token.",
  route: 'GET /api/chain/{slug}/tally/token/avatar',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  caching: 'etag',
  input: z.object({ slug: Slug }),
  output: { ...media('image/png'), others: ['image/jpeg', 'image/webp'] },
  errors: [],
  handle: (_, { services }, { machine }) => services.tally.readAvatar(machine),
});

export const avatarRecord = ({
  mediaType,
  ...more
}: {
  mediaType: string;
  sha256: string;
  width: number;
  height: number;
  svcond: number;
}) => ({
  media_type: mediaType,
  ...more,
});

/** @throws DomainError VALIDATION_FAILED */
function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(data);
  if (bytes !== undefined) return bytes;
  const message = 'data is not base64 (RFC 4648 §4, with padding).';
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'data', code: 'NOT_BASE64', message }] });
}
