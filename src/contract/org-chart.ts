// The chart of an org, as the gallery and the library answer it: its roles with their details, and who talks to whom.
import { z } from 'zod'
import { textLike } from './fields.ts'

const OrgRole = z
  .object({
    id: textLike('matcher'),
    title: textLike('Matcher').nullable(),
    type: textLike('worker'),
    reports_to: textLike('lead').nullable(),
    responsibilities: z.array(textLike('three-way match')),
    instructions_file: textLike('roles/matcher.md').nullable(),
    runtime: textLike('opencode').nullable(),
    model: textLike('some-model').nullable(),
    provider: z
      .object({ kind: textLike('base-url').nullable(), vendor: z.string().nullable().meta({ example: null }) })
      .nullable(),
    skills: z.array(textLike('triage')),
    policy: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ example: { git: 'none' } }),
    max_turns_per_message: z.int().nullable().meta({ example: 20 }),
    budget_tokens: z.int().nullable().meta({ example: 400_000 }),
    budget_usd: z.number().nullable().meta({ example: 2.5 }),
  })
  .meta({ id: 'OrgRole', description: 'A role as its definition has it; what it leaves out is null or empty' })

export const OrgChart = z.object({
  roles: z.array(OrgRole),
  communication: z.array(
    z.object({ from: textLike('lead'), to: textLike('matcher'), type: textLike('command').nullable() }),
  ),
})
export type OrgChart = z.infer<typeof OrgChart>
