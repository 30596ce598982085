// How a client says who it is at the endpoints that take forms. Clients here are public: their id is all they have.
import type { Config } from '../config/config.ts'
import { Problem } from '../contract/problem.ts'
import type { EndpointRequest, EndpointResponse } from '../request/endpoint.ts'

const FORM = 'application/x-www-form-urlencoded'

interface ClientForm {
  form: URLSearchParams
  /** What the library is to see of the request's headers. */
  headers: Record<string, string>
}

/**
 * The parameters of a form. A client that puts its id and an empty secret into `Authorization: Basic` says what one says that
 * puts its id into the form alone (RFC 6749, 2.3.1); many libraries know no other way.
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

/** A 401 says how to authenticate (RFC 9110, 15.5.2), also to a client that did not try. */
export function challenged(reply: EndpointResponse, { issuer }: Pick<Config, 'issuer'>): EndpointResponse {
  if (reply.status !== 401 || reply.headers?.['WWW-Authenticate']) return reply
  return { ...reply, headers: { ...reply.headers, 'WWW-Authenticate': `Basic realm="${issuer}"` } }
}
