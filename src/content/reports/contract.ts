// Reporting things, and what moderators do about them: one queue, decisions with a reason, notices, appeals and a public log.
import { z } from 'zod'
import {
  EXAMPLE_ID,
  HasMore,
  Id,
  PageNumber,
  PageSize,
  Timestamp,
  text,
  textLike,
  UsernameOrNull,
} from '../../contract/fields.ts'
import { decisions, moderationActions, moderationRules, UNDO_DAYS } from '../../contract/moderation-kinds.ts'
import type { Contract } from '../../contract/operation.ts'
import { everybody, moderate, open, read, write } from '../area.ts'
import { StateField } from '../hiding/contract.ts'
import { caseActions } from './audit-actions.ts'
import { Target, TargetType } from './target-contract.ts'

const Rule = z.enum(moderationRules).meta({ example: 'spam' })
const Reason = text(1, 1000).meta({ example: 'Advertising without anything about the topic.' })
const Action = z.enum(moderationActions).meta({ example: 'hide' })
const count = (description: string) => z.int().meta({ example: 1, description })

const caseFields = {
  id: Id,
  state: z.enum(['open', 'closed']).meta({ example: 'open' }),
  target: Target,
  author: z.object({ id: Id, username: UsernameOrNull }),
  reportCount: count('Open reports'),
  held: z.boolean().meta({ example: false, description: 'It waits for approval' }),
  appealCount: count('Appeals that wait'),
  createdAt: Timestamp,
  closedAt: Timestamp.nullable().meta({ example: null }),
}

const ListedCase = z
  .object({
    ...caseFields,
    excerpt: textLike('Watches from 9.90!').meta({ description: 'The first 200 characters of the thing' }),
    gone: z.boolean().meta({ example: false, description: 'The thing was deleted' }),
    lastAct: z
      .object({ action: Action, actorUsername: UsernameOrNull, createdAt: Timestamp })
      .nullable()
      .meta({ description: 'What was done last about the thing' }),
  })
  .meta({ id: 'ListedCase' })

const Progress = z.object({
  done: count('Things that were looked at'),
  total: z.int().nullable().meta({ example: 12, description: 'null before it begins' }),
  startedAt: Timestamp,
  doneAt: Timestamp.nullable().meta({ example: null }),
})

const Act = z.object({
  id: Id,
  action: Action,
  rule: Rule,
  reason: textLike('Advertising without anything about the topic.'),
  actorUsername: UsernameOrNull,
  createdAt: Timestamp,
  undoneAt: Timestamp.nullable().meta({ example: null }),
  appeal: textLike('It was about the topic.').nullable(),
  appealGranted: z.boolean().nullable().meta({ example: null, description: 'null until it is decided' }),
  appealReason: textLike('It was not.').nullable(),
})

const Report = z.object({
  id: Id,
  reason: Rule,
  text: textLike('The same in five places.').nullable(),
  reporterUsername: UsernameOrNull,
  createdAt: Timestamp,
})

const Case = z
  .object({
    ...caseFields,
    target: Target.extend({
      text: textLike('Watches from 9.90!').meta({ description: 'At most 2,000 characters' }),
      state: StateField,
      gone: z.boolean().meta({ example: false, description: 'It was deleted' }),
    }),
    author: caseFields.author.extend({
      createdAt: Timestamp,
      verified: z.boolean().meta({ example: true }),
      blockedAt: Timestamp.nullable().meta({ example: null }),
      things: count('What the account wrote'),
      acts: z
        .array(z.object({ action: Action, count: count('How often, without what was undone') }))
        .meta({ description: 'What was done to the account and its things before' }),
      removal: Progress.nullable().meta({ example: null, description: 'Of the removal of everything it wrote' }),
    }),
    reports: z.array(Report).meta({ description: 'The oldest 100; the others are listed by pages' }),
    acts: z.array(Act).meta({ description: 'What was done about the thing, newest first' }),
  })
  .meta({ id: 'Case' })

const Notice = z
  .object({
    id: Id,
    action: Action,
    rule: Rule,
    reason: textLike('Advertising.'),
    target: Target,
    createdAt: Timestamp,
    undoneAt: Timestamp.nullable().meta({ example: null }),
    appeal: textLike('It was about the topic.').nullable(),
    appealGranted: z.boolean().nullable().meta({ example: null, description: 'null until it is decided' }),
    appealReason: textLike('It was not.').nullable(),
  })
  .meta({ id: 'ModerationNotice' })

const Decided = z.object({ id: Id.meta({ description: 'Of the act' }), action: Action }).meta({ id: 'Decided' })

export const reports = {
  create: {
    summary: 'Report something to the moderators',
    description:
      'An account has one open report of a thing. Reports of one thing are one case of the moderators; who reported is not told to anyone else.',
    method: 'POST',
    path: '/community/reports',
    access: write,
    budget: 'reports',
    input: z.object({
      targetType: TargetType,
      targetId: Id,
      reason: Rule,
      text: text(1, 1000).optional().meta({ example: 'The same in five places.' }),
    }),
    output: z.object({ id: Id, targetId: Id, reason: Rule, createdAt: Timestamp }).meta({ id: 'Report' }),
    status: 201,
    problems: ['not_found', 'conflict'],
  },
} satisfies Contract

