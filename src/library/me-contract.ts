// Which account and scopes a caller of the library acts with.
import { z } from 'zod'
import { Id } from '../contract/fields.ts'
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
        name: z.string().nullable(),
        username: z.string().nullable(),
        email: z.string(),
        image: z.string().nullable(),
      }),
      scopes: z.array(z.string()),
    }),
  },
} satisfies Contract
