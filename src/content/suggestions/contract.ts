// Suggestions: calls that an agent would make and a person decides, each with a reason and how sure the agent is.
import { z } from 'zod'
import { auditActions } from '../../contract/audit.ts'
import {
  EXAMPLE_ID,
  Id,
  line,
  pageEnd,
  pageInput,
  Timestamp,
  textLike,
  UsernameOrNull,
  Via,
} from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { Access, Contract } from '../../contract/operation.ts'
import { keysOf } from '../../contract/records.ts'
import { suggestionStates } from '../../contract/states.ts'
import { community, open, write } from '../area.ts'
import { Reason } from '../hiding/moderation-contract.ts'
import { MAX_AT_ONCE, MAX_WAITING } from './rules.ts'

export const suggestionActions = auditActions('suggestion', {
  accept: 'Accepted a suggestion',
  refuse: 'Declined a suggestion',
})

/** A person decides, in a browser: no token does. */
const decide = { area: community, credential: 'session' } as const satisfies Access

const State = z.enum(keysOf(suggestionStates))

const Suggestion = z
  .object({
    id: Id,
    target: z.object({
      type: textLike('bug'),
      id: Id,
      title: textLike('Crash at start'),
      url: textLike(`/community/bugs/${EXAMPLE_ID}`),
      href: Href,
    }),
    operation: textLike('bugs.triage').meta({ description: 'What is called when it is accepted' }),
    summary: textLike('Set the status of a bug, its severity, or both'),
    input: z.record(z.string(), z.unknown()).meta({ example: { id: EXAMPLE_ID, severity: 'high' } }),
    reason: textLike('Three members lost data'),
    confidence: z.number().meta({ example: 0.8, description: 'From 0 to 1' }),
    state: State,
    authorId: Id,
    authorUsername: UsernameOrNull,
    via: Via,
    createdAt: Timestamp,
    decidedById: Id.nullable(),
    decidedByUsername: UsernameOrNull,
    decidedAt: Timestamp.nullable(),
    decision: z.string().nullable().meta({ description: 'Why it was refused', example: null }),
    can: z.object({ decide: z.boolean(), withdraw: z.boolean() }),
  })
  .meta({ id: 'Suggestion' })

const ids = z
  .array(Id)
  .min(1)
  .max(MAX_AT_ONCE)
  .meta({ description: `Up to ${MAX_AT_ONCE}`, example: [EXAMPLE_ID] })

const decided = z.object({
  items: z.array(
    z.object({
      id: Id,
      state: State.nullable().meta({ example: 'accepted', description: 'Null where there is no such suggestion' }),
      error: z.string().nullable().meta({ example: null, description: 'Why it stays as it is' }),
    }),
  ),
})

export const suggestions = {
  list: {
    summary: 'Suggestions of agents, newest first',
    synonyms: ['what was suggested', 'suggested labels', 'suggestions of agents'],
    description: 'Of one thing, or of all things that everyone may see.',
    method: 'GET',
    path: '/community/suggestions',
    access: open,
    input: z.object({
      targetId: Id.optional().meta({ description: 'Only those of this thing' }),
      authorId: Id.optional().meta({ description: 'Only those by the account with this id' }),
      state: State.default('waiting').meta({ description: 'Those that wait, or how others ended' }),
      ...pageInput,
    }),
    output: z.object({ items: z.array(Suggestion), ...pageEnd }),
  },
  create: {
    summary: 'Suggest an act on a thing, for a person to accept',
    synonyms: ['suggest label', 'suggest severity', 'suggest duplicate', 'suggest answer', 'suggest closing'],
    description: `\`operation\` is one of which the reference says that agents can suggest it: status and severity, labels, closing, merging, an answer. \`input\` is what it takes. Of a thing ${MAX_WAITING} can wait; the same again is 409.`,
    method: 'POST',
    kind: 'comments',
    path: '/community/suggestions',
    access: write,
    budget: 'comments',
    isSuggestion: true,
    input: z.object({
      operation: line(1, 100).meta({ example: 'bugs.triage' }),
      input: z.record(z.string(), z.unknown()).meta({ example: { id: EXAMPLE_ID, severity: 'high' } }),
      reason: line(1, 500).meta({ example: 'Three members lost data', description: 'Why; shown with it' }),
      confidence: z.number().min(0).max(1).meta({ example: 0.8, description: 'How sure, from 0 to 1' }),
    }),
    output: Suggestion,
    status: 201,
    problems: ['not_found', 'conflict'],
  },
  accept: {
    summary: 'Accept suggestions: each is made now, by the one who accepts it',
    synonyms: ['apply suggestion', 'approve suggestions'],
    description: 'An answer is posted as the agent. Each stands by itself: `error` says why one was not made.',
    method: 'POST',
    kind: 'moderation',
    path: '/community/suggestions/accept',
    access: decide,
    audit: [suggestionActions.accept],
    input: z.object({ ids }),
    output: decided,
  },
  refuse: {
    summary: 'Refuse suggestions',
    synonyms: ['decline suggestion', 'dismiss suggestions'],
    method: 'POST',
    kind: 'moderation',
    path: '/community/suggestions/refuse',
    access: decide,
    audit: [suggestionActions.refuse],
    input: z.object({ ids, reason: Reason }),
    output: decided,
  },
  withdraw: {
    summary: 'Withdraw a suggestion of mine that waits',
    method: 'DELETE',
    kind: 'comments',
    path: '/community/suggestions/{id}',
    access: write,
    isSuggestion: true,
    input: z.object({ id: Id }),
    output: z.object({ id: Id, state: State }),
    problems: ['not_found', 'conflict'],
  },
} satisfies Contract
