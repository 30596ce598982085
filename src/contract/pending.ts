// A write of an agent that waits for the yes of its account, as it is shown: in the answer of the write, and later.
import { z } from 'zod'
import { thingKinds } from './bounds.ts'
import { EXAMPLE_ID, ExpiresAt, Id, Timestamp, textLike } from './fields.ts'
import { ClientId } from './via.ts'

export const pendingStates = ['waiting', 'approved', 'made', 'failed', 'refused', 'expired', 'ended'] as const
export type PendingState = (typeof pendingStates)[number]

/** What a write answers. */
export const WrittenAnswer = z.object({
  status: z.int().meta({ example: 201 }),
  body: z
    .unknown()
    .meta({ description: 'As the write answers; null where it is too long', example: { id: EXAMPLE_ID } }),
})

export const PendingAct = z
  .object({
    id: Id,
    state: z.enum(pendingStates).meta({
      description:
        '`waiting` for the account; `approved` and about to be made; `made`; `failed`, where a check refused it in the end; `refused` by the account; `expired` after 7 days; `ended` with the access of the agent',
      example: 'waiting',
    }),
    operation: textLike('bugs.create').meta({ description: 'Its operationId in OpenAPI' }),
    summary: textLike('File a bug'),
    title: textLike('The digest is late').nullable().meta({
      description: 'Of the thing that it is about; else the beginning of what it says: its title, name or text',
      example: 'The digest is late',
    }),
    target: z
      .object({ title: textLike('The digest is late'), url: textLike('/community/12') })
      .nullable()
      .meta({ description: 'The thing that it is about, as the account sees it', example: null }),
    kind: z.enum(thingKinds).meta({ example: 'posts' }),
    clientId: ClientId,
    clientName: textLike('Morning agent').nullable(),
    url: textLike(`/settings/pending/${EXAMPLE_ID}`).meta({ description: 'Where the account decides' }),
    createdAt: Timestamp,
    expiresAt: ExpiresAt,
    decidedAt: Timestamp.nullable().meta({ example: null }),
    reason: z.string().nullable().meta({ description: 'Of a refusal by the account', example: null }),
    answer: WrittenAnswer.nullable().meta({
      description:
        'Of the write when it was made, or of the check that refused it; of the last attempt where it waits again',
      example: null,
    }),
  })
  .meta({ id: 'PendingAct' })
