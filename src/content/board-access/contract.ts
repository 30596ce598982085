// Boards: places of their own for bugs, feature requests, posts and releases, each with its readers, writers and moderators.
import { z } from 'zod'
import { auditActions } from '../../contract/audit.ts'
import { AGENTS_EXPECTED, parseAgents } from '../../contract/bounds.ts'
import {
  BoardSlug,
  EXAMPLE_ID,
  Id,
  line,
  NameOrNull,
  pageEnd,
  pageInput,
  Timestamp,
  text,
  textLike,
  UsernameOrNull,
} from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { Contract } from '../../contract/operation.ts'
import { administer, inspect, moderateThing, open } from '../area.ts'
import { Reason } from '../hiding/moderation-contract.ts'
import { MAX_BOARDS, MAX_RULE, parseRule } from './rules.ts'

/** What the audit log records of boards. */
export const boardActions = auditActions('board', {
  create: 'Made a board',
  update: 'Changed a board',
  archive: 'Archived a board or took it out of the archive',
  delete: 'Deleted a board',
  move: 'Moved a thing to another board',
  uninvite: 'Took an account out of a board',
})

/** What is in boards. */
export const boarded = ['bug', 'feature', 'post', 'release'] as const
export type Boarded = (typeof boarded)[number]

/** The most labels that a board chooses. */
const MAX_LABELS = 100

const Rule = line(1, MAX_RULE)
  .refine(
    (given) => parseRule(given) !== undefined,
    'must be everyone, members, none, or invited, groups:, teams: and roles: with names',
  )
  .meta({
    example: 'groups: staff labs; teams: core',
    description:
      '`everyone`, `members`, `none`, or some of `invited`, `groups: a b`, `teams: a b` and `roles: moderator`, with `;` between them',
  })
/** A link invites to read or to write, and makes no moderators. */
const ModeratorRule = Rule.refine((given) => parseRule(given)?.invited !== true, 'cannot be those who are invited')

const Agents = line(1, MAX_RULE)
  .refine((given) => parseAgents(given) !== undefined, `must be ${AGENTS_EXPECTED}`)
  .nullable()
  .meta({
    example: 'suggest; comments: write',
    description: 'What agents may do in it, as `AGENTS` says it; the stricter of both holds. null as in the instance',
  })

/** What a board calls a status: `{ bug: { open: 'New' } }`. */
const Words = z
  .partialRecord(z.enum(['bug', 'feature']), z.record(z.string().max(20), line(1, 40)))
  .refine(
    (words) => Object.values(words).every((each) => Object.keys(each ?? {}).length <= 10),
    'has too many statuses',
  )
  .meta({ example: { bug: { open: 'New' } }, description: 'Its own words for statuses, by type and status' })

const NewSlug = text(2, 60)
  .toLowerCase()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be letters and digits, with single hyphens between them')
  .meta({ example: 'staff', description: 'Its part of addresses' })
const Name = line(1, 60).meta({ example: 'Staff' })
const Description = text(0, 500).meta({ example: 'What the team works on.' })
const Position = z.int().min(0).max(1_000).meta({ example: 1, description: 'Boards are listed by it' })
const Labels = z
  .array(Id)
  .max(MAX_LABELS)
  .nullable()
  .meta({ example: [EXAMPLE_ID], description: 'The ids of the labels that it shows; null for all' })

const Board = z
  .object({
    id: Id,
    slug: textLike('staff'),
    name: textLike('Staff'),
    description: textLike('What the team works on.'),
    position: z.int().meta({ example: 1 }),
    closed: z.boolean().meta({ example: true, description: 'Whether not everybody reads it' }),
    agents: z.string().nullable().meta({ example: null, description: 'What agents may do in it' }),
    statuses: Words,
    labels: Labels,
    archivedAt: Timestamp.nullable().meta({ example: null }),
    url: textLike('/community/boards/staff'),
    href: Href,
    can: z.object({ write: z.boolean(), moderate: z.boolean(), edit: z.boolean() }),
    rules: z
      .object({ readers: z.string(), writers: z.string(), moderators: z.string() })
      .optional()
      .meta({
        example: { readers: 'groups: staff', writers: 'members', moderators: 'none' },
        description: 'For moderators and admins',
      }),
  })
  .meta({ id: 'Board' })
export type BoardAnswer = Omit<z.input<typeof Board>, 'href'>

const byAddress = z.object({ board: BoardSlug })
const rules = { readers: Rule, writers: Rule, moderators: ModeratorRule }
export const Confirm = z.boolean().default(false).meta({ description: 'Others will read it: 409 without a yes' })

