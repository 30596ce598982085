// Bytes as texts, and hashes of what is whole in memory.
import { Sha256 } from './sha256.ts'

const encoder = new TextEncoder()

export const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** Reads base64 (RFC 4648, 4); undefined where it is none. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!/^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/.test(text) || text.includes('_')) return undefined
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const fromHex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** The SHA-256 of some pieces, one after the other. */
export function sha256(...pieces: Uint8Array[]): Uint8Array {
  const hash = new Sha256()
  for (const piece of pieces) hash.update(piece)
  return fromHex(hash.hex())
}

export const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])
