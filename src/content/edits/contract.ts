// How texts are edited, and the history that is kept of it: of things and of comments alike.

import { z } from 'zod'
import type { AuditAction } from '../../contract/audit.ts'
import type { ClosingRule } from '../../contract/capabilities.ts'
import { Id, listOf, pageInput, SeenEditedAt, Timestamp, textLike, UsernameOrNull, Via } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { open, write } from '../area.ts'
import { BodyReason, Reason } from '../hiding/moderation-contract.ts'
import type { ListedSubject, RecordSchema } from '../subject.ts'

const Revision = z
  .object({
    id: Id,
    editorId: Id,
    editorUsername: UsernameOrNull,
    via: Via,
    createdAt: Timestamp,
    changes: z.array(
      z.object({
        field: textLike('title'),
        before: textLike('The digest is sent twice'),
        after: textLike('The digest is sent twice when the clock changes'),
      }),
    ),
  })
  .meta({ id: 'Revision', description: 'A change of a text' })

export const historyInput = { id: Id, ...pageInput }

/** The history of what is at `path`. */
export const revisionsOperation = (one: string, path: `/${string}`) =>
  ({
    revisions: {
      summary: `How ${one} was edited, newest first`,
      synonyms: ['edit history', 'revisions', 'previous text', 'who edited'],
      method: 'GET',
      path: `${path}/{id}/revisions`,
      access: open,
      input: z.object(historyInput),
      output: listOf(Revision),
      problems: ['not_found'],
    },
  }) as const satisfies Contract

/** Where a text is edited: at the thing, or below it where interface.md has a PATCH on the thing that is not for its author. */
type EditPlace = 'thing' | 'text'

/** `fields` are those that an author writes, of the subject's record; `more` are others, none of which has to be there. */
interface EditFields<Fields extends z.ZodRawShape, More extends z.ZodRawShape, Output extends RecordSchema> {
  fields: z.ZodObject<Fields>
  more?: More
  output: Output
  audit: AuditAction
  at?: EditPlace
}

const NONE = {}

export function editOperations<
  Output extends RecordSchema,
  Fields extends z.ZodRawShape,
  More extends z.ZodRawShape = typeof NONE,
>(
  { one, path }: Pick<ListedSubject, 'one' | 'path'>,
  { fields, more = NONE as More, output, audit, at = 'thing' }: EditFields<Fields, More, Output>,
) {
  const text = `${path}/{id}/text` as const
  const names = Object.keys(fields.shape)
  const all = [...names, ...Object.keys(more)]
  return {
    edit: {
      summary: `Change the text of ${one}: its author, or a moderator`,
      synonyms: ['edit', 'rename', 'reword', 'fix typo', 'update title', 'update description', 'correct'],
      description: 'Only the fields given change. An edit that changes nothing leaves no revision.',
      method: 'PATCH',
      kind: 'posts',
      ...(at === 'text' ? { path: text } : { path: `${path}/{id}`, formerPath: text }),
      access: write,
      audit: [audit],
      budget: 'comments',
      input: fields
        .partial()
        .extend({ ...more, id: Id, reason: BodyReason, seenEditedAt: SeenEditedAt })
        .refine(
          (given) => all.some((name) => Reflect.get(given, name) !== undefined),
          `give a ${names.join(' or a ')}`,
        ),
      output,
      problems: ['not_found', 'forbidden', 'conflict'],
    },
    ...revisionsOperation(one, path),
  } as const satisfies Contract
}

/** Why a status changes, which everyone can read. */
export const PublicReason = Reason.meta({
  id: 'PublicReason',
  example: 'Fixed in version 2.4',
  description: 'Why; shown with the change, and in the audit log where another member owns the thing',
})

/** The statuses of a subject, closing by its author, and the history of both. */
export function statusOperations<Status extends z.ZodType<string>>(
  { one, path }: Pick<ListedSubject, 'one' | 'path'>,
  { status, audit, closing }: { status: Status; audit: AuditAction; closing: ClosingRule },
) {
  const { open: opened, closed, from } = closing
  const StatusChange = z
    .object({
      id: Id,
      actorId: Id,
      actorUsername: UsernameOrNull,
      via: Via,
      from: status,
      to: status,
      reason: textLike('Fixed in version 2.4').nullable(),
      createdAt: Timestamp,
    })
    .meta({ description: 'A change of the status' })
  return {
    close: {
      summary: `Close ${one}, or open it again: its author, or a moderator`,
      synonyms: ['reopen', 'resolve', 'mark as resolved', 'mark as done', 'mark as fixed', 'set to closed'],
      description: `Closing makes ${from.join(' or ')} ${closed}; opening makes ${closed} ${opened}. Other statuses are a moderator's decision: 409.`,
      method: 'PUT',
      kind: 'posts',
      path: `${path}/{id}/closed`,
      suggests: 'person',
      access: write,
      audit: [audit],
      budget: 'comments',
      input: z.object({ id: Id, closed: z.boolean().meta({ example: true }), reason: PublicReason }),
      output: z.object({ status }),
      problems: ['not_found', 'forbidden', 'conflict'],
    },
    statusChanges: {
      summary: `How the status of ${one} changed, newest first`,
      synonyms: ['status history', 'who closed'],
      method: 'GET',
      path: `${path}/{id}/status-changes`,
      access: open,
      input: z.object(historyInput),
      output: listOf(StatusChange),
      problems: ['not_found'],
    },
  } as const satisfies Contract
}
