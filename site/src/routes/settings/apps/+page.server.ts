import { inSession } from '#lib/server/account.ts'
import { action, field, found } from '#lib/server/answers.ts'
import { scopeSentences } from '#lib/server/scopes.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { items, stopped } = await found(event.locals.api.signIns.list())
  return {
    signIns: items.map((signIn) => ({
      ...signIn,
      may: scopeSentences(event.locals.t, signIn.scopes),
      handedOn: signIn.handedOn.map((token) => ({
        ...token,
        may: scopeSentences(event.locals.t, token.scopes).join(', '),
      })),
    })),
    stopped,
  }
}

export const actions = {
  end: action(
    (form, { locals }) => inSession(locals.api.signIns.end({ id: field(form, 'id') })),
    (_, form) => ({ ended: field(form, 'name') }),
  ),
  endAll: action(
    (_, { locals }) => inSession(locals.api.signIns.endAll()),
    ({ ended }) => ({ endedAll: ended }),
  ),
} satisfies Actions
