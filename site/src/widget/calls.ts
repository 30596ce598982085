// Calls of the API from the frame: with the token of a person of the site that shows it, or with none, and never with a cookie.
import { word } from '../enhance/words.ts'

interface Answer {
  ok: boolean
  status: number
  body: Record<string, unknown>
}

let token: string | undefined
/** The signed identity that the token came from, until another one comes. */
let given: string | undefined

export const isKnown = (): boolean => token !== undefined

async function request(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(path, { ...init, credentials: 'omit' }).catch(() => undefined)
  if (!response) return { ok: false, status: 0, body: {} }
  const body = await response.json().catch(() => ({}))
  return { ok: response.ok, status: response.status, body }
}

/** Calls an operation; `proof` is a proof of work. */
export function call(
  method: string,
  path: string,
  { body, proof }: { body?: object | FormData; proof?: string | undefined } = {},
): Promise<Answer> {
  const isForm = body instanceof FormData
  const headers = new Headers()
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
  if (proof !== undefined) headers.set('Proof-Of-Work', proof)
  if (body && !isForm) headers.set('Content-Type', 'application/json')
  const sent = body && { body: isForm ? body : JSON.stringify(body) }
  return request(`/api/${path}`, { method, headers, ...sent })
}

/** Exchanges a signed identity; gives the name of its account, and undefined for a guest. */
export async function become(identity: unknown): Promise<string | undefined> {
  token = undefined
  given = typeof identity === 'string' ? identity : undefined
  if (given === undefined) return undefined
  const asked = given
  const { ok, body } = await call('POST', 'community/widget/identity', { body: { identity: asked } })
  // Another one may have come in the meantime.
  if (!ok || asked !== given) return undefined
  token = String(body['token'])
  return String(body['username'] ?? '')
}

/** Why a call was refused, in the language of the page. */
export async function whyOf({ status, body }: Answer): Promise<string> {
  if (status === 0) return word('widget.offline')
  const said = String(body['error'] ?? body['message'] ?? '')
  const { lang } = document.documentElement
  if (said === '' || lang === 'en') return said || word('widget.failed')
  const init = { method: 'POST', body: said, headers: { 'Accept-Language': lang } } as const
  const response = await fetch('/refusal', { ...init, credentials: 'omit' }).catch(() => undefined)
  return response?.ok ? response.text() : said
}
