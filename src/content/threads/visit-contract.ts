// What an account saw: up to when of a thing, and of a list when the visit before this one ended.
import { z } from 'zod'
import { Id, Timestamp } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { read, write } from '../area.ts'
import { VISIT_DAYS, VISIT_GAP_MINUTES } from './visit-rules.ts'

const Visit = z
  .object({ id: Id, seenAt: Timestamp.nullable(), bookmarked: z.boolean() })
  .meta({ id: 'ThreadVisit', description: 'What the caller saw and bookmarked' })

const ListType = z.enum(['bug', 'feature', 'post']).meta({ example: 'bug', description: 'What the list is of' })

const ListVisit = z
  .object({ type: ListType, since: Timestamp.nullable().meta({ description: 'When the visit before ended' }) })
  .meta({ id: 'ListVisit', description: 'The last visit of the caller before this one; null for none' })

export const visits = {
  visit: {
    summary: 'Say that I saw what is new in a thing; the answer has when I saw it before',
    synonyms: ['mark thread as read', 'last visit'],
    description: `What was not opened for ${VISIT_DAYS} days is forgotten, unless it is bookmarked.`,
    method: 'PUT',
    kind: 'account',
    path: '/community/threads/{id}/visit',
    access: write,
    budget: 'drafts',
    input: z.object({ id: Id, seenAt: Timestamp.meta({ description: 'Up to when; no later than now' }) }),
    output: Visit,
    problems: ['not_found'],
  },
  mine: {
    summary: 'When I last saw a thing, and whether I bookmarked it',
    method: 'GET',
    path: '/community/threads/{id}/mine',
    access: read,
    input: z.object({ id: Id }),
    output: Visit,
    problems: ['not_found'],
  },
  visitList: {
    summary: 'Say that I opened a list; the answer has when my visit before ended',
    synonyms: ['new since my visit', 'unread', 'what is new'],
    description: `With \`activeSince\` the list has what is new since then. A visit ends after ${VISIT_GAP_MINUTES} minutes without another call.`,
    method: 'PUT',
    kind: 'account',
    path: '/community/lists/{type}/visit',
    access: write,
    budget: 'drafts',
    input: z.object({ type: ListType }),
    output: ListVisit,
    problems: ['not_found'],
  },
  myListVisit: {
    summary: 'When my last visit of a list ended',
    method: 'GET',
    path: '/community/lists/{type}/visit',
    access: read,
    input: z.object({ type: ListType }),
    output: ListVisit,
    problems: ['not_found'],
  },
} as const satisfies Contract
