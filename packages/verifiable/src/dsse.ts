// Signed envelopes (DSSE v1): a payload, its type, and signatures of both.
import { concat, fromBase64, utf8 } from './bytes.ts'
import { isSigned } from './platform.ts'

export interface Envelope {
  /** In base64. */
  payload: string
  payloadType: string
  signatures: { keyid: string; sig: string }[]
}

/** What is signed of a payload. */
export const preAuthEncoding = (payloadType: string, payload: Uint8Array): Uint8Array =>
  concat(utf8(`DSSEv1 ${utf8(payloadType).length} ${payloadType} ${payload.length} `), payload)

/** Whether the signature with this id is by a key of 32 bytes. */
export async function isEnvelopeSigned(
  { payload: encoded, payloadType, signatures }: Envelope,
  { keyid, key }: { keyid: string; key: Uint8Array },
): Promise<boolean> {
  const payload = fromBase64(encoded)
  const signature = fromBase64(signatures.find((one) => one.keyid === keyid)?.sig ?? '')
  if (!payload || !signature) return false
  return isSigned({ message: preAuthEncoding(payloadType, payload), signature, key })
}
