// One request: what fails without an answer is a NetworkError, and an error response a GuildhallError.
import { GuildhallError, InputError, NetworkError, WaitingError } from './errors.ts'
import type { FetchResponse } from './fetch-response.ts'

/** The global `fetch`, or one in its place. */
export type Fetch = (url: string, init: RequestInit) => Promise<FetchResponse>

/** A browser's `fetch` must not be called as a method of another object. */
export const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init)

/** The response, whatever its status. */
export async function respond(fetch: Fetch, url: string, init: RequestInit): Promise<FetchResponse> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason
    throw new NetworkError(`${init.method ?? 'GET'} ${url} got no answer`, error)
  }
}

/** The text of a response. */
export async function textOf(response: FetchResponse, signal: AbortSignal | null | undefined): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw brokenOff(error, signal)
  }
}

/** Why an answer could not be read to its end: the reason of the signal, or the network. */
export function brokenOff(error: unknown, signal: AbortSignal | null | undefined): unknown {
  return signal?.aborted ? signal.reason : new NetworkError('The answer broke off', error)
}

/** The JSON of a response that succeeded. */
export async function jsonOf(response: FetchResponse, signal?: AbortSignal | null): Promise<unknown> {
  const text = await textOf(response, signal)
  if (!response.ok) throw new GuildhallError(response, text)
  if (response.status === 202) throw new WaitingError(response, text)
  try {
    return text === '' ? null : JSON.parse(text)
  } catch (error) {
    throw new NetworkError('The answer is not JSON: is this the address of a Guildhall?', error)
  }
}

/** The origin of a server, without a slash at its end. */
export function originOf(url: string): string {
  if (!/^https?:\/\/[^/?#]+\/*$/.test(url))
    throw new InputError(`${url} is not the address of a server, such as https://guildhall.example`)
  return url.replace(/\/+$/, '')
}
