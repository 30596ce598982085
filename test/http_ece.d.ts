// The reference implementation of RFC 8188 and RFC 8291, which has no types of its own.
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  interface Parameters {
    version: 'aes128gcm'
    privateKey: ECDH
    authSecret: string
  }
  function decrypt(body: Buffer, parameters: Parameters): Buffer
  const ece: { decrypt: typeof decrypt }
  export default ece
}