export const boards = {
  list: {
    summary: 'The boards that the caller reads',
    synonyms: ['list boards', 'which boards', 'spaces', 'categories'],
    method: 'GET',
    path: '/community/boards',
    access: open,
    input: z.object({}),
    output: z.object({ items: z.array(Board), ...pageEnd }),
  },
  get: {
    summary: 'A board',
    method: 'GET',
    path: '/community/boards/{board}',
    access: open,
    input: byAddress,
    output: Board,
    problems: ['not_found'],
  },
  create: {
    summary: 'Create a board',
    synonyms: ['new board', 'add space'],
    description: `At most ${MAX_BOARDS}. The first one is there from the beginning.`,
    method: 'POST',
    kind: 'moderation',
    path: '/community/boards',
    access: administer,
    audit: [boardActions.create],
    input: z.object({
      slug: NewSlug,
      name: Name,
      description: Description.default(''),
      position: Position.default(1),
      readers: Rule.default('everyone'),
      writers: Rule.default('members'),
      moderators: ModeratorRule.default('none'),
      agents: Agents.default(null),
      statuses: Words.default({}),
      labels: Labels.default(null),
    }),
    output: Board,
    status: 201,
    problems: ['conflict'],
  },
  update: {
    summary: 'Change a board: what is given',
    synonyms: ['edit board', 'rename board', 'change readers'],
    description:
      'The first one is read by everyone and written by members. A board is opened or closed while it has few things.',
    method: 'PATCH',
    kind: 'moderation',
    path: '/community/boards/{board}',
    access: administer,
    audit: [boardActions.update],
    input: z.object({
      board: BoardSlug,
      ...z
        .object({
          slug: NewSlug,
          name: Name,
          description: Description,
          position: Position,
          ...rules,
          agents: Agents,
          statuses: Words,
          labels: Labels,
        })
        .partial().shape,
      confirm: Confirm,
      reason: Reason,
    }),
    output: Board,
    problems: ['not_found', 'conflict'],
  },
  archive: {
    summary: 'Archive a board, so that it is only read, or take it out of the archive',
    synonyms: ['close board', 'unarchive board', 'freeze board'],
    method: 'POST',
    kind: 'moderation',
    path: '/community/boards/{board}/archive',
    access: administer,
    audit: [boardActions.archive],
    input: z.object({ board: BoardSlug, archived: z.boolean(), reason: Reason }),
    output: Board,
    problems: ['not_found', 'conflict'],
  },
  delete: {
    summary: 'Delete a board that is empty',
    synonyms: ['remove board'],
    method: 'DELETE',
    kind: 'moderation',
    path: '/community/boards/{board}',
    access: administer,
    audit: [boardActions.delete],
    input: z.object({ board: BoardSlug, reason: Reason }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'conflict'],
  },
  members: {
    summary: 'Who is invited to a board, newest first',
    synonyms: ['board members', 'invited accounts', 'who was invited'],
    description:
      'By links that invite (`invitationLinks.create` with `board`). They read or write where its rules say `invited`.',
    method: 'GET',
    path: '/community/boards/{board}/members',
    access: inspect,
    input: z.object({ board: BoardSlug, ...pageInput }),
    output: z.object({
      items: z.array(z.object({ id: Id, username: UsernameOrNull, name: NameOrNull, createdAt: Timestamp })),
      ...pageEnd,
    }),
    problems: ['not_found'],
  },
  removeMember: {
    summary: 'Take an account that was invited out of a board',
    synonyms: ['uninvite', 'remove from board'],
    description: 'What it wrote stays. The link that it used does not let it in again.',
    method: 'DELETE',
    kind: 'moderation',
    path: '/community/boards/{board}/members/{userId}',
    access: administer,
    audit: [boardActions.uninvite],
    input: z.object({ board: BoardSlug, userId: Id, reason: Reason }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
  move: {
    summary: 'Move a bug, a feature request, a post or a release to another board',
    synonyms: ['move to board', 'transfer topic'],
    description: 'Its number, its id and its address stay. Who moderates boards moves things between those.',
    method: 'POST',
    kind: 'posts',
    path: '/community/boards/{board}/things',
    access: moderateThing,
    audit: [boardActions.move],
    input: z.object({ board: BoardSlug, type: z.enum(boarded), id: Id, confirm: Confirm, reason: Reason }),
    output: z.object({ id: Id, board: textLike('staff') }),
    problems: ['not_found', 'conflict'],
  },
} satisfies Contract
