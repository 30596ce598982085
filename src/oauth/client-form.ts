// Client identification at the endpoints that take forms. Most clients are public: the id is all they have. Those with keys sign (client-authentication.ts).
import type { Config } from '../config/config.ts'
import { Problem } from '../contract/problem.ts'
import type { EndpointRequest, EndpointResponse } from '../request/endpoint.ts'

const FORM = 'application/x-www-form-urlencoded'

interface ClientForm {
  form: URLSearchParams
  /** The request headers that the library sees. */
  headers: Record<string, string>
}

/**
 * The parameters of a form. A client that sends its id and an empty secret in `Authorization: Basic` is treated like one that sends
 * its id in the form (RFC 6749, 2.3.1); many libraries support no other way.
 */
export function formIn({ request, body }: Pick<EndpointRequest, 'request' | 'body'>): ClientForm {
  const form = new URLSearchParams(body)
  const authorization = request.headers.get('authorization')
  const proof = request.headers.get('dpop')
  const clientId = authorization === null ? undefined : idWithoutSecret(authorization)
  if (clientId !== undefined && form.has('client_id') && form.get('client_id') !== clientId) {
    throw new Problem('invalid_request', 'client_id mismatch')
  }
  if (clientId !== undefined) form.set('client_id', clientId)
  if (form.get('client_secret') === '') form.delete('client_secret')
  return {
    form,
    headers: {
      'content-type': FORM,
      ...(authorization !== null && clientId === undefined && { authorization }),
      ...(proof !== null && { dpop: proof }),
    },
  }
}

/** Throws for a body that does not say it is a form. */
export function requireForm({ headers }: Request): void {
  const type = headers.get('content-type') ?? ''
  if (!type.toLowerCase().startsWith(FORM)) throw new Problem('invalid_request', `Send the parameters as ${FORM}`)
}

/** The id in Basic credentials without a secret; undefined for any other. */
function idWithoutSecret(authorization: string): string | undefined {
  const encoded = authorization.match(/^basic +([\w+/=-]+) *$/i)?.[1]
  const credentials = encoded && Buffer.from(encoded, 'base64').toString('utf8')
  if (!credentials?.endsWith(':') || credentials === ':') return undefined
  try {
    return decodeURIComponent(credentials.slice(0, -1).replaceAll('+', '%20'))
  } catch {
    return undefined
  }
}

/** A 401 names the way to authenticate (RFC 9110, 15.5.2), even if the client sent no credential. */
export function challenged(reply: EndpointResponse, { issuer }: Pick<Config, 'issuer'>): EndpointResponse {
  if (reply.status !== 401 || reply.headers?.['WWW-Authenticate']) return reply
  return { ...reply, headers: { ...reply.headers, 'WWW-Authenticate': `Basic realm="${issuer}"` } }
}
