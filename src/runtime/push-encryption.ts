// Message encryption for Web Push (RFC 8291), with the content coding aes128gcm (RFC 8188): one record.
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

const CURVE = 'prime256v1'
const SALT_BYTES = 16
const RECORD_BYTES = 4_096
/** Ends the last record (RFC 8188, 2). */
const LAST = Buffer.from([2])

/** The public key of a browser, as an uncompressed point, and its authentication secret. */
export interface BrowserKeys {
  p256dh: Buffer
  auth: Buffer
}

/** New for each message; given in the example of the RFC alone. */
interface Once {
  privateKey?: Buffer
  salt?: Buffer
}

const derive = (secret: Buffer, salt: Buffer, { info, bytes }: { info: Buffer; bytes: number }): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))

const named = (name: string): Buffer => Buffer.from(`${name}\0`)

/** Whether a public key is a point of the curve. */
export function isPoint(key: Buffer): boolean {
  const probe = createECDH(CURVE)
  probe.generateKeys()
  try {
    probe.computeSecret(key)
    return true
  } catch {
    return false
  }
}

/** The body of the request to the push service. */
export function encrypt(text: Buffer, { p256dh, auth }: BrowserKeys, { privateKey, salt }: Once = {}): Buffer {
  const own = createECDH(CURVE)
  if (privateKey) own.setPrivateKey(privateKey)
  else own.generateKeys()
  const publicKey = own.getPublicKey()
  const chosen = salt ?? randomBytes(SALT_BYTES)
  const info = Buffer.concat([named('WebPush: info'), p256dh, publicKey])
  const secret = derive(own.computeSecret(p256dh), auth, { info, bytes: 32 })
  const key = derive(secret, chosen, { info: named('Content-Encoding: aes128gcm'), bytes: 16 })
  const nonce = derive(secret, chosen, { info: named('Content-Encoding: nonce'), bytes: 12 })
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const header = Buffer.alloc(SALT_BYTES + 5)
  chosen.copy(header)
  header.writeUInt32BE(RECORD_BYTES, SALT_BYTES)
  header.writeUInt8(publicKey.length, SALT_BYTES + 4)
  const sealed = [cipher.update(text), cipher.update(LAST), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([header, publicKey, ...sealed])
}
