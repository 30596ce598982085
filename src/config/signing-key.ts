// Ed25519 keys as JSON Web Keys (RFC 8037): how the settings and the data folder hold them.
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
