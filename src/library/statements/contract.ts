// What is signed about versions, and the log of everything public in the library (docs/spec/formats.md, section 4).
import { z } from 'zod'
import { EXAMPLE_ID, Id, Timestamp, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { browse, publicly } from '../items/area.ts'
import { Item, ItemSlug, ItemVersion, KIND_SEGMENT, KindName, VersionText } from '../items/item-contract.ts'

const SIZE = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const LINE = 100

const Hashes = z
  .array(textLike('jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk='))
  .meta({ description: 'In base64, in order' })

const Envelope = z
  .object({
    payload: textLike('eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEifQ==').meta({
      description: 'An in-toto Statement v1, in base64',
    }),
    payloadType: textLike('application/vnd.in-toto+json'),
    signatures: z
      .array(z.object({ keyid: textLike('guildhall.example/log+0a1b2c3d'), sig: textLike('4zqV…') }))
      .meta({ description: 'That of the server, with the key of the log, and that of the publisher if there is one' }),
  })
  .meta({ id: 'Envelope', description: 'DSSE v1' })

const signingKey = {
  publisher_key: z
    .object({
      keyid: textLike(EXAMPLE_ID),
      public_key: textLike('GCqBfsVkmqq/LDE4izWy10TW…='),
      revoked_at: Timestamp.nullable().meta({
        description: 'When it was revoked, as the server knows it now; null while it is not. No signature is over this',
      }),
    })
    .optional()
    .meta({ description: 'The key of the publisher, where the publisher signed' }),
}

const SignedStatement = Envelope.extend(signingKey).meta({
  id: 'SignedStatement',
  description: 'DSSE v1, with the key of the publisher',
})

const Checkpoint = textLike('guildhall.example/log\n1\ny2WmnQ…=\n\n— guildhall.example/log Az3g…=\n').meta({
  description: 'A signed note: name of the log, size and root of its tree, with its signature and those of witnesses',
})

const Consistency = z.object({
  old: z.int().meta({ example: 1, description: 'Leaves of the older tree' }),
  hashes: Hashes,
})

const Proof = z
  .object({
    statement: Envelope,
    ...signingKey,
    key: textLike('guildhall.example/log+0a1b2c3d+ARpc2QcUPDhMQegw…').meta({
      description: 'The public key of the log',
    }),
    entry: textLike('{"v":1,"type":"publish"}').meta({ description: 'The leaf: its bytes as text' }),
    index: z.int().meta({ example: 0 }),
    hashes: Hashes.meta({ description: 'The inclusion proof of the leaf (RFC 9162, 2.1.3)' }),
    checkpoint: Checkpoint,
    consistency: Consistency.optional().meta({
      description: 'Where `seen` is given: the tree of that size is its beginning',
    }),
  })
  .meta({ id: 'VersionProof' })

const byId = z.object({ id: Id, version: VersionText })
const bySlug = z.object({
  kind: KindName,
  slug: ItemSlug,
  version: VersionText,
})
const seen = SIZE.optional().meta({ description: 'The size of a tree that the caller knows', example: 1 })
const shared = { method: 'GET', access: browse, problems: ['not_found'] } as const
const named = { segments: { kind: KIND_SEGMENT } } as const

const statement = { ...shared, output: SignedStatement } as const
const proof = { ...shared, output: Proof } as const

const Change = z.object({
  index: z.int().meta({ example: 0 }),
  type: z.enum(['publish', 'yank', 'unyank', 'withdraw', 'restore', 'official', 'unofficial', 'delete', 'rename']),
  at: Timestamp,
  entry: textLike('{"v":1,"type":"publish"}').meta({ description: 'The leaf of the log, as text' }),
  item_id: Id,
  version: ItemVersion.extend({ yanked_at: Timestamp.nullable() })
    .nullable()
    .meta({ description: 'The version that it is about, as it is now; null where there is none or it is not public' }),
  item: Item.nullable().meta({ description: 'The item as it is now; null when it is not public or gone' }),
})

export const transparency = {
  statement: {
    ...statement,
    summary: 'The signed statement of a version',
    description:
      'What was published under which name, by whom and when, and `owner` where a team owned the item. Of a private item for its owner alone.',
    path: '/library/items/{id}/versions/{version}/statement',
    input: byId,
  },
  findStatement: {
    ...statement,
    ...named,
    summary: 'The signed statement of a version, by kind and slug',
    path: '/library/items/{kind}/{slug}/versions/{version}/statement',
    input: bySlug,
  },
  proof: {
    ...proof,
    summary: 'Everything that proves a version: its statement, its place in the log and a checkpoint',
    synonyms: ['verify version', 'proof', 'signature of version'],
    description:
      'It can be checked without the server. 404 until the version is in the log, which is within seconds of its publication. The checkpoint is the newest with a cosignature of a witness that has the version, otherwise the newest.',
    path: '/library/items/{id}/versions/{version}/proof',
    input: byId.extend({ seen }),
  },
  findProof: {
    ...proof,
    ...named,
    summary: 'Everything that proves a version, by kind and slug',
    path: '/library/items/{kind}/{slug}/versions/{version}/proof',
    input: bySlug.extend({ seen }),
  },
  consistency: {
    summary: 'The proof that one tree of the log is the beginning of another',
    method: 'GET',
    path: '/library/log/consistency',
    access: publicly,
    input: z.object({
      old: SIZE.meta({ example: 1, description: 'Leaves of the older tree' }),
      size: SIZE.meta({ example: 2, description: 'Leaves of the newer tree' }),
    }),
    output: Consistency.extend({ size: z.int().meta({ example: 2 }) }),
    problems: ['not_found'],
  },
  cosign: {
    summary: 'Add the cosignature of a witness to a checkpoint',
    description:
      'For the witnesses of WITNESS_KEYS. The signature is the credential: a line as c2sp.org/tlog-cosignature has it, of a checkpoint that the log signed. A later one of the same witness takes its place.',
    method: 'POST',
    kind: 'library',
    path: '/library/log/cosignatures',
    access: publicly,
    budget: 'cosignatures',
    input: z.object({
      size: z.int().min(1).max(Number.MAX_SAFE_INTEGER).meta({ example: 1 }),
      line: z
        .string()
        .max(LINE * 4)
        .meta({ example: '— witness.example/w1 jWbPPwAAAABkGFDL…=' }),
    }),
    output: z.object({ checkpoint: Checkpoint }),
    problems: ['not_found', 'forbidden'],
  },
  changes: {
    summary: 'What happened in the public library, in the order of the log',
    description:
      'For mirrors: entries after an index, oldest first, with the item as it is now. `next` is the `after` of the next page.',
    method: 'GET',
    path: '/library/changes',
    access: publicly,
    input: z.object({
      after: z.coerce
        .number()
        .int()
        .min(-1)
        .max(Number.MAX_SAFE_INTEGER)
        .default(-1)
        .meta({ description: 'The place in the log after which the changes begin; -1 for all of them' }),
      limit: z.coerce.number().int().min(1).max(100).default(100).meta({ description: 'Changes at most' }),
    }),
    output: z.object({
      changes: z.array(Change),
      next: z.int().meta({ example: 0 }),
      size: z.int().meta({ example: 1, description: 'Leaves of the log now' }),
    }),
  },
} satisfies Contract
