// Signing in before the consent page, and the other account steps there. The pages call the accounts' own operations, so that their
// rules and limits apply.
import type { Config } from '../../config/config.ts'
import { Problem } from '../../contract/problem.ts'
import { isTooWeak } from '../../contract/sign-in-strength.ts'
import { isStorable, NOT_STORABLE } from '../../contract/storable.ts'
import type { EndpointRequest, EndpointResponse, Serve } from '../../request/endpoint.ts'
import { findClient, nameOf } from '../clients.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { ACR_ASKED, afterSignIn, authUrl, MAX_AGE_ASKED } from '../rules.ts'
import { formTarget, redirect, type SignInView, show } from '../view.ts'
import { showConsent } from './decision.ts'
import { bareRequest } from './request.ts'
import { sessionOf } from './session.ts'

/** The page; its query is the authorization request to go on with. */
export function signInEndpoint(parts: OAuthContext): { GET: Serve; POST: Serve } {
  return {
    GET: async (received) => {
      const { searchParams: request } = received.url
      const passkey = await passkeyAsked(parts, received, request)
      return showSignIn(parts, request, { step: 'address', email: request.get('login_hint') ?? '', passkey })
    },
    POST: (received) => submit(parts, received),
  }
}

async function showSignIn(
  parts: OAuthContext,
  request: URLSearchParams,
  {
    error,
    ...shown
  }: Pick<SignInView, 'step' | 'email' | 'passkey'> & { error?: NonNullable<SignInView['error']> & { status: number } },
): Promise<EndpointResponse> {
  const { config } = parts.dependencies
  const clientId = request.get('client_id')
  const client = clientId ? await findClient((await parts.server()).provider, clientId) : undefined
  const view: SignInView = {
    route: '/oauth/sign-in',
    title: error ? 'Sign in: there is a problem' : 'Sign in',
    formTarget: formTarget(request.get('redirect_uri')),
    clientName: client && (nameOf(client, config) ?? client.clientId),
    query: request.toString(),
    siteSignInTo: shown.passkey ? `/oauth/consent?${afterSignIn(request)}` : siteSignInTo(request),
    ...(config.signIn === 'external' && { externalTo: ownPath(config.baseUrl, afterPage(config, request)) }),
    error,
    ...shown,
  }
  return show(view, error?.status)
}

/** Whether it takes a passkey to go on: who is signed in otherwise signs out first, as it is the sign-in that is to be fresh. */
async function passkeyAsked(
  { dependencies }: OAuthContext,
  received: EndpointRequest,
  request: URLSearchParams,
): Promise<SignInView['passkey']> {
  const asked = request.get('acr_values') ?? request.get(ACR_ASKED)
  const isAsked = isTooWeak(asked, { byPasskey: false, signIn: dependencies.config.signIn })
  return isAsked ? { isSignedIn: (await sessionOf(dependencies, received)) !== undefined } : undefined
}

/**
 * The site also offers passkeys; after signing in there, it returns to the consent page. Not offered when re-authentication is
 * required.
 */
function siteSignInTo(request: URLSearchParams): string | undefined {
  if (
    !request.has('client_id') ||
    ['max_age', MAX_AGE_ASKED].some((name) => request.has(name)) ||
    request.get('prompt')?.includes('login')
  )
    return undefined
  return `/oauth/consent?${request}`
}

function requestIn(form: URLSearchParams): URLSearchParams {
  const request = new URLSearchParams(form.get('oauth_query') ?? '')
  if (![...request].flat().every(isStorable)) throw new Problem('invalid_request', `oauth_query: ${NOT_STORABLE}`)
  return request
}

/** The operation behind each button of the page, the fields it takes, and the step that is shown again after an error. */
const operations = {
  'send-code': { name: 'accounts.sendCode', fields: ['email'], step: 'address' },
  code: { name: 'accounts.signInWithCode', fields: ['email', 'code'], step: 'code' },
  password: { name: 'accounts.signIn', fields: ['email', 'password'], step: 'address' },
} as const

async function submit(parts: OAuthContext, received: EndpointRequest): Promise<EndpointResponse> {
  const form = new URLSearchParams(received.body)
  const given = (name: string) => form.get(name) ?? ''
  const how = (['send-code', 'code'] as const).find((name) => name === form.get('how')) ?? 'password'
  const { name, fields, step } = operations[how]
  const email = how === 'send-code' ? given('email').trim() : given('email')
  const values = { ...Object.fromEntries(fields.map((field) => [field, given(field)])), email }
  const { status, message, cookies } = await parts.callApi(received, name, values)
  const request = requestIn(form)
  if (status === 200) {
    return how === 'send-code' ? showSignIn(parts, request, { step: 'code', email }) : goOn(parts, request, cookies)
  }
  const isTyped = how !== 'password' || given('password') !== ''
  const error = {
    field: how === 'code' ? how : how === 'send-code' || message.startsWith('email') ? 'email' : 'password',
    message: isTyped ? message : 'Type your password, or have a code emailed',
    status,
  } as const
  return showSignIn(parts, request, { step, email, error })
}

function goOn({ dependencies: { config } }: OAuthContext, request: URLSearchParams, cookies: string[]) {
  return redirect(afterPage(config, request), cookies)
}

/** The authorization endpoint validates the request from the beginning, so nothing typed here can lead elsewhere. */
const afterPage = (config: Config, request: URLSearchParams): string =>
  request.has('client_id') ? `${authUrl(config)}/oauth2/authorize?${afterSignIn(request)}` : `${config.baseUrl}/`

const ownPath = (baseUrl: string, url: string): string => url.slice(baseUrl.length)

/** Another account, please. */
export const signOutEndpoint =
  (parts: OAuthContext): Serve =>
  async (received) => {
    const { cookies } = await parts.callApi(received, 'accounts.signOut', {})
    const request = bareRequest(requestIn(new URLSearchParams(received.body)))
    return redirect(`${parts.dependencies.config.baseUrl}/oauth/sign-in?${request}`, cookies)
  }

/** A username, picked on the consent page; then back to it. */
export const usernameEndpoint =
  (parts: OAuthContext): Serve =>
  async (received) => {
    const form = new URLSearchParams(received.body)
    const tried = form.get('username') ?? ''
    const query = requestIn(form)
    const { status, message } = await parts.callApi(received, 'profile.setUsername', { username: tried })
    const session = await sessionOf(parts.dependencies, received)
    if (status === 200 || !session) return redirect(`${parts.dependencies.config.baseUrl}/oauth/consent?${query}`)
    return showConsent(parts, session, { query, usernameError: { message, tried } })
  }
