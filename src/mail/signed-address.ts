// Addresses that we sign: where a mail is answered, and where servers report that it did not come. What is before the @ has at most 64 characters, of which servers may fold the case
// (RFC 5321, 4.5.3.1.1): so it is in lower case, and names ids by their bytes.
import { mac, type SecretFor, sameHash } from '../runtime/hash.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const BITS = 5
/** 128 bits: a signature is tried at our door alone. */
const MAC_BYTES = 16
const ID_BYTES = 16
const DAY_MILLISECONDS = 86_400_000
const DAY_BYTES = 2

function base32(bytes: Uint8Array): string {
  let [text, held, bits] = ['', 0, 0]
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= BITS; bits -= BITS) text += ALPHABET[(held >> (bits - BITS)) & 31]
  }
  return bits > 0 ? text + ALPHABET[(held << (BITS - bits)) & 31] : text
}

/** Undefined for what `base32` does not write: each text has one form. */
function bytesOf(text: string): Buffer | undefined {
  const bytes: number[] = []
  let [held, bits] = [0, 0]
  for (const character of text) {
    const value = ALPHABET.indexOf(character)
    if (value === -1) return undefined
    held = ((held << BITS) | value) & 0xfff
    bits += BITS
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 255)
  }
  const read = Buffer.from(bytes)
  return base32(read) === text ? read : undefined
}

const idBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')

function idIn(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** What is before the @ and after it, in lower case; undefined for what is no address. */
export function partsOf(address: string): { prefix: string; token: string; domain: string } | undefined {
  const [, prefix, token, domain] = /^([a-z]+)\+([a-z2-7]{1,64})@([a-z\d.-]{1,253})$/.exec(address.toLowerCase()) ?? []
  return prefix && token && domain ? { prefix, token, domain } : undefined
}

const bounceProof = async (secretFor: SecretFor, id: Buffer) =>
  mac(await secretFor('mail bounces'), id).subarray(0, MAC_BYTES)

/** The sender of the envelope of a mail: where servers report that it did not come. */
export async function bounceAddress(secretFor: SecretFor, domain: string, mailId: string): Promise<string> {
  const id = idBytes(mailId)
  return `bounce+${base32(Buffer.concat([id, await bounceProof(secretFor, id)]))}@${domain}`
}

/** The mail that a token names; undefined for one that is not ours. */
export async function readBounceToken(secretFor: SecretFor, token: string): Promise<string | undefined> {
  const bytes = bytesOf(token)
  if (bytes?.length !== ID_BYTES + MAC_BYTES) return undefined
  const id = bytes.subarray(0, ID_BYTES)
  return sameHash(bytes.subarray(ID_BYTES), await bounceProof(secretFor, id)) ? idIn(id) : undefined
}

interface Replied {
  eventId: string
  userId: string
}

/** What the door proves without reading anything, so that no other mail is taken. */
const DOOR_BYTES = 6
/** 96 bits: like those of the door they are tried at our door alone. */
const ACCOUNT_BYTES = 12
const SIGNED_BYTES = ID_BYTES + DAY_BYTES

const doorProof = async (secretFor: SecretFor, signed: Buffer) =>
  mac(await secretFor('doors of mail replies'), signed).subarray(0, DOOR_BYTES)

const accountProof = async (secretFor: SecretFor, signed: Buffer, userId: string) =>
  mac(await secretFor('mail replies'), signed, userId).subarray(0, ACCOUNT_BYTES)

/**
 * Where an account answers what it was told of an event, until the end of a day. It names the event, and with it the thing and the comment; the
 * account is in the signature: who sends from another address has none that is right.
 */
export async function replyAddress(
  secretFor: SecretFor,
  domain: string,
  { eventId, userId, until }: Replied & { until: string },
): Promise<string> {
  const day = Buffer.alloc(DAY_BYTES)
  day.writeUInt16BE(Math.floor(Date.parse(until) / DAY_MILLISECONDS))
  const signed = Buffer.concat([idBytes(eventId), day])
  const proofs = [await doorProof(secretFor, signed), await accountProof(secretFor, signed, userId)]
  return `reply+${base32(Buffer.concat([signed, ...proofs]))}@${domain}`
}

/** What a token has signed and its proof of an account; undefined where we did not make it for any account, or its time is over. */
async function openReplyToken(secretFor: SecretFor, token: string, now: string) {
  const bytes = bytesOf(token)
  if (bytes?.length !== SIGNED_BYTES + DOOR_BYTES + ACCOUNT_BYTES) return undefined
  const signed = bytes.subarray(0, SIGNED_BYTES)
  const proof = bytes.subarray(SIGNED_BYTES, SIGNED_BYTES + DOOR_BYTES)
  if (!sameHash(proof, await doorProof(secretFor, signed))) return undefined
  const isOver = Date.parse(now) >= (signed.readUInt16BE(ID_BYTES) + 1) * DAY_MILLISECONDS
  return isOver ? undefined : { signed, proof: bytes.subarray(SIGNED_BYTES + DOOR_BYTES) }
}

/** Whether a token is one that we made for some account, and its time is not over: it takes no reading of the database. */
export const isReplyToken = async (secretFor: SecretFor, token: string, now: string): Promise<boolean> =>
  (await openReplyToken(secretFor, token, now)) !== undefined

/** The event that a token names for an account; undefined where it is not of this account, or not ours, or has ended. */
export async function readReplyToken(
  secretFor: SecretFor,
  token: string,
  { userId, now }: { userId: string; now: string },
): Promise<{ eventId: string } | undefined> {
  const opened = await openReplyToken(secretFor, token, now)
  if (!opened || !sameHash(opened.proof, await accountProof(secretFor, opened.signed, userId))) return undefined
  return { eventId: idIn(opened.signed.subarray(0, ID_BYTES)) }
}
