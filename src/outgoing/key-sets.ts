// Sets of public keys (RFC 7517) that others publish: of issuers, of clients, of programs that sign their requests. They are fetched by the
// guarded request, over https alone, bounded, and kept for ten minutes. A key that is not among them makes them be fetched again, at most once
// in ten seconds of one name: keys are rotated. Of one name one fetch runs at a time, of all names a bounded number.
import { z } from 'zod'
import type { Clock } from '../runtime/clock.ts'
import { publicInternet, type Reach, reachOf, sendGuarded } from './guarded-request.ts'

const KEPT_MILLISECONDS = 600_000
const AGAIN_MILLISECONDS = 10_000
const TIMEOUT_MILLISECONDS = 5_000
export const MAX_KEY_SET_BYTES = 128 * 1024
const MAX_KEYS = 100
const AT_ONCE = 20

const word = z.string().optional()
/** A public key (RFC 7517, 4; RFC 7518, 6; RFC 8037). What else a set has is not kept: others choose how much that is. */
const Key = z.object({
  ...{ kty: z.string(), kid: word, use: word, alg: word, key_ops: z.array(z.string().max(20)).max(10).optional() },
  ...{ crv: word, x: word, y: word, n: word, e: word, pub: word },
})
const KeySet = z.object({ keys: z.array(Key).max(MAX_KEYS) })

export type KeySet = z.output<typeof KeySet>

export interface Fetching {
  config: { readonly privateServices: readonly string[] }
  clock: Pick<Clock, 'elapsed'>
  /** The public internet unless told otherwise. */
  reach?: Reach
}

/** The JSON at an https address; rejects for any other answer than 200, and for more than `maxBytes`. */
export async function fetchJson(
  { config, reach }: Pick<Fetching, 'config' | 'reach'>,
  address: string,
  maxBytes = MAX_KEY_SET_BYTES,
): Promise<unknown> {
  const url = new URL(address)
  const request = { method: 'GET', timeoutMilliseconds: TIMEOUT_MILLISECONDS, maxBytes } as const
  const { status, body, isCut } = await sendGuarded(
    url,
    { ...request, headers: { Accept: 'application/json' } },
    { ...reachOf(url, config.privateServices, reach), allowsHttp: false },
  )
  if (status !== 200) throw new Error(`${url.origin} answered ${status}`)
  if (isCut) throw new Error(`${url.origin} sent more than ${maxBytes} bytes`)
  return JSON.parse(body.toString('utf8'))
}

/** The same of an address that members and clients choose: no service of the operator is reached, under any name. */
export const fetchPublicJson = (
  { reach = publicInternet }: Pick<Fetching, 'reach'>,
  address: string,
  maxBytes?: number,
) => fetchJson({ config: { privateServices: [] }, reach }, address, maxBytes)

/** Throws for what is no set of at most 100 keys. */
export const keySetIn = (given: unknown): KeySet => KeySet.parse(given)

interface FetchedKeys {
  keys: KeySet
  readAt: number
}

export interface KeySets {
  /** The keys under a name; rejects where they cannot or must not be fetched. */
  of(name: string, kid?: string): Promise<KeySet>
  /** Those that are kept, without fetching them. */
  kept(name: string): KeySet | undefined
  /** Forgets the names that are no longer wanted. */
  keepOnly(isWanted: (name: string) => boolean): void
}

/** `read` fetches the keys under a name; the `most` names that were read last are kept. */
export function keySets(
  { clock }: Pick<Fetching, 'clock'>,
  { read, most }: { read(name: string): Promise<KeySet>; most: number },
): KeySets {
  const known = new Map<string, FetchedKeys>()
  const running = new Map<string, Promise<FetchedKeys>>()
  const failed = new Map<string, number>()

  function remember<Value>(map: Map<string, Value>, name: string, value: Value): void {
    map.delete(name)
    map.set(name, value)
    for (const oldest of map.keys()) {
      if (map.size <= most) break
      map.delete(oldest)
    }
  }

  function fetch(name: string): Promise<FetchedKeys> {
    const before = running.get(name)
    if (before) return before
    if (clock.elapsed() - (failed.get(name) ?? Number.NEGATIVE_INFINITY) < AGAIN_MILLISECONDS)
      return Promise.reject(new Error('The keys could not be fetched a moment ago'))
    if (running.size >= AT_ONCE) return Promise.reject(new Error('Too many sets of keys are being fetched; try again'))
    const fetching = read(name)
      .then(
        (keys) => {
          const found = { keys, readAt: clock.elapsed() }
          remember(known, name, found)
          failed.delete(name)
          return found
        },
        (error: unknown) => {
          remember(failed, name, clock.elapsed())
          throw error
        },
      )
      .finally(() => running.delete(name))
    running.set(name, fetching)
    return fetching
  }

  return {
    async of(name, kid) {
      const before = known.get(name)
      const age = before ? clock.elapsed() - before.readAt : Number.POSITIVE_INFINITY
      const isThere = before?.keys.keys.some((key) => kid === undefined || key.kid === kid) ?? false
      if (before && age < (isThere ? KEPT_MILLISECONDS : AGAIN_MILLISECONDS)) return before.keys
      return (await fetch(name)).keys
    },
    kept: (name) => known.get(name)?.keys,
    keepOnly(isWanted) {
      for (const map of [known, failed]) for (const name of map.keys()) if (!isWanted(name)) map.delete(name)
    },
  }
}
