// Finds the number behind a challenge (src/identity/proof-of-work.ts), beside the page. The hash is our own: that of the browser answers
// each call later, which takes longer than the hash, and is missing on pages without https.
interface Challenge {
  algorithm: string
  challenge: string
  maxnumber: number
  salt: string
  signature: string
}

/** The first 32 bits of the fraction of a root (FIPS 180-4, 4.2.2 and 5.3.3). */
const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0

const primes: number[] = []
for (let number = 2; primes.length < 64; number++) if (primes.every((prime) => number % prime)) primes.push(number)
const ADDED = primes.map((prime) => fraction(Math.cbrt(prime)))
const BEGINNING = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** Adds a block of 64 bytes to a hash. */
function addBlock(hash: Int32Array, block: DataView, words: Int32Array): void {
  for (let at = 0; at < 64; at++) {
    if (at < 16) words[at] = block.getInt32(at * 4)
    else {
      const [early, late] = [words[at - 15]!, words[at - 2]!]
      const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
      const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
      words[at] = words[at - 16]! + first + words[at - 7]! + second
    }
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number]
  for (let at = 0; at < 64; at++) {
    const sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const one = (h + sum + ((e & f) ^ (~e & g)) + ADDED[at]! + words[at]!) | 0
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
  }
  const ended = [a, b, c, d, e, f, g, h]
  for (let at = 0; at < 8; at++) hash[at]! += ended[at]!
}

/** SHA-256 in hex. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) * 64))
  new Uint8Array(padded.buffer).set(bytes)
  padded.setUint8(bytes.length, 0x80)
  padded.setUint32(padded.byteLength - 4, bytes.length * 8)
  const hash = Int32Array.from(BEGINNING)
  const words = new Int32Array(64)
  for (let at = 0; at < padded.byteLength; at += 64) addBlock(hash, new DataView(padded.buffer, at, 64), words)
  return [...hash].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** The solution of a challenge as it is sent; undefined where there is none. */
export function solve({ maxnumber, ...asked }: Challenge): string | undefined {
  for (let number = 0; number <= maxnumber; number++) {
    if (sha256(asked.salt + number) === asked.challenge)
      return btoa(JSON.stringify({ ...asked, number })).replaceAll('=', '')
  }
  return undefined
}

addEventListener('message', ({ data }: MessageEvent<Challenge>) => postMessage(solve(data)))
