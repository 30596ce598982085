// An appeal against a block, by the link in the mail about it: a blocked account cannot sign in.
import { error } from '@sveltejs/kit'
import { refusalIn } from '#lib/language/refusals.ts'
import { action, field, goTo, orRefusal } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ url, locals, setHeaders }) => {
  setHeaders({ 'cache-control': 'no-store' })
  if (url.searchParams.has('sent')) return { step: 'sent' as const }
  const token = url.searchParams.get('token')
  if (!token) error(404, locals.t('errors.page.404'))
  const problem = await problemOf(locals, token)
  return problem === undefined ? { step: 'write' as const, token } : { step: 'refused' as const, problem }
}

/** Why a link is good no more, said before something is written: an appeal is tried, and undone. One that is not ours is 404. */
async function problemOf({ send, t }: App.Locals, token: string): Promise<string | undefined> {
  const { refusal } = await orRefusal(send('moderation.appealByLink', { token, text: '?' }, { isDryRun: true }))
  if (!refusal) return undefined
  if (refusal.status === 400) error(404, t('refusals.noNotice'))
  const problem = refusalIn(t, refusal.message, refusal.status)
  if (refusal.status !== 409) error(refusal.status, problem)
  return problem
}

export const actions = {
  default: action(
    (form, { locals, url }) =>
      locals.api.moderation.appealByLink({ token: url.searchParams.get('token') ?? '', text: field(form, 'text') }),
    goTo('/appeal?sent'),
    { of: () => 'appeal', written: true },
  ),
} satisfies Actions
