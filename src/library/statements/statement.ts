// The signed statement of a version: an in-toto Statement v1 in a DSSE envelope. It says what was published under which name, by whom and
// when. The payload is made in one way, so that who publishes can sign it before the server has it.
import {
  type Envelope,
  isSigned,
  PAYLOAD_TYPE,
  preAuthEncoding,
  type Statement,
  sha256,
  statementText,
  toBase64,
  toHex,
  utf8,
} from '@guildhall/verifiable'
import type { NoteSigner } from '@guildhall/verifiable/signing'
import { parseJson, required } from '../../runtime/untyped.ts'
import type { Provenance } from './provenance.ts'

/** What the predicate is: the same at every server, wherever that is (docs/spec/formats.md, section 4). */
export const PREDICATE_TYPE = 'urn:guildhall:publication:v1'

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
  /** The run of a CI that published it; undefined where a person or another program did. */
  provenance?: Provenance | undefined
  /** Who agreed to it, where it waited for that; null once the account is erased. */
  approver?: Publisher | null | undefined
  /** When it was published. */
  time: string
}

const personOf = (person: Publisher | null) => person && { id: person.id, username: person.username }

/** The signed bytes. What there is not has no field, so statements from before there was such a thing stay as they were signed. */
export function payloadOf(publication: Publication): string {
  const { item, name, version, sha256, size, publisher, owner, provenance, approver, time } = publication
  return statementText({
    subject: [{ name: `${name}@${version}`, digest: { sha256 } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      item,
      name,
      version,
      size,
      publisher: personOf(publisher),
      ...(owner && { owner: { type: owner.type, id: owner.id, slug: owner.slug } }),
      ...(provenance && { provenance }),
      ...(approver !== undefined && { approver: personOf(approver) }),
      time,
    },
  })
}

/** What a payload of this server says. */
export function readPayload(payload: string): Publication {
  const { subject, predicate } = parseJson<Statement<Omit<Publication, 'sha256'>>>(payload)
  return { ...predicate, sha256: required(subject[0]).digest.sha256 }
}

/** The payload with other facts. */
export const restated = (payload: string, changes: Partial<Publication>): string =>
  payloadOf({ ...readPayload(payload), ...changes })

/** In hex: what the log has of a statement. */
export const digestOf = (payload: string): string => toHex(sha256(utf8(payload)))

/** What is signed of a payload. */
export const encodingOf = (payload: string): Uint8Array => preAuthEncoding(PAYLOAD_TYPE, utf8(payload))

/** Whether a signature of a payload, in base64, is by a public key of 32 bytes in base64. */
export async function isSignature(payload: string, signature: string, publicKey: string): Promise<boolean> {
  // Keys were stored once that are none.
  const [key, bytes] = [Buffer.from(publicKey, 'base64'), Buffer.from(signature, 'base64')]
  return isSigned({ message: encodingOf(payload), signature: bytes, key })
}

interface SignedPayload {
  payload: string
  keyId: string | null
  signature: string | null
}

/** The envelope with the signature of the server, and that of the publisher if there is one. Ed25519 gives the same each time. */
export function envelopeOf({ payload, keyId, signature }: SignedPayload, { name, id, sign }: NoteSigner): Envelope {
  const server = { keyid: `${name}+${id}`, sig: toBase64(sign(encodingOf(payload))) }
  const publisher = keyId !== null && signature !== null ? [{ keyid: keyId, sig: signature }] : []
  return { payload: toBase64(utf8(payload)), payloadType: PAYLOAD_TYPE, signatures: [server, ...publisher] }
}
