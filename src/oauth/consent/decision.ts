// The decision: shown on a page, taken by a form of it or by a script of the site (behaviour.md, section 5).
import { Problem } from '../../contract/problem.ts'
import { isScope, scopeNames } from '../../contract/scopes.ts'
import { strengthOf } from '../../contract/sign-in-strength.ts'
import type { Transaction } from '../../database/schema.ts'
import { createGrant } from '../../identity/grants.ts'
import type { EndpointRequest, EndpointResponse, Serve } from '../../request/endpoint.ts'
import { timestamp } from '../../runtime/clock.ts'
import { objectIn } from '../../runtime/json.ts'
import { json, refuse } from '../area.ts'
import { ASKED, boundChoices, boundsChosen } from '../bounds.ts'
import { describedClient, findClient, nameOf } from '../clients.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { usePushedRequest } from '../par.ts'
import { authUrl, BOUNDS_ASKED, scopeLeft, scopesChosen } from '../rules.ts'
import { within } from '../storage.ts'
import { type ConsentView, errorPage, formTarget, redirect, show } from '../view.ts'
import { responseOf } from './authorize.ts'
import { bareRequest, openRequest, type Signer } from './request.ts'
import { type Session, sessionOf, standsStill } from './session.ts'

/**
 * GET /oauth/consent. A query that has expired, or belongs to another session, is signed again; without a session the user signs in
 * first.
 */
export const consentPageEndpoint =
  (parts: OAuthContext): Serve =>
  async (received) => {
    const query = received.url.searchParams
    const session = await sessionOf(parts.dependencies, received)
    const startAgain = redirect(`${authUrl(parts.dependencies.config)}/oauth2/authorize?${bareRequest(query)}`)
    if (!session) return startAgain
    try {
      return await showConsent(parts, session, { query })
    } catch (error) {
      if (error instanceof Problem) return startAgain
      throw error
    }
  }

export async function showConsent(
  parts: OAuthContext,
  session: Session,
  { query, usernameError }: { query: URLSearchParams; usernameError?: ConsentView['usernameError'] },
): Promise<EndpointResponse> {
  const request = openRequest(query, await signerFor(parts, session))
  const { provider } = await parts.server()
  const id = request.get('client_id') ?? ''
  const client = await findClient(provider, id)
  const described = describedClient({ clientId: id, clientName: client?.clientName }, parts.dependencies.config)
  const redirectUri = request.get('redirect_uri') ?? client?.redirectUris?.[0] ?? ''
  return show({
    route: '/oauth/consent',
    title: `Allow ${described.name}?`,
    formTarget: formTarget(redirectUri),
    client: described,
    returnsTo: returnsTo(redirectUri),
    scopes: scopeNames(request.get('scope') ?? '').filter(isScope),
    bounds: boundChoices(request.get(BOUNDS_ASKED), timestamp(parts.dependencies.clock.now())),
    account: { email: session.email, username: session.username },
    query: query.toString(),
    usernameError,
  })
}

/** The host, or the scheme by which an app on this device is opened. */
function returnsTo(redirectUri: string): string {
  const uri = URL.parse(redirectUri)
  if (!uri) return redirectUri
  return /^https?:$/.test(uri.protocol) ? uri.host : `${uri.protocol}// (an app on this device)`
}

async function signerFor({ keys, dependencies }: OAuthContext, { sessionId, standing }: Session): Promise<Signer> {
  return { secret: (await keys()).secretFor('consent'), sessionId, standing, now: dependencies.clock.now() }
}

