import { confirmed, inSession } from '#lib/server/account.ts'
import { action, field, found } from '#lib/server/answers.ts'
import { confirming } from '#lib/server/confirming.ts'
import { scopeGroups, scopeSentences } from '#lib/server/scopes.ts'
import { signedIn } from '#lib/server/writing.ts'
import { personalScopes } from '../../../../../src/oauth/personal-tokens/rules.ts'
import type { Actions, PageServerLoad } from './$types'

const HERE = '/settings/tokens'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { feeds, personalTokens, reauthentication } = event.locals.api
  const [{ items }, credentials, { createdAt }] = await Promise.all([
    found(personalTokens.list()),
    found(reauthentication.show()),
    found(feeds.show()),
  ])
  return {
    credentials,
    /** When the key of the feeds was made; null where there is none. */
    feedsSince: createdAt,
    tokens: items.map((token) => ({ ...token, may: scopeSentences(event.locals.t, token.scopes) })),
    groups: scopeGroups(event.locals.t, personalScopes),
  }
}

/** The scopes that are ticked; the API refuses none at all. */
const scopesIn = (form: FormData) => personalScopes.filter((name) => form.has(`scope ${name}`))

export const actions = {
  ...confirming(() => HERE),
  make: action(
    (form, { locals }) =>
      confirmed(
        inSession(
          locals.api.personalTokens.create({
            name: field(form, 'name'),
            scopes: scopesIn(form),
            expiresInDays: Number(field(form, 'expiresInDays')),
          }),
        ),
        `${HERE}?confirm=token#confirm`,
      ),
    ({ name, token }) => ({ made: { name, token } }),
  ),
  renewFeeds: action(
    (_, { locals }) => inSession(locals.api.feeds.renew()),
    ({ feeds, skills }) => ({ feeds, skills }),
    { of: () => 'feeds' },
  ),
  endFeeds: action(
    (_, { locals }) => inSession(locals.api.feeds.end()),
    () => ({ feedsEnded: true }),
    { of: () => 'feeds' },
  ),
  revoke: action(
    (form, { locals }) => inSession(locals.api.personalTokens.revoke({ id: field(form, 'id') })),
    (_, form) => ({ revoked: field(form, 'name') }),
    { of: (form) => `revoke ${field(form, 'id')}` },
  ),
} satisfies Actions
