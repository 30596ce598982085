// The keys of issuers of ID tokens (OpenID Connect Discovery 1.0; RFC 7517): fetched from public addresses alone, bounded, kept for ten
// minutes. A key that is not among them makes them be fetched again, at most once in ten seconds of an issuer: issuers rotate their keys.
import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { reachOf, sendGuarded } from '../../outgoing/guarded-request.ts'
import type { Dependencies } from '../../request/handler.ts'

const KEPT_MILLISECONDS = 600_000
const AGAIN_MILLISECONDS = 10_000
const TIMEOUT_MILLISECONDS = 5_000
export const MAX_ISSUER_BYTES = 128 * 1024
const MAX_KEYS = 100

const https = z.url({ protocol: /^https$/ }).max(2_000)
const Discovery = z.object({ issuer: z.string(), jwks_uri: https })
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(MAX_KEYS) })

interface KnownKeys {
  keys: JSONWebKeySet
  readAt: number
}

/** How often an issuer is asked that does not answer. */
const unanswered = () => new Error('The issuer did not answer a moment ago')

export type IssuerKeys = (issuer: string, kid: string | undefined) => Promise<JSONWebKeySet>

/** Gives the keys of issuers; rejects where they cannot or must not be fetched. Of one issuer one fetch runs at a time. */
export function issuerKeys(
  dependencies: Pick<Dependencies, 'config' | 'clock' | 'reach'>,
  allowed: () => readonly string[] = () => dependencies.config.ciIssuers,
): IssuerKeys {
  const known = new Map<string, KnownKeys>()
  const running = new Map<string, Promise<KnownKeys>>()
  const failed = new Map<string, number>()

  async function fetched(issuer: string): Promise<KnownKeys> {
    const metadata = Discovery.parse(
      await read(dependencies, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
    )
    if (metadata.issuer !== issuer) throw new Error(`The issuer calls itself ${metadata.issuer}`)
    const keys = KeySet.parse(await read(dependencies, metadata.jwks_uri))
    return { keys: keys as JSONWebKeySet, readAt: dependencies.clock.elapsed() }
  }

  function fetch(issuer: string): Promise<KnownKeys> {
    const before = running.get(issuer)
    if (before) return before
    if (dependencies.clock.elapsed() - (failed.get(issuer) ?? Number.NEGATIVE_INFINITY) < AGAIN_MILLISECONDS)
      return Promise.reject(unanswered())
    const fetching = fetched(issuer)
      .then(
        (found) => {
          known.set(issuer, found)
          failed.delete(issuer)
          return found
        },
        (error: unknown) => {
          failed.set(issuer, dependencies.clock.elapsed())
          throw error
        },
      )
      .finally(() => running.delete(issuer))
    running.set(issuer, fetching)
    return fetching
  }

  return async (issuer, kid) => {
    // Issuers that are no longer allowed are forgotten; those that are allowed are few.
    for (const kept of [known, failed]) for (const name of kept.keys()) if (!allowed().includes(name)) kept.delete(name)
    const before = known.get(issuer)
    const age = before ? dependencies.clock.elapsed() - before.readAt : Number.POSITIVE_INFINITY
    const isThere = before?.keys.keys.some((key) => kid === undefined || key.kid === kid) ?? false
    if (before && age < (isThere ? KEPT_MILLISECONDS : AGAIN_MILLISECONDS)) return before.keys
    return (await fetch(issuer)).keys
  }
}

async function read({ config, reach }: Pick<Dependencies, 'config' | 'reach'>, address: string): Promise<unknown> {
  const url = new URL(address)
  const { status, body, isCut } = await sendGuarded(
    url,
    {
      method: 'GET',
      headers: { Accept: 'application/json' },
      timeoutMilliseconds: TIMEOUT_MILLISECONDS,
      maxBytes: MAX_ISSUER_BYTES,
    },
    { ...reachOf(url, config.privateServices, reach), allowsHttp: false },
  )
  if (status !== 200) throw new Error(`${url.origin} answered ${status}`)
  if (isCut) throw new Error(`${url.origin} sent more than ${MAX_ISSUER_BYTES} bytes`)
  return JSON.parse(body.toString('utf8'))
}
