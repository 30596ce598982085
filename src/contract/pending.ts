// A write of an agent that waits for the yes of its account, as it is shown: in the answer of the write, and later.
import { z } from 'zod'
import { thingKinds } from './bounds.ts'
import { ClientId, EXAMPLE_ID, ExpiresAt, Id, Timestamp, textLike } from './fields.ts'
import { Href } from './href.ts'
import { keysOf } from './records.ts'
import { pendingActStates } from './states.ts'

const pendingStates = [...keysOf(pendingActStates), 'expired', 'ended'] as const
export type PendingState = (typeof pendingStates)[number]

/** What a write answers. */
export const WrittenAnswer = z.object({
  status: z.int().meta({ example: 201 }),
  body: z
    .unknown()
    .meta({ description: 'As the write answers; null where it is too long', example: { id: EXAMPLE_ID } }),
})

/** What a write says and what it is about, so far as a list, a notification and a mail show it. */
export const ActHead = z
  .object({
    title: textLike('The digest is late').nullable().meta({
      description: 'Of the thing that it is about; else the beginning of what it says',
      example: 'The digest is late',
    }),
    target: z
      .object({ title: textLike('The digest is late'), url: textLike('/community/12'), href: Href })
      .nullable()
      .meta({ description: 'The thing that it is about, as the account sees it', example: null }),
    excerpt: z.string().meta({
      description: 'Of its text, 200 characters',
      example: 'It came at nine today.',
    }),
    changes: z.array(z.object({ name: textLike('title'), from: z.unknown(), to: z.unknown() })).meta({
      description: 'In a list the first 8, of 200 characters each',
      example: [],
    }),
  })
  .meta({ id: 'PendingActHead' })
export type ActHead = z.input<typeof ActHead>

export const PendingAct = z
  .object({
    id: Id,
    state: z.enum(pendingStates).meta({
      description:
        '`waiting` for the account; `approved` and about to be made; `made`; `failed`, where a check refused it in the end; `refused` by the account; `withdrawn` by the agent; `expired` after 7 days; `ended` with the access of the agent',
      example: 'waiting',
    }),
    operation: textLike('bugs.create').meta({ description: 'Its operationId in OpenAPI' }),
    summary: textLike('File a bug'),
    ...ActHead.shape,
    kind: z.enum(thingKinds).meta({ example: 'posts' }),
    clientId: ClientId,
    clientName: textLike('Morning agent').nullable(),
    url: textLike(`/settings/pending/${EXAMPLE_ID}`).meta({ description: 'Where the account decides' }),
    href: Href,
    createdAt: Timestamp,
    expiresAt: ExpiresAt,
    decidedAt: Timestamp.nullable().meta({ example: null }),
    reason: z.string().nullable().meta({ description: 'Of a refusal by the account', example: null }),
    made: textLike('/community/12').nullable().meta({
      description: 'Where the site shows what was made, or what it was made on',
      example: null,
    }),
    answer: WrittenAnswer.nullable().meta({
      description:
        'Of the write when it was made, or of the check that refused it; of the last attempt where it waits again',
      example: null,
    }),
  })
  .meta({ id: 'PendingAct' })

/** The operations that tell of pending acts and take them back, by their names. */
export interface PendingActOperations {
  get: string
  withdraw: string
}
