// Who one is in the community (interface.md, section 4, Profile and identity).
import { z } from 'zod'
import { Id } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { read, write } from '../area.ts'

export const Username = z
  .string()
  .trim()
  .min(3)
  .max(24)
  .regex(/^[A-Za-z0-9_-]*$/, 'must be letters, digits, underscores and hyphens')
  .meta({ example: 'alice' })

const Identity = z
  .object({ id: Id, username: z.string().nullable(), name: z.string().nullable(), avatarUrl: z.string().nullable() })
  .meta({ id: 'Identity' })

export const profile = {
  me: {
    summary: 'Who I am',
    method: 'GET',
    path: '/community/me',
    access: read,
    input: z.object({}),
    output: Identity,
  },
  setUsername: {
    summary: 'Choose or change my username',
    description: 'Unique without regard to case. A name that is taken or reserved is refused with 400.',
    method: 'POST',
    path: '/community/username',
    access: write,
    input: z.object({ username: Username }),
    output: z.object({ username: z.string() }),
  },
} satisfies Contract
