// Merging of duplicates: one thing goes into another of its kind.
import { z } from 'zod'
import type { AuditAction } from '../../contract/audit.ts'
import {
  EditedAt,
  EXAMPLE_ID,
  Id,
  listOf,
  ThingNumber,
  Timestamp,
  textLike,
  UsernameOrNull,
} from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { Contract } from '../../contract/operation.ts'
import { moderateThing, open } from '../area.ts'
import { Confirm } from '../board-access/contract.ts'
import { historyInput, PublicReason } from '../edits/contract.ts'
import type { ListedSubject } from '../subject.ts'

/** How many things were merged into one: what lists and pages say of merging. */
export const mergeFields = {
  mergedCount: z.int().meta({ example: 0 }),
}

const MergedThing = z
  .object({
    id: Id,
    number: ThingNumber,
    title: textLike('The digest comes twice'),
    text: textLike('On Sunday I got it at two and at three.').meta({ description: 'Its own text, in Markdown' }),
    authorId: Id,
    authorUsername: UsernameOrNull,
    createdAt: Timestamp,
    editedAt: EditedAt,
    status: textLike('open').nullable().meta({ description: 'The status it had; null for what has none' }),
    mergedAt: Timestamp,
    mergedById: Id,
    mergedByUsername: UsernameOrNull,
    reason: textLike('The same clock').nullable(),
    undoableUntil: Timestamp.nullable().meta({
      description: 'Until then moderators can undo the merge; null where they cannot',
    }),
  })
  .meta({ id: 'MergedThing', description: 'What was merged into another thing' })

export const mergeOperations = (
  { one, path }: Pick<ListedSubject, 'one' | 'path'>,
  { audit, undoAudit }: { audit: AuditAction; undoAudit: AuditAction },
) =>
  ({
    merge: {
      summary: `Merge ${one} into another one`,
      synonyms: ['mark as duplicate', 'duplicate of', 'combine', 'join two'],
      description:
        'Votes (one of each account; that on the other thing wins), comments, followers and labels go there, and its number, its id and its address lead there. Its own text is kept and listed. It can be undone for 30 days.',
      method: 'POST',
      kind: 'posts',
      path: `${path}/{id}/merge`,
      suggests: 'person',
      access: moderateThing,
      audit: [audit],
      input: z.object({
        id: Id,
        into: Id.meta({ description: 'The id of the one that stays', example: EXAMPLE_ID }),
        confirm: Confirm,
        reason: PublicReason.meta({ example: 'The same clock', description: 'Why; shown where it went' }),
      }),
      output: z.object({
        id: Id,
        mergedInto: z.object({ id: Id, number: ThingNumber, title: z.string(), url: z.string(), href: Href }).meta({
          example: {
            ...{ id: EXAMPLE_ID, number: 128, title: 'The digest is sent twice' },
            ...{ url: `${path}/${EXAMPLE_ID}`, href: `https://guildhall.example${path}/${EXAMPLE_ID}` },
          },
        }),
        done: z.boolean().meta({
          example: true,
          description: 'False while more of its votes, comments and followers are on their way',
        }),
      }),
      problems: ['not_found', 'conflict'],
    },
    ...undoMergeOperation(path, one, undoAudit),
  }) as const satisfies Contract

const undoMergeOperation = (path: ListedSubject['path'], one: string, undoAudit: AuditAction) =>
  ({
    undoMerge: {
      summary: `Undo the merge of ${one}`,
      synonyms: ['unmerge', 'split again', 'not a duplicate'],
      description:
        'For 30 days. It is there again with its own text, status and labels, and with the votes, comments and followers that went over. What came to the other thing later stays there. Labels stay on both.',
      method: 'POST',
      kind: 'posts',
      path: `${path}/{id}/merge/undo`,
      access: moderateThing,
      audit: [undoAudit],
      input: z.object({
        id: Id,
        reason: PublicReason.meta({ example: 'Another clock', description: 'Why; its followers get it' }),
      }),
      output: z.object({
        id: Id,
        url: z.string().meta({ example: `${path}/${EXAMPLE_ID}` }),
        href: Href,
        done: z.boolean().meta({
          example: true,
          description: 'False while more of its votes, comments and followers are on their way back',
        }),
      }),
      problems: ['not_found', 'conflict'],
    },
    merged: {
      summary: `What was merged into ${one}, newest first`,
      synonyms: ['list duplicates'],
      method: 'GET',
      path: `${path}/{id}/merged`,
      access: open,
      input: z.object(historyInput),
      output: listOf(MergedThing),
      problems: ['not_found'],
    },
  }) as const satisfies Contract
