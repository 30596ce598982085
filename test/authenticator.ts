// A device with passkeys, in software: it signs what a browser would have it sign (WebAuthn, 6), or something broken.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Assertion, CreationOptions, Registration, RequestOptions } from '../src/accounts/passkeys/contract.ts'
import { BASE_URL } from './world.ts'

/** What is different from what a sound device in our page answers. */
export interface Broken {
  type?: string
  challenge?: string
  origin?: string
  crossOrigin?: boolean
  rpId?: string
  flags?: number
  counter?: number
  userHandle?: string | null
  /** Signed by another key than that of the passkey. */
  forged?: boolean
  /** A self-signed attestation of the key: some devices send one without a request for it. */
  selfSigned?: boolean
  format?: string
  statement?: Map<string, Cbor>
}

export interface Credential {
  id: string
  userHandle: string
  rpId: string
  /** The private half, also for tests that copy a key. */
  key: KeyObject
  publicKey: KeyObject
  counter: number
}

type Cbor = number | string | Uint8Array | Cbor[] | Map<string | number, Cbor>

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

/** A device that counts its signatures, unless `counts` is false as with keys that are kept in step between devices. */
export class Authenticator {
  readonly held: Credential[] = []
  readonly counts: boolean

  constructor({ counts = true } = {}) {
    this.counts = counts
  }

  /** Makes a passkey and answers as `navigator.credentials.create` would. */
  create({ challenge, rp, user }: CreationOptions, broken: Broken = {}): Registration {
    const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(16).toString('base64url')
    const held: Credential = { id, userHandle: user.id, rpId: rp.id, key, publicKey, counter: 0 }
    this.held.push(held)
    return this.attest(held, challenge, broken)
  }

  /** Answers for a passkey that there is already, as a careless device would. */
  attest(held: Credential, challenge: string, broken: Broken = {}): Registration {
    const { counter = 0, flags = PRESENT | VERIFIED, rpId = held.rpId, selfSigned = false } = broken
    const id = Buffer.from(held.id, 'base64url')
    const length = Buffer.from([id.length >> 8, id.length & 0xff])
    const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(coseKey(held.publicKey))])
    const authData = Buffer.concat([authenticatorData(rpId, flags | ATTESTED, counter), attested])
    const clientDataJSON = clientData({ type: 'webauthn.create', challenge, ...broken })
    const own: [string, Cbor][] = [
      ['alg', -7],
      ['sig', signature(held.key, authData, clientDataJSON)],
    ]
    const attestation = new Map<string, Cbor>([
      ['fmt', broken.format ?? (selfSigned ? 'packed' : 'none')],
      ['attStmt', new Map([...(selfSigned ? own : []), ...(broken.statement ?? [])])],
      ['authData', authData],
    ])
    const response = {
      clientDataJSON,
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal'],
    }
    return { id: held.id, rawId: held.id, type: 'public-key', response }
  }

  /** Signs in as `navigator.credentials.get` would, with the newest passkey unless another is named. */
  get({ challenge, rpId: asked }: RequestOptions, broken: Broken = {}, held = this.held.at(-1)!): Assertion {
    if (this.counts) held.counter++
    const { counter = held.counter, flags = PRESENT | VERIFIED, rpId = asked, userHandle = held.userHandle } = broken
    const authData = authenticatorData(rpId, flags, counter)
    const clientDataJSON = clientData({ type: 'webauthn.get', challenge, ...broken })
    const key = broken.forged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : held.key
    const response = {
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: signature(key, authData, clientDataJSON).toString('base64url'),
      userHandle,
    }
    return { id: held.id, rawId: held.id, type: 'public-key', response }
  }
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

const signature = (key: KeyObject, authData: Uint8Array, clientDataJSON: string) =>
  sign('sha256', Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]), key)

function clientData({ type, challenge, origin = BASE_URL, crossOrigin = false }: Broken): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin })).toString('base64url')
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flags)
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), tail])
}

/** An ES256 key as COSE has it (RFC 9053, 7.1.1). */
function coseKey(key: KeyObject): Map<number, Cbor> {
  const { x, y } = key.export({ format: 'jwk' })
  return new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x!, 'base64url')],
    [-3, Buffer.from(y!, 'base64url')],
  ])
}

/** The little of CBOR that devices speak (RFC 8949, 3). */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  return Buffer.concat([head(5, value.size), ...[...value].flat().map((part) => cbor(part as Cbor))])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  return size < 256 ? Buffer.from([(major << 5) | 24, size]) : Buffer.from([(major << 5) | 25, size >> 8, size & 0xff])
}
