// SHA-256 (FIPS 180-4) fed in pieces, for browsers: Web Crypto hashes only what is whole in memory.
import { toHex } from './bytes.ts'

/** A SHA-256 that is fed in pieces. */
export interface Hash {
  update(bytes: Uint8Array): void
  /** In hex; the last call. */
  hex(): string
}

const BLOCK = 64
const isPrime = (n: number) => {
  for (let i = 2; i * i <= n; i++) if (n % i === 0) return false
  return true
}
/** The first 32 bits of the fraction. */
const fraction = (x: number) => ((x - Math.floor(x)) * 2 ** 32) | 0

const primes: number[] = []
for (let n = 2; primes.length < 64; n++) if (isPrime(n)) primes.push(n)
const ROUNDS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by))

/** A hash that keeps no more than a block. */
export class Sha256 implements Hash {
  readonly #state = START.slice()
  readonly #words = new Int32Array(64)
  readonly #block = new Uint8Array(BLOCK)
  readonly #view = new DataView(this.#block.buffer)
  #filled = 0
  #length = 0

  update(bytes: Uint8Array): void {
    this.#length += bytes.length
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + BLOCK - this.#filled)
      this.#block.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled === BLOCK) this.#mix()
    }
  }

  hex(): string {
    return toHex(this.digest())
  }

  /** Its 32 bytes; the last call. */
  digest(): Uint8Array {
    const bits = this.#length * 8
    this.#block.fill(0, this.#filled)
    this.#block[this.#filled] = 0x80
    if (this.#filled >= BLOCK - 8) {
      this.#mix()
      this.#block.fill(0)
    }
    this.#view.setUint32(BLOCK - 8, Math.floor(bits / 2 ** 32))
    this.#view.setUint32(BLOCK - 4, bits >>> 0)
    this.#mix()
    const bytes = new DataView(new ArrayBuffer(this.#state.byteLength))
    for (const [index, word] of this.#state.entries()) bytes.setInt32(4 * index, word)
    return new Uint8Array(bytes.buffer)
  }

  /** One block into the state (FIPS 180-4, 6.2.2). */
  #mix(): void {
    const words = this.#words
    for (let i = 0; i < 16; i++) words[i] = this.#view.getInt32(i * 4)
    for (let i = 16; i < 64; i++) {
      const [early, late] = [words[i - 15] as number, words[i - 2] as number]
      const small = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
      const large = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
      words[i] = ((words[i - 16] as number) + small + (words[i - 7] as number) + large) | 0
    }
    let [a, b, c, d, e, f, g, h] = this.#state as unknown as Eight
    for (let i = 0; i < 64; i++) {
      const choice = (e & f) ^ (~e & g)
      const first =
        (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (ROUNDS[i] as number) + (words[i] as number)) | 0
      const majority = (a & b) ^ (a & c) ^ (b & c)
      const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0
      h = g
      g = f
      f = e
      e = (d + first) | 0
      d = c
      c = b
      b = a
      a = (first + second) | 0
    }
    const mixed = [a, b, c, d, e, f, g, h]
    for (let i = 0; i < 8; i++) this.#state[i] = (this.#state[i] as number) + (mixed[i] as number)
    this.#filled = 0
  }
}

type Eight = [number, number, number, number, number, number, number, number]
