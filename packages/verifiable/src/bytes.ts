// Bytes as texts.

/** What newer engines have of it (ECMAScript 2026). */
interface Own {
  toHex?(): string
}
const own = Uint8Array as { fromHex?(text: string): Uint8Array }

const encoder = new TextEncoder()

export const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** Reads base64 (RFC 4648, 4); undefined where it is none. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(text)) return undefined
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

export const toHex = (bytes: Uint8Array): string =>
  (bytes as Own).toHex?.() ?? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Of a text that toHex wrote. */
export const fromHex = (text: string): Uint8Array =>
  own.fromHex?.(text) ?? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** Some pieces, one after the other. */
export function concat(...pieces: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

export const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])