export const moderation = {
  cases: {
    summary: 'Cases: what was reported, waits for approval or has an appeal',
    description: 'Open cases come oldest first. Closed ones come newest first, the last one of each thing.',
    method: 'GET',
    path: '/community/moderation/cases',
    access: moderate,
    input: z.object({
      state: z
        .enum(['open', 'closed'])
        .default('open')
        .meta({ example: 'open', description: 'Those that wait, or those that are decided' }),
      page: PageNumber,
      per_page: PageSize,
    }),
    output: z.object({
      items: z.array(ListedCase),
      hasMore: HasMore,
      waiting: count('Open cases, counted up to 100'),
    }),
  },
  case: {
    summary: 'A case with its reports, and with what its author and the thing had before',
    method: 'GET',
    path: '/community/moderation/cases/{id}',
    access: moderate,
    input: z.object({ id: Id }),
    output: Case,
    problems: ['not_found'],
  },
  caseReports: {
    summary: 'The reports of a case, oldest first',
    method: 'GET',
    path: '/community/moderation/cases/{id}/reports',
    access: moderate,
    input: z.object({ id: Id, page: PageNumber, per_page: PageSize }),
    output: z.object({ items: z.array(Report), hasMore: HasMore }),
    problems: ['not_found'],
  },
  decide: {
    summary: 'Decide a case: hide, delete, warn, block, remove everything, approve or dismiss',
    description: `The author gets a notice with the reason, except for \`approve\` and \`dismiss\`. \`delete\` and \`remove_all\` can be undone for ${UNDO_DAYS} days; after that it is deleted. \`remove_all\` is everything that the author wrote, in the background. What waits for approval goes on waiting after \`warn\` and \`dismiss\`, and cannot be dismissed without reports. A profile can be dismissed, or its member warned, blocked or removed.`,
    method: 'POST',
    path: '/community/moderation/cases/{id}/decision',
    access: moderate,
    audit: [caseActions.decide],
    input: z.object({
      id: Id,
      action: z.enum(decisions).meta({ example: 'hide' }),
      rule: Rule,
      reason: text(0, 1000)
        .default('')
        .meta({ example: 'Advertising.', description: 'For the author; may be empty for `approve` and `dismiss`' }),
    }),
    output: Decided,
    problems: ['not_found', 'conflict'],
  },
  undo: {
    summary: 'Undo what was decided',
    description: `What was hidden, removed or blocked shows again; within ${UNDO_DAYS} days for what was removed.`,
    method: 'POST',
    path: '/community/moderation/acts/{id}/undo',
    access: moderate,
    audit: [caseActions.undo],
    input: z.object({ id: Id, reason: Reason }),
    output: Decided,
    problems: ['not_found', 'conflict'],
  },
  decideAppeal: {
    summary: 'Decide an appeal: granted ones undo what was done',
    method: 'POST',
    path: '/community/moderation/acts/{id}/appeal/decision',
    access: moderate,
    audit: [caseActions.appeal],
    input: z.object({ id: Id, granted: z.boolean(), reason: Reason }),
    output: z.object({ id: Id, granted: z.boolean() }),
    problems: ['not_found', 'conflict'],
  },
  notices: {
    summary: 'The notices of the moderators to me, newest first, each with its appeal',
    method: 'GET',
    path: '/community/moderation/notices',
    access: read,
    input: z.object({ page: PageNumber, per_page: PageSize }),
    output: z.object({ items: z.array(Notice), hasMore: HasMore }),
  },
  notice: {
    summary: 'A notice of the moderators to me',
    method: 'GET',
    path: '/community/moderation/notices/{id}',
    access: read,
    input: z.object({ id: Id }),
    output: Notice,
    problems: ['not_found'],
  },
  appeal: {
    summary: 'Appeal against a decision, once',
    description: 'A moderator decides it with a reason.',
    method: 'POST',
    path: '/community/moderation/notices/{id}/appeal',
    access: write,
    budget: 'reports',
    input: z.object({ id: Id, text: text(1, 1000).meta({ example: 'It was about the topic.' }) }),
    output: z.object({ id: Id }),
    status: 201,
    problems: ['not_found', 'conflict'],
  },
  appealByLink: {
    summary: 'Appeal against a block, by the link in the mail about it',
    description: 'Needs no credential: the token proves that we made the link.',
    method: 'POST',
    path: '/community/moderation/appeals',
    access: everybody,
    input: z.object({
      token: z
        .string()
        .min(1)
        .max(200)
        .meta({ example: `${EXAMPLE_ID}.3q2-7w` }),
      text: text(1, 1000).meta({ example: 'My account was taken over.' }),
    }),
    output: z.object({ id: Id }),
    status: 201,
    problems: ['not_found', 'conflict'],
  },
  log: {
    summary: 'What moderators did: to which kind of thing, by which rule, when; newest first, without names',
    method: 'GET',
    path: '/community/moderation/log',
    access: open,
    input: z.object({ page: PageNumber, per_page: PageSize }),
    output: z.object({
      items: z.array(
        z
          .object({
            action: Action,
            targetType: textLike('post'),
            rule: Rule,
            createdAt: Timestamp,
            undone: z.boolean().meta({ example: false }),
            appeal: z.enum(['granted', 'refused']).nullable().meta({ example: null }),
          })
          .meta({ id: 'ModerationLogEntry' }),
      ),
      hasMore: HasMore,
    }),
  },
} satisfies Contract
