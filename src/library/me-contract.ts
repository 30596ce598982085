// Which account and scopes a caller of the library acts with.
import { z } from 'zod'
import { AvatarUrlOrNull, Id, NameOrNull, textLike, UsernameOrNull } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { anyCredential } from './area.ts'

export const own = {
  me: {
    summary: 'Whose credential this is, and what it may do',
    method: 'GET',
    path: '/library/me',
    tool: { name: 'get_me', title: 'Get my account and scopes' },
    access: anyCredential,
    input: z.object({}),
    output: z.object({
      user: z.object({
        id: Id,
        name: NameOrNull,
        username: UsernameOrNull,
        email: textLike('mira@example.com'),
        image: AvatarUrlOrNull,
      }),
      scopes: z.array(z.string()).meta({ example: ['library:read', 'offline_access'] }),
    }),
  },
} satisfies Contract
