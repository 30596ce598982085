import type { Helper } from '#lib/features/helpers.ts'
import type { SiteWords } from '#lib/language/catalogue.ts'
import { inSession } from '#lib/server/account.ts'
import { action, field, found } from '#lib/server/answers.ts'
import { scopeSentences } from '#lib/server/scopes.ts'
import { signedIn } from '#lib/server/writing.ts'
import { boundSentences } from '#lib/ui/bounds.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { items, stopped } = await found(event.locals.api.signIns.list())
  return {
    signIns: items.map((signIn) => ({
      ...signIn,
      may: scopeSentences(event.locals.t, signIn.scopes),
      helpers: treeOf(event.locals.t, signIn.handedOn),
    })),
    stopped,
  }
}

type HandedOn = Awaited<ReturnType<App.Locals['api']['signIns']['list']>>['items'][number]['handedOn']

/** The helpers of an app, each with those below it. A helper lasts a quarter of an hour at most, so its end is a time and no day. */
function treeOf(t: SiteWords, helpers: HandedOn, parentId: string | null = null): Helper[] {
  return helpers
    .filter((one) => one.parentId === parentId)
    .map(({ id, name, scopes, bounds, createdAt, expiresAt, lastUsedAt }) => {
      const { until: _, ...bound } = bounds ?? {}
      const may = [...scopeSentences(t, scopes), ...boundSentences(t, bound)]
      return { id, name, may, createdAt, expiresAt, lastUsedAt, below: treeOf(t, helpers, id) }
    })
}

export const actions = {
  endHelper: action(
    (form, { locals }) =>
      inSession(locals.api.signIns.endHelper({ id: field(form, 'id'), helperId: field(form, 'helperId') })),
    (_, form) => ({ endedHelper: field(form, 'name') }),
  ),
  end: action(
    (form, { locals }) => inSession(locals.api.signIns.end({ id: field(form, 'id') })),
    (_, form) => ({ ended: field(form, 'name') }),
  ),
  endAll: action(
    (_, { locals }) => inSession(locals.api.signIns.endAll()),
    ({ ended }) => ({ endedAll: ended }),
  ),
} satisfies Actions
