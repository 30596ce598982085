// Signing in on the way to the consent page, and what else an account may want to do there. The pages call the accounts' own
// operations, so that their rules and limits hold.
import { Problem } from '../../contract/problem.ts'
import { isStorable, NOT_STORABLE } from '../../contract/storable.ts'
import type { Reply, Serve, Visit } from '../../request/endpoint.ts'
import { findClient } from '../clients.ts'
import type { Parts } from '../parts.ts'
import { afterSignIn, authUrl } from '../rules.ts'
import { showConsent } from './decision.ts'
import { bareRequest } from './request.ts'
import { sessionOf } from './session.ts'
import { formTarget, redirect, type SignInView, show } from './view.ts'

/** The page; its query is the authorization request to go on with. */
export function signInEndpoint(parts: Parts): { GET: Serve; POST: Serve } {
  return {
    GET: async ({ url }) =>
      showSignIn(parts, url.searchParams, { step: 'address', email: url.searchParams.get('login_hint') ?? '' }),
    POST: async (visit) => {
      const form = new URLSearchParams(visit.body)
      const how = form.get('how')
      if (how === 'send-code') return sendCode(parts, visit, form)
      return how === 'code' ? withCode(parts, visit, form) : withPassword(parts, visit, form)
    },
  }
}

async function showSignIn(
  parts: Parts,
  request: URLSearchParams,
  {
    error,
    ...shown
  }: Pick<SignInView, 'step' | 'email'> & { error?: NonNullable<SignInView['error']> & { status: number } },
): Promise<Reply> {
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

/** The site signs in by passkey, too; from there it goes on to the consent page. Not where a new proof is asked for. */
function siteSignInTo(request: URLSearchParams): string | undefined {
  if (!request.has('client_id') || request.has('max_age') || request.get('prompt')?.includes('login')) return undefined
  return `/oauth/consent?${request}`
}

function requestIn(form: URLSearchParams): URLSearchParams {
  const request = new URLSearchParams(form.get('oauth_query') ?? '')
  if (![...request].flat().every(isStorable)) throw new Problem('invalid_request', `oauth_query: ${NOT_STORABLE}`)
  return request
}

async function sendCode(parts: Parts, visit: Visit, form: URLSearchParams): Promise<Reply> {
  const email = form.get('email')?.trim() ?? ''
  const { status, message } = await parts.callApi(visit, '/auth/sign-in/code', { email })
  if (status === 200) return showSignIn(parts, requestIn(form), { step: 'code', email })
  return showSignIn(parts, requestIn(form), { step: 'address', email, error: { field: 'email', message, status } })
}

async function withCode(parts: Parts, visit: Visit, form: URLSearchParams): Promise<Reply> {
  const email = form.get('email') ?? ''
  const { status, message, cookies } = await parts.callApi(visit, '/auth/sign-in/code/verify', {
    email,
    code: form.get('code') ?? '',
  })
  if (status === 200) return goOn(parts, requestIn(form), cookies)
  return showSignIn(parts, requestIn(form), { step: 'code', email, error: { field: 'code', message, status } })
}

async function withPassword(parts: Parts, visit: Visit, form: URLSearchParams): Promise<Reply> {
  const email = form.get('email') ?? ''
  const password = form.get('password') ?? ''
  const { status, message, cookies } = await parts.callApi(visit, '/auth/sign-in/email', { email, password })
  if (status === 200) return goOn(parts, requestIn(form), cookies)
  const sentence = password === '' ? 'Type your password, or have a code mailed' : message
  return showSignIn(parts, requestIn(form), {
    step: 'address',
    email,
    error: { field: message.startsWith('email') ? 'email' : 'password', message: sentence, status },
  })
}

function goOn({ ground: { config } }: Parts, request: URLSearchParams, cookies: string[]): Reply {
  // What is asked for is checked there, from the beginning: nothing typed here leads anywhere else.
  const next = request.has('client_id')
    ? `${authUrl(config)}/oauth2/authorize?${afterSignIn(request)}`
    : `${config.baseUrl}/`
  return redirect(next, cookies)
}

/** Another account, please. */
export const signOutEndpoint =
  (parts: Parts): Serve =>
  async (visit) => {
    const { cookies } = await parts.callApi(visit, '/auth/sign-out', {})
    const request = bareRequest(requestIn(new URLSearchParams(visit.body)))
    return redirect(`${parts.ground.config.baseUrl}/oauth/sign-in?${request}`, cookies)
  }

/** A username, picked on the consent page; then back to it. */
export const usernameEndpoint =
  (parts: Parts): Serve =>
  async (visit) => {
    const form = new URLSearchParams(visit.body)
    const tried = form.get('username') ?? ''
    const query = requestIn(form)
    const { status, message } = await parts.callApi(visit, '/community/username', { username: tried })
    const session = await sessionOf(parts.ground, visit)
    if (status === 200 || !session) return redirect(`${parts.ground.config.baseUrl}/oauth/consent?${query}`)
    return showConsent(parts, session, query, { message, tried })
  }
