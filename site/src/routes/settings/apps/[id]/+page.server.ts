import { redirect } from '@sveltejs/kit'
import { inSession } from '#lib/server/account.ts'
import { action, field, found } from '#lib/server/answers.ts'
import { scopeSentences } from '#lib/server/scopes.ts'
import { signedIn } from '#lib/server/writing.ts'
import { boundSentences } from '#lib/ui/bounds.ts'
import { type GrantBounds, hasKind, writeKinds } from '../../../../../../src/contract/bounds.ts'
import type { Actions, PageServerLoad } from './$types'

const MEGABYTE = 1024 ** 2

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const grant = await found(event.locals.api.signIns.get({ id: event.params.id }))
  const unused = grant.scopeUses.filter((use) => use.unused).map(({ scope }) => scope)
  return {
    grant,
    may: scopeSentences(event.locals.t, grant.scopes),
    unused: unused.length > 0 && unused.length < grant.scopes.length ? unused : [],
    bound: grant.bounds ? boundSentences(event.locals.t, grant.bounds) : [],
    kinds: writeKinds.map((kind) => ({
      ...{ kind, label: event.locals.t(`settings.thing.${kind}`) },
      rule: ruleOf(grant.bounds ?? undefined, kind),
    })),
    isLimited: Boolean(grant.bounds?.calls ?? grant.bounds?.writes ?? grant.bounds?.bytes ?? grant.bounds?.until),
    megabytes: grant.bounds?.bytes === undefined ? '' : String(Math.max(1, Math.round(grant.bounds.bytes / MEGABYTE))),
  }
}

/** What an app may do with a kind of write. */
function ruleOf(bounds: GrantBounds | undefined, kind: (typeof writeKinds)[number]): 'allow' | 'ask' | 'never' {
  if (bounds?.kinds && !hasKind(bounds.kinds, kind)) return 'never'
  return hasKind(bounds?.ask ?? [], kind) ? 'ask' : 'allow'
}

const numberIn = (form: FormData, name: string) => (field(form, name) === '' ? undefined : Number(field(form, name)))

/** What the form says, without what is not bound. */
function boundsIn(form: FormData, now: number): GrantBounds {
  const ruledBy = (...rules: readonly string[]) =>
    writeKinds.filter((kind) => rules.includes(field(form, `rule.${kind}`)))
  const [allowed, ask] = [ruledBy('allow', 'ask'), ruledBy('ask')]
  const [megabytes, days] = [numberIn(form, 'megabytes'), numberIn(form, 'days')]
  const until = field(form, 'until') || undefined
  return {
    ...{ calls: numberIn(form, 'calls'), writes: numberIn(form, 'writes') },
    bytes: megabytes === undefined ? undefined : Math.round(megabytes * MEGABYTE),
    kinds: allowed.length === writeKinds.length ? undefined : allowed,
    ask: ask.length === 0 ? undefined : ask,
    until: days === undefined ? until : new Date(now + days * 86_400_000).toISOString(),
  }
}

export const actions = {
  bound: action(
    (form, { locals, params }) =>
      inSession(locals.api.signIns.update({ id: params['id'] ?? '', bounds: boundsIn(form, Date.now()) })),
    () => ({ done: 'bound' }),
  ),
  narrow: action(
    (form, { locals, params }) =>
      inSession(locals.api.signIns.update({ id: params['id'] ?? '', scopes: field(form, 'scopes').split(' ') })),
    () => ({ done: 'narrowed' }),
  ),
  end: action(
    (_, { locals, params }) => inSession(locals.api.signIns.end({ id: params['id'] ?? '' })),
    () => redirect(303, '/settings/apps'),
  ),
} satisfies Actions
