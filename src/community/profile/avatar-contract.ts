// The picture of an account: one under a fixed key, which a new one overwrites (interface.md, section 2, User / identity).
import { z } from 'zod'
import { everybody, write } from '../../content/area.ts'
import { AvatarWidth, picture, pictureTypes } from '../../content/pictures-contract.ts'
import { EXAMPLE_ID, Id, Timestamp, textLike } from '../../contract/fields.ts'
import { memberFile } from '../../contract/files.ts'
import type { Contract } from '../../contract/operation.ts'

export const avatars = {
  set: {
    summary: 'Set my picture, in place of the one before',
    synonyms: ['avatar', 'upload avatar', 'profile picture', 'change photo'],
    description:
      'PNG, JPEG or WebP by its bytes, at most 2 MB and 25 megapixels. It is decoded and written again, so that nothing but the picture stays, at most 192 pixels wide and high.',
    method: 'POST',
    kind: 'profile',
    path: '/community/profile/avatar',
    access: write,
    budget: 'images',
    input: z.object({}),
    upload: { fields: z.object({}), files: { avatar: picture } },
    output: z.object({ avatarKey: textLike(`avatars/${EXAMPLE_ID}`), updatedAt: Timestamp }),
    problems: ['rate_limited'],
  },
  show: {
    summary: 'The picture of an account',
    description:
      'May be cached forever: `v` in an address changes with the picture. That of a blocked account is not found.',
    method: 'GET',
    path: '/images/avatar/avatars/{userId}',
    access: everybody,
    input: z.object({ userId: Id, width: AvatarWidth }),
    output: memberFile(...pictureTypes),
    problems: ['not_found'],
  },
} satisfies Contract
