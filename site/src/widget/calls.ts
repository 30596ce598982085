// Calls of the API from the frame: with the token of a person of the site that shows it, or with none, and never with a cookie.
import { solution } from '../enhance/proof.ts'
import { word } from '../enhance/words.ts'

interface Answer {
  ok: boolean
  status: number
  /** Whether a proof of work is missing, or was used up. */
  needsProof?: boolean
  body: Record<string, unknown>
}

let token: string | undefined
/** The signed identity that the token came from, until another one comes. */
let given: string | undefined
let expired = (): void => undefined
/** Whether the end of a token was told, and none was good since: a site that knows no better one is asked once. */
let isTold = false

/** Calls `work` when a token has ended. */
export function whenExpired(work: () => void): void {
  expired = work
}

export const isKnown = (): boolean => token !== undefined

async function request(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(path, { ...init, credentials: 'omit' }).catch(() => undefined)
  if (!response) return { ok: false, status: 0, body: {} }
  const body = await response.json().catch(() => ({}))
  const needsProof = response.status === 403 && response.headers.has('Proof-Of-Work')
  return { ok: response.ok, status: response.status, needsProof, body }
}

/** Forgets a token that was refused. */
function forget(used: string | undefined): void {
  if (used === undefined || used !== token) return
  token = undefined
  given = undefined
  if (!isTold) expired()
  isTold = true
}

/** Calls an operation, and once more with a proof of work where the server wants one. */
export async function call(method: string, path: string, { body }: { body?: object | FormData } = {}): Promise<Answer> {
  const isForm = body instanceof FormData
  const headers = new Headers()
  const used = token
  if (used !== undefined) headers.set('Authorization', `Bearer ${used}`)
  if (body && !isForm) headers.set('Content-Type', 'application/json')
  const sent = body && { body: isForm ? body : JSON.stringify(body) }
  const init = { method, headers, ...sent }
  let answer = await request(`/api/${path}`, init)
  if (answer.needsProof) {
    const proof = await solution().catch(() => undefined)
    if (proof === undefined) return answer
    headers.set('Proof-Of-Work', proof)
    answer = await request(`/api/${path}`, init)
  }
  if (answer.status === 401) forget(used)
  else if (answer.ok && used !== undefined) isTold = false
  return answer
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
