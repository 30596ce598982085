// Reporting things, and what moderators do about them: one queue, decisions with a reason, notices, appeals and a public log.
import { z } from 'zod'
import { auditActions } from '../../contract/audit.ts'
import { BoardSlug, EXAMPLE_ID, Id, pageEnd, pageInput, Timestamp, text, textLike, Via } from '../../contract/fields.ts'
import { decisions, UNDO_DAYS } from '../../contract/kinds.ts'
import type { Contract } from '../../contract/operation.ts'
import { keysOf } from '../../contract/records.ts'
import { caseStates } from '../../contract/states.ts'
import { MAX_CLIENT_ID } from '../agents/contract.ts'
import { byLink, moderateThing, open, read, superviseThing, write } from '../area.ts'
import {
  Action,
  Case,
  count,
  Decided,
  ListedCase,
  Notice,
  OwnReport,
  Reason,
  Report,
  Rule,
  TargetType,
} from './case-contract.ts'

/** Beside a list of cases, those with the most first. */
export const MAX_CASE_AGENTS = 20

/** Why a case is there. */
export const caseSources = ['members', 'automatic', 'appeal'] as const

export const caseActions = auditActions('case', {
  decide: 'Decided a case',
  undo: 'Undid a decision',
  appeal: 'Decided an appeal',
})

export const reports = {
  create: {
    summary: 'Report something to the moderators',
    synonyms: ['flag', 'report spam', 'report abuse', 'complain about'],
    description:
      'An account has one open report of a thing. Reports of one thing are one case of the moderators; who reported is not told to anyone else.',
    method: 'POST',
    kind: 'moderation',
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
  mine: {
    summary: 'My reports, newest first, each with its outcome',
    synonyms: ['my reports', 'what happened to my report', 'report status'],
    description:
      'A report waits, or moderators acted on it, or dismissed it. It never says who decided or who else reported. The title and the address are of what the caller can read by now.',
    method: 'GET',
    path: '/community/reports',
    access: read,
    input: z.object(pageInput),
    output: z.object({ items: z.array(OwnReport), ...pageEnd }),
  },
} satisfies Contract

export const moderation = {
  cases: {
    summary: 'Cases: what was reported, waits for approval or has an appeal',
    synonyms: ['moderation queue', 'list reports', 'what was reported'],
    description:
      'Open cases come oldest first. Closed ones come newest first, the last one of each thing. Moderators of boards get those on what is in their boards.',
    method: 'GET',
    path: '/community/moderation/cases',
    access: superviseThing,
    input: z.object({
      state: z
        .enum(keysOf(caseStates))
        .default('open')
        .meta({ example: 'open', description: 'Those that wait, or those that are decided' }),
      reason: Rule.optional().meta({ description: 'Only what was reported by this rule' }),
      type: TargetType.optional().meta({ description: 'Only things of this type' }),
      board: BoardSlug.optional().meta({ description: 'Only what is in this board, and what was said there' }),
      from: z.enum(caseSources).optional().meta({
        example: 'members',
        description:
          'Only what members reported; what waits for approval by itself or by the classifier; or what has an appeal that waits',
      }),
      agent: z.string().min(1).max(MAX_CLIENT_ID).optional().meta({
        description: 'Only what came through the agent with this `via.clientId`',
      }),
      ...pageInput,
    }),
    output: z.object({
      items: z.array(ListedCase),
      ...pageEnd,
      agents: z
        .array(z.object({ via: Via, count: count('Cases of this state') }))
        .meta({ description: `The agents through which such things came, at most ${MAX_CASE_AGENTS}` }),
      waiting: count('Open cases, counted up to 100'),
    }),
    problems: ['not_found'],
  },
  case: {
    summary: 'A case with its reports, and with what its author and the thing had before',
    method: 'GET',
    path: '/community/moderation/cases/{id}',
    access: superviseThing,
    input: z.object({ id: Id }),
    output: Case,
    problems: ['not_found'],
  },
  caseReports: {
    summary: 'The reports of a case, oldest first',
    method: 'GET',
    path: '/community/moderation/cases/{id}/reports',
    access: superviseThing,
    input: z.object({ id: Id, ...pageInput }),
    output: z.object({ items: z.array(Report), ...pageEnd }),
    problems: ['not_found'],
  },
  decide: {
    summary: 'Decide a case: hide, delete, warn, block, remove everything, approve or dismiss',
    synonyms: ['hide spam', 'take down', 'moderate', 'dismiss report', 'warn member'],
    description: `The author gets a notice with the reason, except for \`approve\` and \`dismiss\`. \`delete\` and \`remove_all\` can be undone for ${UNDO_DAYS} days; after that it is deleted. \`remove_all\` is everything that the author wrote, in the background. What waits for approval goes on waiting after \`warn\` and \`dismiss\`, and cannot be dismissed without reports. A profile can be dismissed, or its member warned, blocked or removed; so can the author of what is gone. Moderators of boards do nothing to accounts, and decide nothing of what is gone.`,
    method: 'POST',
    kind: 'moderation',
    path: '/community/moderation/cases/{id}/decision',
    access: moderateThing,
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
    kind: 'moderation',
    path: '/community/moderation/acts/{id}/undo',
    access: moderateThing,
    audit: [caseActions.undo],
    input: z.object({ id: Id, reason: Reason }),
    output: Decided,
    problems: ['not_found', 'conflict'],
  },
  decideAppeal: {
    summary: 'Decide an appeal: granted ones undo what was done',
    method: 'POST',
    kind: 'moderation',
    path: '/community/moderation/acts/{id}/appeal/decision',
    access: moderateThing,
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
    input: z.object(pageInput),
    output: z.object({ items: z.array(Notice), ...pageEnd }),
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
    synonyms: ['contest decision', 'object to removal'],
    description: 'A moderator decides it with a reason.',
    method: 'POST',
    kind: 'moderation',
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
    kind: 'moderation',
    path: '/community/moderation/appeals',
    access: byLink,
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
    synonyms: ['moderation log', 'transparency report'],
    method: 'GET',
    path: '/community/moderation/log',
    access: open,
    input: z.object(pageInput),
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
      ...pageEnd,
    }),
  },
} satisfies Contract
