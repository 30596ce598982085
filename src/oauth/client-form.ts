// Client identification at the endpoints that take forms. Most clients are public: the id is all they have. Others sign or show a secret
// (client-authentication.ts).
import type { Config } from '../config/config.ts'
import { Problem } from '../contract/problem.ts'
import type { EndpointRequest, EndpointResponse } from '../request/endpoint.ts'
import type { PresentedSecret } from './secret-clients/secret-clients.ts'

const FORM = 'application/x-www-form-urlencoded'

export interface ClientForm {
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

/** The id in Basic credentials without a secret; undefined for any other. An id that is an address has colons, which many do not encode. */
function idWithoutSecret(authorization: string): string | undefined {
  const credentials = basicText(authorization)
  return credentials?.endsWith(':') && credentials !== ':' ? decoded(credentials.slice(0, -1)) : undefined
}

/** The id and the secret in Basic credentials, decoded (RFC 6749, 2.3.1); undefined for what is none. */
export function basicCredentials(authorization: string): { id: string; secret: string } | undefined {
  const parts = basicText(authorization)?.split(':') ?? []
  const [id, secret] = parts.map(decoded)
  return parts.length === 2 && id !== undefined && secret !== undefined ? { id, secret } : undefined
}

function basicText(authorization: string): string | undefined {
  const encoded = authorization.match(/^basic +([\w+/=-]+) *$/i)?.[1]
  return encoded && Buffer.from(encoded, 'base64').toString('utf8')
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', '%20'))
  } catch {
    return undefined
  }
}

/**
 * The secret in a request, after `formIn`; undefined where there is none. Throws where a client authenticates in two ways, or names
 * itself differently in them (RFC 6749, 2.3).
 */
export function presentedSecret({ headers }: Request, form: URLSearchParams): PresentedSecret | undefined {
  const basic = basicCredentials(headers.get('authorization') ?? '')
  const inHeader = basic && basic.secret !== '' ? basic : undefined
  const inForm = form.getAll('client_secret')
  const ways = [inHeader !== undefined, ...inForm.map(() => true), form.has('client_assertion')].filter(Boolean)
  if (!inHeader && inForm.length === 0) return undefined
  if (ways.length > 1 || form.getAll('client_id').length > 1)
    throw new Problem('invalid_request', 'authenticate in one way alone')
  const named = form.get('client_id')
  if (inHeader && named !== null && named !== inHeader.id) throw new Problem('invalid_request', 'client_id mismatch')
  return inHeader
    ? { clientId: inHeader.id, secret: inHeader.secret, method: 'client_secret_basic' }
    : { clientId: named ?? '', secret: inForm[0] ?? '', method: 'client_secret_post' }
}

/** A 401 names the way to authenticate (RFC 9110, 15.5.2), even if the client sent no credential. */
export function challenged(reply: EndpointResponse, { issuer }: Pick<Config, 'issuer'>): EndpointResponse {
  if (reply.status !== 401 || reply.headers?.['WWW-Authenticate']) return reply
  return { ...reply, headers: { ...reply.headers, 'WWW-Authenticate': `Basic realm="${issuer}"` } }
}
