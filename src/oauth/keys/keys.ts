// The keys that sign JWTs (RFC 8037): one that signs, and older ones that stay published until their signatures have expired.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from '../../config/config.ts'
import { parsePrivateKey, type SigningKey } from '../../config/signing-key.ts'
import { makeDurableFolder, syncFolder } from '../../runtime/durable.ts'
import { derivedSecret, type SecretFor } from '../../runtime/hash.ts'
import { once } from '../../runtime/once.ts'
import { detailsOf, required } from '../../runtime/untyped.ts'

const FILE = 'signing-key.json'

export interface Keys {
  signing: SigningKey
  /** Keys for the jwks endpoint, without private parts. */
  published: readonly SigningKey[]
  /** 32 secret bytes for one use, which the database does not contain. They outlast a signing key where SECRETS_KEY is set. */
  secretFor(use: string): Buffer
  /** The same of the signing key itself: for what is made afresh with another one. */
  signingSecretFor(use: string): Buffer
}

/** A new Ed25519 key, named by its thumbprint (RFC 7638). */
export function newSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x, d } = privateKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url').slice(0, 16)
  return { kty: 'OKP', crv: 'Ed25519', x: required(x), d: required(d), kid }
}

/** The configured keys; without one, the key in the data folder, which is made at the first start (behaviour.md, section 5). */
export async function openKeys({ signingKey, previousKeys, secretsKey, dataDir }: Config): Promise<Keys> {
  const signing = signingKey ?? (await storedKey(dataDir))
  const published = [signing, ...previousKeys.filter(({ kid }) => kid !== signing.kid)]
  return {
    signing,
    published: published.map(({ kty, crv, x, kid }) => ({ kty, crv, x, kid, alg: 'EdDSA', use: 'sig' })),
    secretFor: secretsOf(secretsKey ?? signing),
    signingSecretFor: secretsOf(signing),
  }
}

const secretsOf =
  ({ d }: SigningKey) =>
  (use: string) =>
    derivedSecret(Buffer.from(required(d), 'base64url'), `guildhall ${use}`)

/** The secrets that encrypt database values; the key is read, or made, when the first one is needed. */
export function openSecrets(config: Config): SecretFor {
  const keys = once(() => openKeys(config))
  return async (use) => (await keys()).secretFor(use)
}

/** Whether the data folder has a key; reading one that is missing makes it. */
export const hasStoredKey = async (dataDir: string): Promise<boolean> =>
  (await readText(join(dataDir, FILE))) !== undefined

async function storedKey(dataDir: string): Promise<SigningKey> {
  const path = join(dataDir, FILE)
  const text = (await readText(path)) ?? (await makeFile(dataDir, path))
  const key = parsePrivateKey(text)
  if (!key) throw new ConfigError([`${path} is not an Ed25519 key; put the right one back, or set SIGNING_KEY.`])
  return key
}

/** Written to a temporary name and linked into place: if two processes start at once, both get the key of the first. */
async function makeFile(dataDir: string, path: string): Promise<string> {
  await makeDurableFolder(dataDir)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${JSON.stringify(newSigningKey())}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, path)
  } catch (error) {
    if (detailsOf(error).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  // Until the name is on disk, a power failure loses the key and invalidates all its signatures.
  await syncFolder(dataDir)
  return required(await readText(path))
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (detailsOf(error).code === 'ENOENT') return undefined
    throw error
  }
}
