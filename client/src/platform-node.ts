// Node, Deno and Bun.
import { createHash, randomBytes } from 'node:crypto'
import { type Platform, wait } from './platform.ts'

export const nodePlatform: Platform = {
  newHash() {
    const hash = createHash('sha256')
    return {
      update: (bytes) => void hash.update(bytes),
      hex: () => hash.digest('hex'),
    }
  },
  randomBytes: (count) => new Uint8Array(randomBytes(count)),
  wait,
}
