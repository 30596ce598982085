// The operations that subjects share, made from a declaration: lists, pages, votes, comments and removal.
import { z } from 'zod'
import {
  ActiveSince,
  ActiveSort,
  AssigneeFilter,
  AuthorFilter,
  BoardSlug,
  Day,
  DueFilter,
  EXAMPLE_ID,
  Id,
  listInput,
  listOf,
  MyVote,
  Person,
  PinnedOnly,
  SearchWords,
  textLike,
  UsernameOrNull,
  Via,
  WrittenBy,
} from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { FeedKind } from '../../contract/kinds.ts'
import type { Contract } from '../../contract/operation.ts'
import { recordOf } from '../../contract/records.ts'
import { open, roleOrOwner, write } from '../area.ts'
import { Comment, commentActions, commentInput, commentListInput, WrittenComment } from '../comments/contract.ts'
import { Reason, StateField } from '../hiding/moderation-contract.ts'
import { FullText, Origin } from '../imported/contract.ts'
import { canSchema, type ListedSubject, type RecordSchema, type Subject } from '../subject.ts'
import { VoteInput, VoteResult } from '../votes/contract.ts'

/** The tool of an operation, if it has one. */
const toolOf = ({ tools }: Pick<Subject, 'tools'>, operation: keyof NonNullable<Subject['tools']>, title?: string) => {
  const tool = tools?.[operation]
  return tool && { tool: { ...(title && { title }), ...tool } }
}

