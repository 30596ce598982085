// `fetch` for addresses that the operator chose in the settings: private ones are allowed, redirects are not, and there is a deadline and
// a bound. http only where the operator chose http.
import { sendGuarded } from './guarded-request.ts'

const TIMEOUT_MILLISECONDS = 10_000
const MAX_BYTES = 1_048_576

interface Asked {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | undefined
}

export async function operatorFetch(address: string, { method, headers, body }: Asked, allowsHttp: boolean) {
  const sent = { method, headers, timeoutMilliseconds: TIMEOUT_MILLISECONDS, maxBytes: MAX_BYTES }
  const reach = { isAllowed: () => true, allowsHttp }
  const received = await sendGuarded(new URL(address), { ...sent, ...(body !== undefined && { body }) }, reach)
  if (received.isCut) throw new Error(`${new URL(address).origin} sent more than ${MAX_BYTES} bytes`)
  const fields = Object.entries(received.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] satisfies [string, string]],
  )
  const isEmpty = received.status === 204 || received.status === 304
  return new Response(isEmpty ? null : new Uint8Array(received.body), { status: received.status, headers: fields })
}
