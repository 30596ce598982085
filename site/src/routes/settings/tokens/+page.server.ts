import { confirmed, inSession } from '#lib/server/account.ts'
import { action, field, found } from '#lib/server/answers.ts'
import { confirming } from '#lib/server/confirming.ts'
import { scopeGroups, scopeSentences } from '#lib/server/scopes.ts'
import { workloadIn } from '#lib/server/workloads.ts'
import { signedIn } from '#lib/server/writing.ts'
import { personalScopes } from '../../../../../src/oauth/personal-tokens/rules.ts'
import { workloadScopes } from '../../../../../src/oauth/workloads/rules.ts'
import type { Actions, PageServerLoad } from './$types'

const HERE = '/settings/tokens'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { feeds, personalTokens, reauthentication, workloads } = event.locals.api
  const [{ items }, credentials, { createdAt }, programs] = await Promise.all([
    found(personalTokens.list()),
    found(reauthentication.show()),
    found(feeds.show()),
    found(workloads.list()),
  ])
  return {
    credentials,
    /** When the key of the feeds was made; null where there is none. */
    feedsSince: createdAt,
    tokens: items.map((token) => ({ ...token, may: scopeSentences(event.locals.t, token.scopes) })),
    groups: scopeGroups(event.locals.t, personalScopes),
    issuers: programs.issuers,
    workloads: programs.items.map((one) => ({ ...one, may: scopeSentences(event.locals.t, one.scopes) })),
    workloadGroups: scopeGroups(event.locals.t, workloadScopes),
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
  letIn: action(
    (form, { locals }) =>
      confirmed(inSession(locals.api.workloads.create(workloadIn(form))), `${HERE}?confirm=token#confirm`),
    ({ id, name }) => ({ letIn: { id, name } }),
  ),
  shutOut: action(
    (form, { locals }) => inSession(locals.api.workloads.remove({ id: field(form, 'id') })),
    (_, form) => ({ shutOut: field(form, 'name') }),
    { of: (form) => `shutOut ${field(form, 'id')}` },
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
