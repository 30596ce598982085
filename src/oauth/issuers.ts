// The keys of issuers of ID tokens (OpenID Connect Discovery 1.0), as outgoing/key-sets.ts keeps them.
import { z } from 'zod'
import { type Fetching, fetchJson, type KeySets, keySetIn, keySets } from '../outgoing/key-sets.ts'

const https = z.url({ protocol: /^https$/ }).max(2_000)
const Discovery = z.object({ issuer: z.string(), jwks_uri: https })

/** Of the few that an operator names. */
const MOST = 100

export type IssuerKeys = KeySets['of']

/** Gives the keys of issuers; rejects where they cannot or must not be fetched. Those that are no longer allowed are forgotten. */
export function issuerKeys(dependencies: Fetching, allowed: () => readonly string[]): IssuerKeys {
  const kept = keySets(dependencies, { read: (issuer) => discovered(dependencies, issuer), most: MOST })
  return (issuer, kid) => {
    kept.keepOnly((name) => allowed().includes(name))
    return kept.of(issuer, kid)
  }
}

async function discovered(dependencies: Fetching, issuer: string) {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const metadata = Discovery.parse(await fetchJson(dependencies, address))
  if (metadata.issuer !== issuer) throw new Error(`The issuer calls itself ${metadata.issuer}`)
  return keySetIn(await fetchJson(dependencies, metadata.jwks_uri))
}