const capital = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`

/** What a thing has in lists and on its page beyond its record (behaviour.md, section 3). `name` is that of an example. */
export const entryFieldsOf = <Action extends string>(
  subject: Subject<FeedKind, string, Action>,
  name = EXAMPLE_ID,
) => ({
  authorUsername: UsernameOrNull,
  via: Via,
  score: z.int(),
  myVote: MyVote,
  commentCount: z.int().meta({ example: 2 }),
  url: textLike(`${subject.path}/${name}`).meta({ description: 'Where the site shows it' }),
  href: Href,
  can: canSchema(subject),
  state: StateField,
})

const NONE = {}

/** What is decided about a thing: left out where it is not, so that answers are as they were. The names let tools leave them out. */
export const threadFields = {
  pinned: z.literal(true).optional().meta({ id: 'Pinned', description: 'Only where it is pinned' }),
  locked: z.literal(true).optional().meta({ id: 'Locked', description: 'Only where its comments are locked' }),
  solution: textLike(EXAMPLE_ID)
    .optional()
    .meta({ id: 'Solution', description: 'The id of the comment that is the answer' }),
}

/** The same of what can be assigned. */
export const workFields = {
  assignees: z.array(Person).optional().meta({ id: 'Assignees', description: 'Only where it is assigned' }),
  dueOn: Day.optional().meta({ id: 'DueOn', description: 'The day when it is due' }),
}

/** The board of what a kind in boards says: left out in the first one, so that answers are as they were. */
export const boardFields = {
  board: textLike('staff').optional().meta({ id: 'InBoard' }),
}

/** The origin of a thing that was imported from another tracker: left out where it was written here, so that answers are as they were. */
export const importedFields = { ...FullText, ...Origin }

/** The board that something is written to. */
export const boardInput = { board: BoardSlug.optional() }

/** What lists are filtered by; `counts` knows none of it. */
export const boardFilter = { board: BoardSlug.optional() }
export const pinnedFilter = { pinned: PinnedOnly }
/** What lists of what is discussed are sorted and filtered by. */
export const activeOrder = { sort: ActiveSort, activeSince: ActiveSince }
export const workFilters = { assignee: AssigneeFilter, due: DueFilter }

/** `entry` is what lists and pages show of a thing, `more` what lists are filtered by and `counts` does not know. */
export const readOperations = <
  Filters extends z.ZodRawShape,
  Entry extends z.ZodType,
  More extends z.ZodRawShape = typeof NONE,
>(
  subject: Pick<ListedSubject<RecordSchema, Filters>, 'one' | 'many' | 'path' | 'filters' | 'tools' | 'resource'>,
  entry: Entry,
  more: More = NONE as More,
) => {
  const { one, many, path, filters, resource } = subject
  return {
    list: {
      summary: `${capital(many)}, newest or most voted first`,
      method: 'GET',
      path,
      ...toolOf(subject, 'list', `List ${many}`),
      access: open,
      input: listInput.extend({ ...filters, ...more, authorId: AuthorFilter, by: WrittenBy, q: SearchWords }),
      output: listOf(entry),
      // A board that the caller does not read.
      problems: 'board' in more ? ['not_found'] : [],
    },
    get: {
      summary: capital(one),
      method: 'GET',
      path: `${path}/{id}`,
      ...toolOf(subject, 'get', `Get ${one}`),
      ...(resource && { resource }),
      access: open,
      input: z.object({ id: Id }),
      output: entry,
      problems: ['not_found'],
    },
  } as const satisfies Contract
}

/** How many things a list has under each value of each filter, where it has any. */
export const countsOperation = <Filters extends z.ZodRawShape>({
  many,
  path,
  filters,
}: Pick<ListedSubject<RecordSchema, Filters>, 'many' | 'path' | 'filters'>) =>
  ({
    counts: {
      summary: `How many ${many} a list has under each value of each of its filters`,
      description: 'For each filter, the numbers with that one value and the others as given. No search is counted.',
      method: 'GET',
      path: `${path}/counts`,
      access: open,
      input: z.object({ ...filters, authorId: AuthorFilter, by: WrittenBy }),
      output: z.object({
        counts: z
          .record(z.string(), z.record(z.string(), z.int()))
          .meta({ example: { status: { open: 12, resolved: 9 } } }),
      }),
    },
  }) as const satisfies Contract

/** What members write of a subject: `input`, which is answered with its record and what belongs to that. */
export const createOperation = <Input extends z.ZodObject, Output extends RecordSchema>(
  { type, path, resource }: Pick<ListedSubject, 'type' | 'path' | 'resource'>,
  given: { summary: string; synonyms: readonly string[]; input: Input; output: Output },
) =>
  ({
    create: {
      ...given,
      method: 'POST',
      kind: 'posts',
      path,
      tool: { name: `create_${type}`, known: true },
      ...(resource && { resource }),
      access: write,
      budget: 'topics',
      status: 201,
      // The board, or the item that it is about.
      problems: ['not_found'],
    },
  }) as const satisfies Contract

export const voteOperation = (subject: Pick<Subject, 'one' | 'path' | 'tools'>) =>
  ({
    vote: {
      summary: `Vote on ${subject.one}: 1, -1, or 0 to take the vote back`,
      synonyms: ['upvote', 'downvote', 'unvote', 'thumbs up', '+1', 'like', 'support', 'star'],
      method: 'POST',
      kind: 'votes',
      path: `${subject.path}/{id}/vote`,
      ...toolOf(subject, 'vote', `Vote on ${subject.one}`),
      idempotent: true,
      access: write,
      budget: 'votes',
      input: VoteInput,
      output: VoteResult,
      problems: ['not_found'],
    },
  }) as const satisfies Contract

/** The usual `key` of a subject with comments. */
export const byId = { id: Id }

/** What comments are on by interface.md, section 2: it has a path for each to remove them, which is not deprecated. */
const PARENTS_OF_INTERFACE: readonly string[] = ['bugId', 'orgUploadId', 'postSlug', 'itemId']

/** `key` is how paths name the parent, `more` what comments on it have beyond others. */
export function commentOperations<
  Parent extends string,
  Key extends z.ZodRawShape,
  More extends z.ZodRawShape = typeof NONE,
>(
  subject: Pick<Subject<FeedKind, Parent>, 'type' | 'one' | 'path' | 'parent' | 'tools'> &
    Pick<Partial<ListedSubject>, 'thread'>,
  key: Key,
  more: More = NONE as More,
) {
  const { type, one, path, parent, thread = [] } = subject
  const refusals = thread.includes('lock') ? (['not_found', 'forbidden'] as const) : (['not_found'] as const)
  const [name = '', schema] = Object.entries(key)[0] ?? []
  const on = recordOf(parent ? [parent] : [], () => (name === 'id' ? Id : schema))
  const Written = WrittenComment.extend({ ...on, ...more }).meta({ id: `Written${capital(type)}Comment` })
  const Read = Comment.extend({ ...on, ...more }).meta({ id: `${capital(type)}Comment` })
  const Listed = Read.extend({
    replies: z.array(Read).optional().meta({ description: 'As many as `replies` asks for', example: [] }),
  }).meta({ id: `Listed${capital(type)}Comment` })
  return {
    comments: {
      summary: `The comments on ${one}, oldest first`,
      synonyms: ['read thread', 'replies', 'discussion', 'conversation', 'list comments'],
      description: 'With `parentId=none` and `replies`, a page has whole threads.',
      method: 'GET',
      path: `${path}/{${name}}/comments`,
      resource: `Thread of ${one}`,
      access: open,
      input: commentListInput.extend(key),
      output: listOf(Listed),
      problems: ['not_found'],
    },
    comment: {
      summary: `Comment on ${one}`,
      synonyms: ['reply to comment', 'answer', 'respond', 'add comment', 'write comment'],
      method: 'POST',
      kind: 'comments',
      path: `${path}/{${name}}/comments`,
      ...toolOf(subject, 'comment'),
      access: write,
      budget: 'comments',
      input: z.object({ ...key, ...commentInput }),
      output: Written,
      status: 201,
      problems: refusals,
    },
    deleteComment: {
      summary: `Remove a comment from ${one}: its author, or a moderator`,
      synonyms: ['delete comment', 'erase comment', 'delete my reply'],
      description: 'Replies to it stay, as comments that reply to none.',
      method: 'DELETE',
      kind: 'comments',
      path: `${path}/{${name}}/comments/{commentId}`,
      ...(parent && !PARENTS_OF_INTERFACE.includes(parent) && { replacedBy: 'comments.delete' }),
      access: write,
      audit: [commentActions.delete],
      input: z.object({ ...key, commentId: Id, reason: Reason }),
      output: z.object({ id: Id }),
      problems: ['not_found', 'forbidden'],
    },
  } as const satisfies Contract
}

/** What can be done with a thing of a subject by its id, beside what else it has: remove it, vote and comment on it. */
export const discussionOperations = <Parent extends string>(
  subject: Subject<FeedKind, Parent, 'delete'> & Pick<ListedSubject, 'audit' | 'thread'>,
) => {
  const comments = commentOperations(subject, byId)
  return {
    ...deleteOperation(subject),
    ...voteOperation(subject),
    ...comments,
    comment: { ...comments.comment, suggests: 'agent' },
  } as const satisfies Contract
}

/** Where only an author without answers may, a refusal says no more than where a role is asked for. */
export function deleteOperation(subject: Subject<FeedKind, string, 'delete'> & Pick<ListedSubject, 'audit'>) {
  const { one, many, path, parent, audit, writes: kind = 'posts' } = subject
  const shared = {
    method: 'DELETE',
    kind,
    path: `${path}/{id}`,
    audit: [audit.delete],
    input: z.object({ id: Id, reason: Reason }),
    output: z.object({ id: Id }),
    synonyms: ['delete', 'erase', 'take down'],
  } as const
  const what = `Remove ${one} with its ${parent ? 'comments and votes' : 'votes'}`
  if (!subject.permissions.delete.includes('unansweredAuthor')) {
    const problems = ['not_found', 'forbidden'] as const
    return { delete: { ...shared, summary: `${what}: its author, or a moderator`, access: write, problems } }
  }
  const while_ = parent ? ' while it has no comments' : `: ${many} have no comments that would be lost`
  const description = `For moderators and admins, and for its author${while_}.`
  return { delete: { ...shared, summary: what, description, access: roleOrOwner, problems: ['not_found'] as const } }
}
