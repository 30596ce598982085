// Keys of those who publish, and their signatures of versions (docs/spec/formats.md, section 4).
import { z } from 'zod'
import { auditActions } from '../../contract/audit.ts'
import { Id, line, Timestamp, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { read, write } from '../items/area.ts'
import { KindName, orEmpty, TeamSlug, VersionText } from '../items/item-contract.ts'

/** What the audit log records of keys. */
export const keyActions = auditActions('publisher-key', {
  add: 'Added a key for signing versions',
  revoke: 'Revoked a key for signing versions',
})

/** Bytes in base64 (RFC 4648, 4), exactly so many: the last letter has no bits beyond them. */
const bytes = (length: number, shape: RegExp, example: string) =>
  z.string().regex(shape, `must be ${length} bytes in base64`).meta({ example })

const PublicKey = bytes(32, /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, 'GCqBfsVkmqq/LDE4izWy10TWpc2QcUPDhMQegwxbzhI=')
const SignatureText = bytes(
  64,
  /^[A-Za-z0-9+/]{85}[AQgw]==$/,
  'AnSWI95X6pUeHxgerE7+N4fm6DlnxCy5BAtumc8cjohmaFvR83FHzUdvOjXoSMOPeGcLI+l3GL08xGYQZocUnA==',
)

const Key = z
  .object({
    id: Id,
    name: textLike('Laptop'),
    public_key: PublicKey,
    created_at: Timestamp,
    revoked_at: Timestamp.nullable(),
  })
  .meta({ id: 'PublisherKey' })

export const publisherKeys = {
  list: {
    summary: 'My keys for signing versions, oldest first, revoked ones too',
    synonyms: ['signing keys', 'list keys'],
    method: 'GET',
    path: '/library/keys',
    access: read,
    input: z.object({}),
    output: z.object({ items: z.array(Key) }),
  },
  add: {
    summary: 'Add a key for signing versions',
    synonyms: ['register key', 'upload public key'],
    description:
      'An Ed25519 public key; at most 20 that are not revoked. In a session it needs re-authentication. The account gets a mail.',
    method: 'POST',
    kind: 'library',
    path: '/library/keys',
    access: write,
    audit: [keyActions.add],
    input: z.object({ name: line(1, 100).meta({ example: 'Laptop' }), public_key: PublicKey }),
    output: Key,
    status: 201,
    problems: ['conflict', 'reauthentication_required', 'rate_limited'],
  },
  revoke: {
    summary: 'Revoke a key: from now on it signs nothing',
    synonyms: ['delete key', 'lost key'],
    description:
      'Signatures from before stay, with the time of their versions. Statements and proofs that have one say when its key was revoked.',
    method: 'DELETE',
    kind: 'library',
    path: '/library/keys/{id}',
    access: write,
    budget: 'keys',
    audit: [keyActions.revoke],
    input: z.object({ id: Id }),
    output: Key,
    problems: ['not_found'],
  },
  draft: {
    summary: 'The statement of a version that is about to be published, to be signed',
    description:
      'With `id` of a version of that item, otherwise of a new item: then `name` is what its slug is made from, for an automation the id in its manifest. `team` says which team is to own it. The version is the next one unless told. Sign the payload (DSSE v1) and publish within 15 minutes with `signature`: this answer as JSON, with `signatures: [{ keyid, sig }]`. Nothing is stored, and the name is not taken.',
    method: 'POST',
    kind: 'library',
    path: '/library/statements',
    sampled: ['name'],
    idempotent: true,
    access: write,
    input: z.object({
      kind: KindName,
      id: Id.optional(),
      name: line(1, 4_000).optional().meta({ description: 'Of a new item', example: 'Morning digest' }),
      version: orEmpty(VersionText),
      team: orEmpty(TeamSlug).meta({ description: 'Of a new item: the slug of a team of mine that is to hold it' }),
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex')
        .meta({
          description: 'SHA-256 of the file, in hex',
          example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        }),
      size: z.int().min(1).max(Number.MAX_SAFE_INTEGER).meta({ description: 'Bytes of the file', example: 2048 }),
    }),
    output: z
      .object({
        payload: textLike('eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEifQ==').meta({
          description: 'An in-toto Statement v1, in base64',
        }),
        payloadType: textLike('application/vnd.in-toto+json'),
        ticket: textLike('nZ0…').meta({ description: 'Shows the server that it made this statement' }),
      })
      .meta({ id: 'StatementDraft' }),
    problems: ['not_found', 'forbidden', 'gallery_org', 'version_conflict'],
  },
  sign: {
    summary: 'Add the signature of the publisher to the statement of a version',
    description:
      'Of the payload of the statement, with a key of the account that published it (DSSE v1). A later one takes its place.',
    method: 'PUT',
    kind: 'library',
    path: '/library/items/{id}/versions/{version}/signature',
    access: write,
    input: z.object({ id: Id, version: VersionText, key_id: Id, signature: SignatureText }),
    output: z.object({ keyid: Id }),
    problems: ['not_found', 'forbidden', 'rate_limited'],
  },
} satisfies Contract
