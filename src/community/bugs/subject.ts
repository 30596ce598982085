// What a bug is, and what can be done with it.
import { z } from 'zod'
import { labelFilter } from '../../content/labels/labelling-contract.ts'
import { defineListedSubject } from '../../content/subject.ts'
import { auditActions } from '../../contract/audit.ts'
import {
  assigns,
  type ClosingRule,
  closes,
  comments,
  concerns,
  edits,
  follows,
  labels,
  lists,
  locks,
  merges,
  moves,
  pins,
  reports,
  solves,
  votes,
  writes,
} from '../../contract/capabilities.ts'
import { EditedAt, Id, line, ThingNumber, Timestamp, text } from '../../contract/fields.ts'
import { severalOf } from '../../contract/several.ts'

export const Status = z.enum(['open', 'in_progress', 'resolved', 'wontfix'])
export const Severity = z.enum(['low', 'medium', 'high', 'critical']).meta({ example: 'high' })

export const Bug = z.object({
  id: Id,
  number: ThingNumber,
  title: line(1, 100).meta({ example: 'The digest is sent twice when the clock changes' }),
  description: text(1, 1000).meta({
    example: 'On the night of the change the workflow ran at 02:30 and again an hour later.',
  }),
  authorId: Id,
  status: Status,
  severity: Severity,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  editedAt: EditedAt,
})
export type Bug = z.infer<typeof Bug>

export const bugActions = auditActions('bug', {
  triage: 'Triaged a bug',
  edit: 'Edited a bug',
  close: 'Closed a bug or opened it again',
  merge: 'Merged a bug into another one',
  unmerge: 'Undid the merge of a bug',
  delete: 'Deleted a bug',
  label: 'Added a label to a bug',
  unlabel: 'Removed a label from a bug',
})

/** What a caller writes. */
export const Report = Bug.pick({ title: true, description: true, severity: true })

/** What its author may make of its status. */
export const closing = {
  open: 'open',
  closed: 'resolved',
  from: ['open', 'in_progress'],
} as const satisfies ClosingRule

export const bug = defineListedSubject({
  type: 'bug',
  one: 'a bug',
  many: 'bugs',
  path: '/community/bugs',
  kinds: [{ kind: 'bug', icon: 'bug' }],
  pages: {
    fields: [{ name: 'title' }, { name: 'description', markdown: true }, { name: 'severity', initial: 'medium' }],
    schema: 'DiscussionForumPosting',
    decide: 'triage',
  },
  table: 'bug',
  can: [
    lists,
    writes,
    edits,
    closes(closing),
    merges,
    votes,
    comments('bugId'),
    pins,
    locks,
    solves,
    assigns,
    concerns,
    follows,
    labels('bugLabel', 'triage'),
    moves,
    reports,
  ],
  record: Bug,
  filters: {
    status: severalOf(Status, 'Only bugs with this status').optional(),
    severity: severalOf(Severity, 'Only bugs with this severity').optional(),
    ...labelFilter,
  },
  tools: {
    list: { name: 'list_bugs' },
    get: { name: 'get_bug' },
    vote: { name: 'vote_bug', known: true },
    comment: { name: 'comment_bug', known: true },
  },
  resource: 'Bug',
  audit: bugActions,
  permissions: {
    edit: ['author', 'moderator'],
    close: ['author', 'moderator'],
    merge: ['moderator'],
    delete: ['unansweredAuthor', 'moderator'],
    triage: ['moderator'],
  },
  text: ({ title, description }) => ({ title, text: description }),
  url: ({ id }) => `/community/bugs/${id}`,
})