/** POST {auth_url}/oauth2/consent, as JSON or from the form of the page. */
export const consentEndpoint =
  (parts: OAuthContext): Serve =>
  async (received) => {
    const type = received.request.headers.get('content-type') ?? ''
    const isForm = type.startsWith('application/x-www-form-urlencoded')
    try {
      if (!isForm && !/^application\/json[ \t]*(?:;|$)/i.test(type)) {
        throw new Problem('invalid_request', 'Send JSON, with Content-Type: application/json')
      }
      const { query, ...decision } = isForm ? decisionInForm(received.body) : decisionInJson(received.body)
      const session = await sessionOf(parts.dependencies, received)
      if (!session) throw new Problem('unauthorized', 'Sign in first')
      const request = openRequest(query, await signerFor(parts, session))
      const reply = await decide(parts, received, { session, request, ...decision })
      const url = reply.headers?.['Location']
      if (isForm) return reply
      return url ? json(200, { redirect: true, url }) : json(reply.status, { error: 'invalid_request' })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const refusal = refuse(error)
      return isForm ? errorPage(refusal.status, `${error.message}.`) : refusal
    }
  }

interface Decision {
  accept: boolean
  /** What the person chose: a preset, or what the app asks for. */
  bounds: string
  /** The scopes that they left in; all of them unless told. */
  scopes: string[] | undefined
  query: URLSearchParams
}

function decisionInForm(body: string): Decision {
  const form = new URLSearchParams(body)
  return {
    accept: form.get('accept') === 'true',
    bounds: form.get('bounds') ?? ASKED,
    scopes: scopesChosen(form),
    query: new URLSearchParams(form.get('oauth_query') ?? ''),
  }
}

function decisionInJson(body: string): Decision {
  const { accept, oauth_query: query, bounds = ASKED, scope } = objectIn(body) ?? {}
  if (typeof bounds !== 'string') throw new Problem('invalid_request', 'bounds: must be the name of a preset')
  if (scope !== undefined && typeof scope !== 'string')
    throw new Problem('invalid_request', 'scope: must be the scopes that are left in, separated by spaces')
  if (typeof accept !== 'boolean') throw new Problem('invalid_request', 'accept: must be true or false')
  if (typeof query !== 'string')
    throw new Problem('invalid_request', 'oauth_query: must be the query of the consent page')
  const scopes = scope === undefined ? undefined : scopeNames(scope)
  return { accept, bounds, scopes, query: new URLSearchParams(query) }
}

interface DecideOptions extends Omit<Decision, 'query'> {
  session: Session
  request: URLSearchParams
}

/** The redirect to the client. */
async function decide(
  parts: OAuthContext,
  received: EndpointRequest,
  { session, request: asked, accept, bounds: choice, scopes }: DecideOptions,
) {
  const { provider, call } = await parts.server()
  const request = new URLSearchParams(asked)
  if (accept) request.set('scope', scopeLeft(asked.get('scope') ?? '', scopes))
  const path = `/oauth2/authorize?${request}`
  // Looked up before the transaction: a client may be a document somewhere.
  const client = await findClient(provider, request.get('client_id') ?? '')
  if (!accept || !client)
    return responseOf(
      await call({ method: 'GET', path, owner: { ...session, decision: 'denied' } }),
      parts.dependencies.config,
    )
  const bounds = boundsChosen(choice, request.get(BOUNDS_ASKED), received.now)
  const makeCode = (db: Transaction) =>
    within(
      db,
      async () => {
        if (!(await standsStill(db, session, received.now))) {
          throw new Problem(
            'unauthorized',
            'Your account has changed since this page was shown; sign in and start again',
          )
        }
        if (!(await usePushedRequest(db, request))) {
          throw new Problem('invalid_request', 'This request was answered already; start again')
        }
        const grant = await createGrant(db, received, {
          userId: session.userId,
          clientId: client.clientId,
          clientName: nameOf(client, parts.dependencies.config) ?? null,
          sessionId: session.sessionId,
          scope: request.get('scope') ?? '',
          bounds,
          acr: strengthOf(session),
        })
        const decision = { grantId: grant.id }
        return responseOf(
          await call({ method: 'GET', path, owner: { ...session, decision } }),
          parts.dependencies.config,
        )
      },
      { redirectOmitted: !request.has('redirect_uri') },
    )
  return parts.dependencies.db.transaction().execute(makeCode)
}
