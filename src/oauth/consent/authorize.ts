// The authorization endpoint (RFC 6749, 3.1): the library checks the request, and our pages ask the user.
import type { Config } from '../../config/config.ts'
import type { EndpointResponse, Serve } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { isLoopback } from '../../runtime/addresses.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { Answer } from '../bridge.ts'
import type { Pages } from '../interactions.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { pushedRequest } from '../par.ts'
import { normalizeRequest } from '../rules.ts'
import { errorPage, leavingPage, redirect } from '../view.ts'
import { signRequest } from './request.ts'
import { sessionOf } from './session.ts'

export function authorizeEndpoint(parts: OAuthContext): { GET: Serve; POST: Serve } {
  const serve =
    (parameters: (received: Parameters<Serve>[0]) => URLSearchParams): Serve =>
    async (received) => {
      const { dependencies } = parts
      const session = await sessionOf(dependencies, received)
      const { call } = await parts.server()
      const request = normalizeRequest(
        await pushedRequest(dependencies.db, parameters(received), received.now),
        dependencies.config,
      )
      const answer = await call({ method: 'GET', path: `/oauth2/authorize?${request}`, owner: session })
      return session ? responseOf(answer, dependencies.config) : replyWithoutSession(answer, dependencies.config)
    }
  return { GET: serve(({ url }) => url.searchParams), POST: serve(({ body }) => new URLSearchParams(body)) }
}

/**
 * The response for an anonymous user. A redirect with an error would be an open redirect to any site that registered: the
 * user clicks instead (RFC 9700, 4.11.2). A loopback address is the user's own machine.
 */
function replyWithoutSession(answer: Answer, config: Config): EndpointResponse {
  const location = answer.headers.get('location')
  if (!location || location.startsWith(`${config.baseUrl}/oauth/`) || isLoopback(new URL(location).hostname)) {
    return responseOf(answer, config)
  }
  return leavingPage(location, config)
}

/** Converts the library's redirect to our response, without its cookies. If it cannot redirect, the user sees an error page. */
export function responseOf({ status, headers, text }: Answer, config: Pick<Config, 'name'>): EndpointResponse {
  const location = headers.get('location')
  return location ? redirect(location) : errorPage(status, sentenceOf(text, config))
}

function sentenceOf(text: string, { name }: Pick<Config, 'name'>): string {
  try {
    const { error, error_description: description } = parseJson<{ error: string; error_description?: string }>(text)
    if (error === 'invalid_client') return `The app that sent you here is not known to ${name}.`
    if (error === 'invalid_redirect_uri') return 'The app asked to be returned to an address that is not its own.'
    return `The app that sent you here made a request that is not valid: ${description ?? error}.`
  } catch {
    return 'Something went wrong on our side.'
  }
}

/** The pages that the library redirects users to: with the request in the address, signed for the session where a decision is needed. */
export function pages({ config, clock }: Dependencies, secret: Buffer): Pages {
  return {
    signIn: (request) => `${config.baseUrl}/oauth/sign-in?${request}`,
    consent: (request, { sessionId, standing }) =>
      `${config.baseUrl}/oauth/consent?${signRequest(request, { secret, sessionId, standing, now: clock.now() })}`,
  }
}
