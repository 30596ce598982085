// Signing in before the consent page, and the other account steps there. The pages call the accounts' own operations, so that their
// rules and limits apply.
import { Problem } from '../../contract/problem.ts'
import { isStorable, NOT_STORABLE } from '../../contract/storable.ts'
import type { EndpointRequest, EndpointResponse, Serve } from '../../request/endpoint.ts'
import { findClient } from '../clients.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { afterSignIn, authUrl } from '../rules.ts'
import { showConsent } from './decision.ts'
import { bareRequest } from './request.ts'
import { sessionOf } from './session.ts'
import { formTarget, redirect, type SignInView, show } from './view.ts'

/** The page; its query is the authorization request to go on with. */
export function signInEndpoint(parts: OAuthContext): { GET: Serve; POST: Serve } {
  return {
    GET: async ({ url }) =>
      showSignIn(parts, url.searchParams, { step: 'address', email: url.searchParams.get('login_hint') ?? '' }),
    POST: async (received) => {
      const form = new URLSearchParams(received.body)
      const how = form.get('how')
      if (how === 'send-code') return sendCode(parts, received, form)
      return how === 'code' ? withCode(parts, received, form) : withPassword(parts, received, form)
    },
  }
}

async function showSignIn(
  parts: OAuthContext,
  request: URLSearchParams,
  {
    error,
    ...shown
  }: Pick<SignInView, 'step' | 'email'> & { error?: NonNullable<SignInView['error']> & { status: number } },
): Promise<EndpointResponse> {
  const clientId = request.get('client_id')
  const client = clientId ? await findClient((await parts.server()).provider, clientId) : undefined
  const view: SignInView = {
    route: '/oauth/sign-in',
    title: error ? 'Sign in: there is a problem' : 'Sign in',
    formTarget: formTarget(request.get('redirect_uri')),
    clientName: client && (client.clientName ?? client.clientId),
    query: request.toString(),
    siteSignInTo: siteSignInTo(request),
    error,
    ...shown,
  }
  return show(view, error?.status)
}

/**
 * The site also offers passkeys; after signing in there, it returns to the consent page. Not offered when re-authentication is
 * required.
 */
function siteSignInTo(request: URLSearchParams): string | undefined {
  if (!request.has('client_id') || request.has('max_age') || request.get('prompt')?.includes('login')) return undefined
  return `/oauth/consent?${request}`
}

function requestIn(form: URLSearchParams): URLSearchParams {
  const request = new URLSearchParams(form.get('oauth_query') ?? '')
  if (![...request].flat().every(isStorable)) throw new Problem('invalid_request', `oauth_query: ${NOT_STORABLE}`)
  return request
}

async function sendCode(
  parts: OAuthContext,
  received: EndpointRequest,
  form: URLSearchParams,
): Promise<EndpointResponse> {
  const email = form.get('email')?.trim() ?? ''
  const { status, message } = await parts.callApi(received, '/auth/sign-in/code', { email })
  if (status === 200) return showSignIn(parts, requestIn(form), { step: 'code', email })
  return showSignIn(parts, requestIn(form), { step: 'address', email, error: { field: 'email', message, status } })
}

async function withCode(
  parts: OAuthContext,
  received: EndpointRequest,
  form: URLSearchParams,
): Promise<EndpointResponse> {
  const email = form.get('email') ?? ''
  const { status, message, cookies } = await parts.callApi(received, '/auth/sign-in/code/verify', {
    email,
    code: form.get('code') ?? '',
  })
  if (status === 200) return goOn(parts, requestIn(form), cookies)
  return showSignIn(parts, requestIn(form), { step: 'code', email, error: { field: 'code', message, status } })
}

async function withPassword(
  parts: OAuthContext,
  received: EndpointRequest,
  form: URLSearchParams,
): Promise<EndpointResponse> {
  const email = form.get('email') ?? ''
  const password = form.get('password') ?? ''
  const { status, message, cookies } = await parts.callApi(received, '/auth/sign-in/email', { email, password })
  if (status === 200) return goOn(parts, requestIn(form), cookies)
  const sentence = password === '' ? 'Type your password, or have a code mailed' : message
  return showSignIn(parts, requestIn(form), {
    step: 'address',
    email,
    error: { field: message.startsWith('email') ? 'email' : 'password', message: sentence, status },
  })
}

function goOn(
  { dependencies: { config } }: OAuthContext,
  request: URLSearchParams,
  cookies: string[],
): EndpointResponse {
  // The authorization endpoint validates the request from the beginning, so nothing typed here can lead elsewhere.
  const next = request.has('client_id')
    ? `${authUrl(config)}/oauth2/authorize?${afterSignIn(request)}`
    : `${config.baseUrl}/`
  return redirect(next, cookies)
}

/** Another account, please. */
export const signOutEndpoint =
  (parts: OAuthContext): Serve =>
  async (received) => {
    const { cookies } = await parts.callApi(received, '/auth/sign-out', {})
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
    const { status, message } = await parts.callApi(received, '/community/username', { username: tried })
    const session = await sessionOf(parts.dependencies, received)
    if (status === 200 || !session) return redirect(`${parts.dependencies.config.baseUrl}/oauth/consent?${query}`)
    return showConsent(parts, session, { query, usernameError: { message, tried } })
  }
