// What moderators decide of several cases at once: what concerns the thing or its author's next step, not a whole account.
import type { RequestEvent } from '@sveltejs/kit'
import type { ManyGroup } from '#lib/features/many/many.ts'
import { decisionOptions } from '#lib/moderation.ts'
import type { Decision, ModerationRule } from '../../../../src/contract/kinds.ts'
import { field } from './answers.ts'
import { manyAction } from './many.ts'

/** Who is blocked, or loses all that it wrote, is looked at by itself. */
const DECISIONS: readonly Decision[] = ['dismiss', 'approve', 'hide', 'delete', 'warn']

export const decisionsOf = ({ t }: Pick<App.Locals, 't'>): ManyGroup[] => [
  {
    choices: decisionOptions(t)
      .filter(({ value }) => DECISIONS.includes(value))
      .map(({ value, label }) => ({ value: `decide:${value}`, label })),
  },
]

async function doOne(form: FormData, { locals: { api } }: RequestEvent) {
  const action = DECISIONS.find((decision) => field(form, 'what') === `decide:${decision}`)
  const [rule, reason] = [field(form, 'rule') as ModerationRule, field(form, 'reason')]
  return action && ((id: string) => api.moderation.decide({ id, action, rule, reason }))
}

async function nameOf(id: string, { locals: { api, t } }: RequestEvent) {
  const { target } = await api.moderation.case({ id })
  return { title: target.title || t('moderation.aThing', { type: target.type }), url: `/admin/cases/${id}` }
}

export const manyCases = manyAction<RequestEvent>(doOne, nameOf)
