// Reports a thing to the moderators.
import { error, redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { action, field, found, signInPath } from '#lib/server/answers.ts'
import { type moderationRules, reportable } from '../../../../src/contract/kinds.ts'
import type { Actions, PageServerLoad } from './$types'

type TargetType = (typeof reportable)[number]

/** Reads what is to be reported, where it is read by its id; the API looks for the others when the report is sent. */
function readerOf(api: App.Locals['api'], type: TargetType): (key: { id: string }) => Promise<unknown> {
  if (type === 'bug') return api.bugs.get
  if (type === 'feature') return api.features.get
  if (type === 'post') return api.posts.get
  if (type === 'release') return api.changelog.get
  if (type === 'org') return api.orgs.get
  if (type === 'item') return api.library.get
  if (type === 'comment') return api.comments.get
  return () => Promise.resolve()
}

export const load: PageServerLoad = async ({ url, locals }) => {
  if (!(await locals.user())) redirect(303, signInPath(url))
  const given = (name: string) => url.searchParams.get(name)?.slice(0, 200) ?? ''
  const id = given('id')
  const type = reportable.find((one) => one === given('type'))
  if (!type || !id) error(404, locals.t('errors.page.404'))
  await found(readerOf(locals.api, type)({ id }))
  return { type, id, back: ownPath(given('back')) }
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
