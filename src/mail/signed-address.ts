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

const proofOf = async (secretFor: SecretFor, signed: Buffer, userId: string) =>
  mac(await secretFor('mail replies'), signed, userId).subarray(0, MAC_BYTES)

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
  return `reply+${base32(Buffer.concat([signed, await proofOf(secretFor, signed, userId)]))}@${domain}`
}

/** The event that a token names for an account; undefined where it is not of this account, or not ours, or has ended. */
export async function readReplyToken(
  secretFor: SecretFor,
  token: string,
  { userId, now }: { userId: string; now: string },
): Promise<{ eventId: string } | undefined> {
  const bytes = bytesOf(token)
  if (bytes?.length !== ID_BYTES + DAY_BYTES + MAC_BYTES) return undefined
  const signed = bytes.subarray(0, ID_BYTES + DAY_BYTES)
  if (!sameHash(bytes.subarray(signed.length), await proofOf(secretFor, signed, userId))) return undefined
  const isOver = Date.parse(now) >= (signed.readUInt16BE(ID_BYTES) + 1) * DAY_MILLISECONDS
  return isOver ? undefined : { eventId: idIn(signed.subarray(0, ID_BYTES)) }
}
