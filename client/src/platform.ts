// What differs between the places where the library runs, and what tests replace.
import type { Hash } from '@guildhall/verifiable'

export interface Platform {
  newHash(): Hash
  /** Random bytes for secrets. */
  randomBytes(count: number): Uint8Array
  /** Resolves after this time; rejects with the reason of the signal. */
  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void>
}

/** Waits with a timer. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
