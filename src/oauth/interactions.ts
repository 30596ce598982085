// The prompts of an authorization request and the pages that show them. The library raises the prompts; the pages are ours.
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { isTooWeak } from '../contract/sign-in-strength.ts'
import { epochTime } from './library-time.ts'
import { ACR_ASKED, MAX_AGE_ASKED } from './rules.ts'

type Context = KoaContextWithOIDC
type Library = typeof import('oidc-provider')

/** The user of an authorization request, and their decision. */
export interface Owner {
  sessionId: string
  /** State that a decision depends on besides the session (consent/session.ts). */
  standing: string
  userId: string
  /** When they signed in, in seconds since 1970. */
  signedInAt: number
  /** Whether a passkey opened or confirmed the session. */
  byPasskey: boolean
  decision?: 'denied' | { grantId: string }
}

/** The library's result for a request that needs the user: the page to show, with the request in its address. */
export interface Pages {
  signIn(request: URLSearchParams): string
  consent(request: URLSearchParams, owner: Owner): string
}

/** A request can raise two prompts, sign-in and consent. Our pages show both. */
export function interactions(
  { interactionPolicy, errors }: Library,
  pages: Pages,
  { ownerOf, waysIn }: { ownerOf(context: Context): Owner | undefined; waysIn(): string },
): Configuration['interactions'] {
  const { Prompt, Check, base } = interactionPolicy
  const login = new Prompt(
    { name: 'login', requestable: true },
    new Check('no_session', 'The user is not signed in', 'login_required', (context) => {
      const owner = ownerOf(context)
      if (!owner || !context.oidc.account) return true
      const asked = context.oidc.params
      const maxAge = asked?.['max_age'] ?? asked?.[MAX_AGE_ASKED]
      return !owner.decision && (context.oidc.prompts.has('login') || isTooOld(owner, maxAge))
    }),
    // Told apart from the other, so that a client that asks without a page hears why (RFC 9470, 5).
    new Check(
      'too_weak',
      'The user has not signed in with a passkey',
      'unmet_authentication_requirements',
      (context) => {
        const owner = ownerOf(context)
        const asked = context.oidc.params
        return (
          owner !== undefined &&
          !owner.decision &&
          isTooWeak(asked?.['acr_values'] ?? asked?.[ACR_ASKED], { ...owner, signIn: waysIn() })
        )
      },
    ),
  )
  const consent = new Prompt(
    { name: 'consent', requestable: true },
    new Check('no_consent', 'The user has not consented', 'consent_required', (context) => {
      const decision = ownerOf(context)?.decision
      if (decision === 'denied') throw new errors.AccessDenied('the request was declined')
      return decision === undefined
    }),
  )
  // The library's built-in checks look at the prompt parameter alone; ours know the decision.
  login.checks.remove('login_prompt')
  consent.checks.remove('consent_prompt')
  const policy = base()
  policy.splice(0, policy.length, login, consent)
  return {
    policy,
    url: (context, { params, prompt }) => {
      const given = Object.entries(params).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      )
      const request = new URLSearchParams(given)
      // The library fills in the only redirect URI there is; that it was left out must be known when the code is exchanged.
      if (!new URLSearchParams(context.querystring).has('redirect_uri')) request.delete('redirect_uri')
      const owner = ownerOf(context)
      return prompt.name === 'consent' && owner ? pages.consent(request, owner) : pages.signIn(request)
    },
  }
}

const isTooOld = ({ signedInAt }: Owner, maxAge: unknown) =>
  maxAge !== undefined && signedInAt + Number(maxAge) < epochTime()
