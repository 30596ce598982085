// The usage of the caller's account: stored bytes, and remaining budgets (behaviour.md, section 7).
import { z } from 'zod'
import type { Contract } from '../contract/operation.ts'
import { signedIn } from '../identity/area.ts'

const Standing = z
  .object({
    policy: z.string().meta({ description: 'The name that the RateLimit headers use', example: 'comments-hour' }),
    quota: z.int().meta({ example: 120 }),
    remaining: z.int().meta({ example: 118 }),
    windowSeconds: z.int().meta({ example: 3600 }),
    resetsInSeconds: z.int().meta({ example: 1800, description: 'When the whole quota is available again' }),
  })
  .meta({ id: 'BudgetStanding' })

export const usage = {
  get: {
    summary: 'Get the stored bytes and remaining budgets of my account',
    description: 'Bytes are those of library versions, orgs, runs and images. Admins have no budgets.',
    method: 'GET',
    path: '/account/usage',
    access: signedIn,
    input: z.object({}),
    output: z.object({
      storedBytes: z.int().meta({ example: 4096 }),
      storedBytesLimit: z.int().nullable().meta({ example: 2_147_483_648, description: 'null for no limit' }),
      budgets: z.array(Standing),
    }),
  },
} satisfies Contract
