// The signed statement of a version: an in-toto Statement v1 in a DSSE envelope. It says what was published under which name, by whom and
// when. The payload is made in one way, so that who publishes can sign it before the server has it.
import { hash, sign, verify } from 'node:crypto'
import { type NoteSigner, publicKeyOf } from '../../runtime/signed-note.ts'
import { parseJson } from '../../runtime/untyped.ts'

/** What the predicate is: the same at every server, wherever that is (docs/spec/formats.md, section 4). */
export const PREDICATE_TYPE = 'urn:guildhall:publication:v1'
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

export interface Publisher {
  id: string
  username: string | null
}

/** The team that held the item when the version was published, by its slug of that time. */
export interface OwningTeam {
  type: 'team'
  id: string
  slug: string
}

/** What a statement says of a version. `name` is `kind/slug`. */
export interface Publication {
  item: string
  name: string
  version: string
  sha256: string
  size: number
  /** null once the account is erased. */
  publisher: Publisher | null
  /** Who owned the item then; undefined where that was the publisher or an account. */
  owner?: OwningTeam | undefined
  /** When it was published. */
  time: string
}

/** The signed bytes. Without a team there is no `owner`, so statements from before teams stay as they were signed. */
export function payloadOf({ item, name, version, sha256, size, publisher, owner, time }: Publication): string {
  return JSON.stringify({
    _type: STATEMENT_TYPE,
    subject: [{ name: `${name}@${version}`, digest: { sha256 } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      item,
      name,
      version,
      size,
      publisher: publisher && { id: publisher.id, username: publisher.username },
      ...(owner && { owner: { type: owner.type, id: owner.id, slug: owner.slug } }),
      time,
    },
  })
}

interface Statement {
  subject: [{ digest: { sha256: string } }]
  predicate: Omit<Publication, 'sha256'>
}

/** What a payload of this server says. */
export function readPayload(payload: string): Publication {
  const { subject, predicate } = parseJson<Statement>(payload)
  return { ...predicate, sha256: subject[0].digest.sha256 }
}

/** The payload with other facts. */
export const restated = (payload: string, changes: Partial<Publication>): string =>
  payloadOf({ ...readPayload(payload), ...changes })

/** In hex: what the log has of a statement. */
export const digestOf = (payload: string): string => hash('sha256', payload, 'hex')

/** What is signed in an envelope (DSSE v1, pre-authentication encoding). */
export function encodingOf(payload: string): Buffer {
  return Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${Buffer.byteLength(payload)} ${payload}`)
}

const KEY_BYTES = 32

/** Whether a signature of a payload, in base64, is by a public key of 32 bytes in base64. */
export function isSignature(payload: string, signature: string, publicKey: string): boolean {
  const key = Buffer.from(publicKey, 'base64')
  // Keys were stored once that are none.
  if (key.length !== KEY_BYTES) return false
  return verify(null, encodingOf(payload), publicKeyOf(key), Buffer.from(signature, 'base64'))
}

interface SignedPayload {
  payload: string
  keyId: string | null
  signature: string | null
}

/** The envelope with the signature of the server, and that of the publisher if there is one. Ed25519 gives the same each time. */
export function envelopeOf({ payload, keyId, signature }: SignedPayload, signer: NoteSigner) {
  const sig = sign(null, encodingOf(payload), signer.privateKey).toString('base64')
  const server = { keyid: `${signer.name}+${signer.id.toString('hex')}`, sig }
  const publisher = keyId !== null && signature !== null ? [{ keyid: keyId, sig: signature }] : []
  return {
    payload: Buffer.from(payload).toString('base64'),
    payloadType: PAYLOAD_TYPE,
    signatures: [server, ...publisher],
  }
}
