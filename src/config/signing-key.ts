// Settings that are JSON: Ed25519 keys as JSON Web Keys (RFC 8037), which the data folder holds like this too, and the resource servers of
// the operator, services that may ask what our access tokens are good for (RFC 7662).
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { jsonIn } from '../runtime/json.ts'

const PublicKey = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), kid: z.string().min(1) })
const PrivateKey = PublicKey.extend({ d: z.string() })

/** An Ed25519 key with a name; `d` is there when it is private. */
export interface SigningKey extends z.infer<typeof PublicKey> {
  d?: string
}

/** Reads an Ed25519 private key. Refuses one with the public half of another key: its signatures could not be verified. */
export function parsePrivateKey(text: string): SigningKey | undefined {
  const key = PrivateKey.safeParse(jsonIn(text)).data
  if (!key) return undefined
  try {
    const { x } = createPublicKey(createPrivateKey({ key, format: 'jwk' })).export({ format: 'jwk' })
    return x === key.x ? key : undefined
  } catch {
    return undefined
  }
}

/** Reads a JSON array of Ed25519 public keys. Refuses the array when one of them is private. */
export function parsePublicKeys(text: string): SigningKey[] | undefined {
  const keys = z.array(PublicKey.extend({ d: z.undefined().optional() })).safeParse(jsonIn(text)).data
  try {
    for (const key of keys ?? []) createPublicKey({ key, format: 'jwk' })
    return keys?.map(({ d: _, ...key }) => key)
  } catch {
    return undefined
  }
}

/** Public keys of any kind (RFC 7517). */
export const PublicKeys = z.object({
  keys: z
    .array(z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP', 'AKP']), d: z.undefined().optional() }))
    .min(1)
    .max(20),
})

const ResourceServer = z
  .strictObject({
    id: z.string().regex(/^[\w.-]{1,100}$/),
    /** It authenticates with this, or with one of its keys. */
    secret: z
      .string()
      .regex(/^[\x21-\x7e]{32,200}$/)
      .optional(),
    jwks: PublicKeys.optional(),
    /** Whether it may see personal access tokens, too. */
    personalTokens: z.boolean().default(false),
    /** Whether it may have a stream of signals (oauth/signals/streams.ts), which it manages with its secret. */
    signals: z.boolean().default(false),
  })
  .refine(({ secret, jwks }) => (secret === undefined) !== (jwks === undefined))
  .refine(({ secret, signals }) => !signals || secret !== undefined)

export type ResourceServer = z.output<typeof ResourceServer>

export const RESOURCE_SERVERS_EXPECTED =
  'a JSON array such as [{"id": "reports", "secret": "<32 to 200 characters>", "personalTokens": false}], each id once, with `secret` or `jwks`, and `signals` with `secret` alone'

/** Reads the JSON array; undefined when one of them is not what it must be, or an id is there twice. */
export function parseResourceServers(text: string): ResourceServer[] | undefined {
  const servers = z.array(ResourceServer).max(50).safeParse(jsonIn(text)).data
  return servers && new Set(servers.map(({ id }) => id)).size === servers.length ? servers : undefined
}
