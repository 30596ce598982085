// One request: what fails without an answer is a NetworkError, and an error response a GuildhallError.
import { chunksOf } from './chunks.ts'
import { BoundError, GuildhallError, InputError, NetworkError, WaitingError } from './errors.ts'
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
    if (error instanceof BoundError) throw error
    throw new NetworkError(`${init.method ?? 'GET'} ${url} got no answer`, error)
  }
}

/** No answer that is JSON or a message comes near it. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024

/** The text of a response. Throws BoundError for one of more than 16 MiB. */
export async function textOf(response: FetchResponse, signal: AbortSignal | null | undefined): Promise<string> {
  try {
    return await boundedText(response)
  } catch (error) {
    throw brokenOff(error, signal)
  }
}

async function boundedText({ chunks, body }: FetchResponse): Promise<string> {
  const stream = chunks ?? body
  if (!stream) return ''
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for await (const chunk of chunksOf(stream)) {
    size += chunk.byteLength
    if (size > MAX_TEXT_BYTES) throw new BoundError('The answer has more than 16 MiB')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Why an answer could not be read to its end: the reason of the signal, or the network. */
export function brokenOff(error: unknown, signal: AbortSignal | null | undefined): unknown {
  if (error instanceof BoundError) return error
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
