// What is decided about a thing beside its record: whether it is pinned or locked, which comment is the answer, whom it is assigned to and when
// it is due. A subject declares by `thread` which of these it has.
import { z } from 'zod'
import { auditActions } from '../../contract/audit.ts'
import {
  Day,
  EXAMPLE_ID,
  Id,
  line,
  listOf,
  Person,
  pageInput,
  Timestamp,
  textLike,
  UsernameOrNull,
  Via,
} from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { Contract } from '../../contract/operation.ts'
import { moderateThing, open, read, write } from '../area.ts'
import { PublicReason } from '../edits/contract.ts'
import { Reason } from '../hiding/moderation-contract.ts'
import { Label } from '../labelled/contract.ts'
import { visits } from './visit-contract.ts'

/** What the audit log records; the entry names the thing. */
export const threadActions = auditActions('thread', {
  pin: 'Pinned a thing or took the pin off',
  lock: 'Locked the comments on a thing or unlocked them',
  solve: 'Marked a comment as the solution or took the mark off',
  assign: 'Assigned a thing to a member',
  unassign: 'Took a thing off a member',
  due: 'Set the day when a thing is due',
})

/** Of each kind of thing. */
export const MAX_PINNED = 5
/** Of each thing. */
export const MAX_ASSIGNEES = 10
/** Of each account. */
export const MAX_BOOKMARKS = 500

const at = <const Path extends string>(path: Path) => `/community/threads/{id}/${path}` as const
const changed = { kind: 'posts', problems: ['not_found', 'conflict'] } as const

const actions = [
  'pinned',
  'unpinned',
  'locked',
  'unlocked',
  'solved',
  'unsolved',
  'assigned',
  'unassigned',
  'due',
  'labelled',
  'unlabelled',
  'referenced',
  'status',
  'edited',
  'merged',
  'suggested',
] as const

const ThreadChange = z
  .object({
    id: Id,
    action: z.enum(actions),
    actorId: Id,
    actorUsername: UsernameOrNull,
    via: Via,
    account: Person.nullable().meta({ description: 'Whom it was assigned to, or who decided a suggestion' }),
    commentId: textLike(EXAMPLE_ID)
      .nullable()
      .meta({ description: 'The comment that became the answer, or was it; or the one that refers to it' }),
    dueOn: Day.nullable(),
    from: textLike('open').nullable().meta({ description: 'The status before' }),
    to: textLike('resolved')
      .nullable()
      .meta({ description: 'The status after; of a suggestion `accepted` or `refused`' }),
    operation: textLike('bugs.triage').nullable().meta({ description: 'What an agent suggested to call' }),
    label: Label.nullable().meta({ description: 'The label that was put on it or taken off' }),
    thing: z
      .object({
        number: z.int().nullable().meta({ example: 128 }),
        title: textLike('The digest comes twice'),
        url: textLike(`/community/bugs/${EXAMPLE_ID}`).nullable().meta({ description: 'Null for what was merged' }),
        href: Href.nullable(),
      })
      .nullable()
      .meta({ description: 'What was merged into it, or refers to it' }),
    reason: textLike('Answered').nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'ThreadChange' })

const Assigned = z.object({ id: Id, assignees: z.array(Person) })

const Work = z
  .object({
    id: Id,
    type: textLike('bug'),
    number: z.int().meta({ example: 128 }),
    title: textLike('The digest is sent twice when the clock changes'),
    status: textLike('open'),
    url: textLike(`/community/bugs/${EXAMPLE_ID}`),
    href: Href,
    dueOn: Day.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'WorkItem' })

const Bookmark = z
  .object({
    id: Id,
    type: textLike('bug'),
    number: z.int().nullable().meta({ example: 128 }),
    title: textLike('The digest is sent twice when the clock changes'),
    url: textLike(`/community/bugs/${EXAMPLE_ID}`),
    href: Href,
    bookmarkedAt: Timestamp,
  })
  .meta({ id: 'Bookmark' })

