// Identity providers of the operator whose identity assertions let clients in (IDENTITY_PROVIDERS): JSON, as the services of the operator are.
import { z } from 'zod'
import { isLoopback } from '../runtime/addresses.ts'
import { jsonIn } from '../runtime/json.ts'
import { PublicKeys } from './signing-key.ts'

const MAX_PROVIDERS = 20
const DOMAIN = /^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

/** http is for a provider on this machine, as OIDC_ISSUER has it; its keys are given then. */
const isIssuer = (text: string): boolean => {
  const url = URL.parse(text)
  if (!url || url.hash || url.search || url.username) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

const IdentityProvider = z
  .strictObject({
    issuer: z.string().max(2_000).refine(isIssuer),
    /** Its public keys; from its discovery document where they are missing. */
    jwks: PublicKeys.optional(),
    /** What its assertions name as this server; the issuer of this server where it is missing. */
    audience: z.string().min(1).max(2_000).optional(),
    /** Mail domains whose addresses it may speak for; without them it speaks for connected accounts alone. */
    emailDomains: z.array(z.string().toLowerCase().regex(DOMAIN)).max(100).default([]),
    /** The clients that it may vouch for; all with keys where none are named. */
    clients: z.array(z.string().min(1).max(2_000)).max(1_000).optional(),
  })
  .refine(({ issuer, jwks }) => issuer.startsWith('https:') || jwks !== undefined)

export type IdentityProvider = z.output<typeof IdentityProvider>

export const IDENTITY_PROVIDERS_EXPECTED =
  'a JSON array such as [{"issuer": "https://idp.example", "emailDomains": ["example.com"]}], each issuer once'

/** Reads the JSON array; undefined when one of them is not what it must be, or an issuer is there twice. */
export function parseIdentityProviders(text: string): IdentityProvider[] | undefined {
  const all = z.array(IdentityProvider).max(MAX_PROVIDERS).safeParse(jsonIn(text)).data
  return all && new Set(all.map(({ issuer }) => issuer)).size === all.length ? all : undefined
}
