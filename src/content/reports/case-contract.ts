// Cases as moderators get them, and notices as the accounts get them that they concern.
import { z } from 'zod'
import { EXAMPLE_ID, Id, Timestamp, text, textLike, UsernameOrNull, Via } from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import { decisions, machineHolds, moderationActions, moderationRules, reportable } from '../../contract/kinds.ts'
import { keysOf } from '../../contract/records.ts'
import { caseStates } from '../../contract/states.ts'
import { StateField } from '../hiding/moderation-contract.ts'

export const TargetType = z.enum(reportable).meta({
  example: 'post',
  description: '`run` is one of an org, `item` a library item, `team` one that owns such items, `user` a profile',
})

export const Target = z.object({
  type: TargetType,
  id: Id,
  title: textLike('Cheap watches').meta({ description: 'Empty for a comment; of a notice the beginning of its text' }),
  url: textLike(`/community/posts/${EXAMPLE_ID}`),
  href: Href,
})

export const count = (description: string) => z.int().meta({ example: 1, description })

export const Rule = z.enum(moderationRules).meta({ example: 'spam' })

export const Reason = text(1, 1000).meta({ example: 'Advertising without anything about the topic.' })

export const Action = z.enum(moderationActions).meta({ example: 'hide' })

const caseFields = {
  id: Id,
  state: z.enum(keysOf(caseStates)).meta({ example: 'open' }),
  target: Target,
  author: z.object({ id: Id, username: UsernameOrNull }),
  reportCount: count('Open reports'),
  held: z.boolean().meta({ example: false, description: 'It waits for approval' }),
  appealCount: count('Appeals that wait'),
  createdAt: Timestamp,
  closedAt: Timestamp.nullable().meta({ example: null }),
}

export const ListedCase = z
  .object({
    ...caseFields,
    via: Via,
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

/** What a moderator did, for moderators and for the account that it concerns. */
const act = {
  id: Id,
  action: Action,
  rule: Rule,
  reason: textLike('Advertising without anything about the topic.'),
  createdAt: Timestamp,
  undoneAt: Timestamp.nullable().meta({ example: null }),
  appeal: textLike('It was about the topic.').nullable(),
  appealGranted: z.boolean().nullable().meta({ example: null, description: 'null until it is decided' }),
  appealReason: textLike('It was not.').nullable(),
}

export const Report = z.object({
  id: Id,
  reason: Rule,
  text: textLike('The same in five places.').nullable(),
  reporterUsername: UsernameOrNull,
  createdAt: Timestamp,
})

export const OwnReport = z
  .object({
    id: Id,
    target: Target.extend({
      title: textLike('Cheap watches').meta({ description: 'Empty where the caller cannot read it by now' }),
      url: textLike(`/community/posts/${EXAMPLE_ID}`).meta({ description: 'Empty where the caller cannot read it' }),
    }),
    reason: Rule,
    text: textLike('The same in five places.').nullable(),
    createdAt: Timestamp,
    state: z.enum(['waiting', 'acted', 'dismissed']).meta({ example: 'acted' }),
    action: z.enum(decisions).nullable().meta({ example: 'hide', description: 'What was done; null while it waits' }),
    decidedAt: Timestamp.nullable(),
    undone: z.boolean().meta({ example: false, description: 'What was done was taken back' }),
  })
  .meta({ id: 'OwnReport' })

const Evidence = z.object({
  title: textLike('Cheap watches'),
  text: textLike('Watches from 9.90!').meta({ description: 'At most 2,000 characters' }),
  createdAt: Timestamp,
})

const MachineVerdict = z
  .object({
    verdict: z.enum(machineHolds).meta({ example: 'spam' }),
    reason: textLike('Sells watches.').nullable(),
    confidence: z.number().nullable().meta({ example: 0.93, description: 'From 0 to 1' }),
  })
  .meta({ description: 'What the classifier of the operator said, where that held the thing: made by a machine' })

export const Case = z
  .object({
    ...caseFields,
    waitsFor: z.enum(['you', 'others', 'nobody']).meta({
      example: 'you',
      description:
        'Who may decide it. `others`: it is about you or your own, and waits for another moderator. `nobody`: there is no other one; the operator decides it at the command line, or makes one.',
    }),
    target: Target.extend({
      text: textLike('Watches from 9.90!').meta({
        description: 'At most 2,000 characters; of what is gone, as it was reported last',
      }),
      state: StateField,
      gone: z.boolean().meta({ example: false, description: 'It was deleted' }),
    }),
    machine: MachineVerdict.nullable(),
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
    evidence: z
      .array(Evidence)
      .meta({ description: 'The thing as it was when it was reported, oldest first; kept when its author deletes it' }),
    reports: z.array(Report).meta({ description: 'The oldest 100; the others are listed by pages' }),
    acts: z
      .array(z.object({ ...act, actorUsername: UsernameOrNull }))
      .meta({ description: 'What was done about the thing, newest first' }),
  })
  .meta({ id: 'Case' })

export const Notice = z.object({ ...act, target: Target }).meta({ id: 'ModerationNotice' })

export const Decided = z.object({ id: Id.meta({ description: 'Of the act' }), action: Action }).meta({ id: 'Decided' })
