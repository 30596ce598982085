// Reports a thing to the moderators.
import { redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { action, field, signInPath } from '#lib/server/answers.ts'
import type { moderationRules, reportable } from '../../../../src/contract/moderation-kinds.ts'
import type { Actions, PageServerLoad } from './$types'

type TargetType = (typeof reportable)[number]

export const load: PageServerLoad = async ({ url, locals }) => {
  if (!(await locals.user())) redirect(303, signInPath(url))
  const given = (name: string) => url.searchParams.get(name)?.slice(0, 200) ?? ''
  return { type: given('type'), id: given('id'), back: ownPath(given('back')) }
}

export const actions = {
  report: action(
    (form, { locals }) =>
      locals.api.reports.create({
        targetType: field(form, 'type') as TargetType,
        targetId: field(form, 'id'),
        reason: field(form, 'reason') as (typeof moderationRules)[number],
        text: field(form, 'text').trim() || undefined,
      }),
    (_, form) => ({ done: ownPath(field(form, 'back')) }),
    { written: true },
  ),
} satisfies Actions
