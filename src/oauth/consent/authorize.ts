// The authorization endpoint (RFC 6749, 3.1): the library checks the request, and our pages ask the person.
import type { Reply, Serve } from '../../endpoint.ts'
import type { Pages } from '../interactions.ts'
import type { Parts } from '../parts.ts'
import { settleRequest } from '../rules.ts'
import { errorPage, redirect } from './page.ts'
import { signRequest } from './request.ts'
import { sessionOf } from './session.ts'

export function authorizeEndpoint(parts: Parts): { GET: Serve; POST: Serve } {
  const serve =
    (parameters: (visit: Parameters<Serve>[0]) => URLSearchParams): Serve =>
    async (visit) => {
      const session = await sessionOf(parts.ground, visit)
      const { call } = await parts.server()
      const request = settleRequest(parameters(visit), parts.ground.config)
      const owner = session && { userId: session.userId, signedInAt: session.signedInAt, sessionId: session.id }
      const answer = await call({ method: 'GET', path: `/oauth2/authorize?${request}`, ...(owner && { owner }) })
      return replyOf(answer)
    }
  return { GET: serve(({ url }) => url.searchParams), POST: serve(({ body }) => new URLSearchParams(body)) }
}

/** The library's redirect as ours; its cookies stay here. Where it cannot redirect, a person is told. */
export function replyOf({ status, headers, text }: { status: number; headers: Headers; text: string }): Reply {
  const location = headers.get('location')
  return location ? redirect(location) : errorPage(status, sentenceOf(text))
}

function sentenceOf(text: string): string {
  try {
    const { error, error_description: description } = JSON.parse(text) as { error: string; error_description?: string }
    if (error === 'invalid_client') return 'The app that sent you here is not known to Guildhall.'
    if (error === 'invalid_redirect_uri') return 'The app asked to be returned to an address that is not its own.'
    return `The app that sent you here made a request that is not valid: ${description ?? error}.`
  } catch {
    return 'Something went wrong on our side.'
  }
}

/** Where the library sends people: with the request in the address, signed for their session where a decision is asked for. */
export function pages({ ground, keys }: Pick<Parts, 'ground'> & { keys: { secretFor(use: string): Buffer } }): Pages {
  const { config, clock } = ground
  const secret = keys.secretFor('consent')
  return {
    signIn: (request) => `${config.baseUrl}/oauth/sign-in?${request}`,
    consent: (request, { sessionId }) =>
      `${config.baseUrl}/oauth/consent?${signRequest(request, { secret, sessionId, now: clock.now() })}`,
  }
}