export const threads = {
  pin: {
    ...changed,
    summary: 'Pin a bug, a feature request or a post above its list, or take the pin off',
    synonyms: ['pin thread', 'unpin', 'sticky', 'announce', 'highlight'],
    description: `At most ${MAX_PINNED} of each kind are pinned in a board: one more is 409. Lists keep their order; \`pinned=true\` gives the pinned ones.`,
    method: 'PUT',
    path: at('pinned'),
    access: moderateThing,
    audit: [threadActions.pin],
    input: z.object({ id: Id, pinned: z.boolean().meta({ example: true }), reason: PublicReason }),
    output: z.object({ id: Id, pinned: z.boolean() }),
  },
  lock: {
    ...changed,
    summary: 'Lock the comments on a bug, a feature request or a post, or unlock them',
    synonyms: ['lock thread', 'unlock', 'close comments', 'stop discussion', 'freeze'],
    description: 'While it is locked members can neither write nor edit comments there: 403 `Locked`. Moderators can.',
    method: 'PUT',
    path: at('locked'),
    access: moderateThing,
    audit: [threadActions.lock],
    input: z.object({ id: Id, locked: z.boolean().meta({ example: true }), reason: PublicReason }),
    output: z.object({ id: Id, locked: z.boolean() }),
  },
  solve: {
    ...changed,
    summary: 'Mark a comment as the solution, or take the mark off: the author of the thing, or a moderator',
    synonyms: ['accept answer', 'mark as solution', 'best answer', 'mark as answered', 'resolved by comment'],
    description: 'A second one takes the place of the first. `null` takes the mark off.',
    method: 'PUT',
    path: at('solution'),
    access: write,
    budget: 'comments',
    audit: [threadActions.solve],
    input: z.object({ id: Id, commentId: Id.nullable(), reason: PublicReason }),
    output: z.object({ id: Id, solution: textLike(EXAMPLE_ID).nullable() }),
    problems: ['not_found', 'forbidden'],
  },
  assign: {
    ...changed,
    summary: 'Assign a bug or a feature request to a member',
    synonyms: ['assign to', 'set assignee', 'give to', 'make responsible', 'take on'],
    description: `At most ${MAX_ASSIGNEES} accounts: one more is 409. One that has it already keeps it. The account is notified.`,
    method: 'POST',
    path: at('assignees'),
    idempotent: true,
    access: moderateThing,
    audit: [threadActions.assign],
    input: z.object({
      id: Id,
      account: line(1, 200).meta({ example: 'mira', description: 'The id or the username of an account' }),
      reason: PublicReason,
    }),
    output: Assigned,
  },
  unassign: {
    ...changed,
    summary: 'Take a bug or a feature request off a member',
    synonyms: ['remove assignee', 'unassign'],
    method: 'DELETE',
    path: at('assignees/{accountId}'),
    access: moderateThing,
    audit: [threadActions.unassign],
    input: z.object({ id: Id, accountId: Id, reason: Reason }),
    output: Assigned,
    problems: ['not_found'],
  },
  setDue: {
    ...changed,
    summary: 'Set the day when a bug or a feature request is due, or take it away',
    synonyms: ['due date', 'deadline', 'schedule', 'milestone'],
    method: 'PUT',
    path: at('due'),
    access: moderateThing,
    audit: [threadActions.due],
    input: z.object({ id: Id, dueOn: Day.nullable(), reason: PublicReason }),
    output: z.object({ id: Id, dueOn: Day.nullable() }),
    problems: ['not_found'],
  },
  changes: {
    summary: 'What happened to a thing beside its comments, newest first',
    synonyms: ['thread history', 'timeline', 'activity', 'who locked', 'who pinned', 'who assigned', 'who labelled'],
    description:
      'Pin, lock, solution, assignees, due day, status, labels, edits, merges, what refers to it, and whether suggestions were accepted.',
    method: 'GET',
    path: at('changes'),
    access: open,
    input: z.object({ id: Id, ...pageInput }),
    output: listOf(ThreadChange),
    problems: ['not_found'],
  },
  ...visits,
  bookmark: {
    summary: 'Bookmark a bug, a feature request or a post, or take the bookmark off',
    synonyms: ['save thread', 'read later', 'unbookmark', 'favourite'],
    description: `An account has at most ${MAX_BOOKMARKS}: one more is 409.`,
    method: 'PUT',
    kind: 'account',
    path: at('bookmark'),
    access: write,
    budget: 'votes',
    input: z.object({ id: Id, bookmarked: z.boolean().meta({ example: true }) }),
    output: z.object({ id: Id, bookmarked: z.boolean() }),
    problems: ['not_found', 'conflict'],
  },
  bookmarks: {
    summary: 'What I bookmarked, the newest first',
    synonyms: ['my bookmarks', 'saved threads', 'reading list'],
    method: 'GET',
    path: '/community/bookmarks',
    access: read,
    input: z.object(pageInput),
    output: listOf(Bookmark),
  },
  myWork: {
    summary: 'Open bugs and feature requests that are assigned to me, the first due first',
    synonyms: ['my work', 'assigned to me', 'my tasks', 'to do', 'what is due'],
    description: 'What has no day when it is due comes last.',
    method: 'GET',
    path: '/community/my-work',
    access: read,
    input: z.object(pageInput),
    output: listOf(Work),
  },
} satisfies Contract
