// What a feature request is, and what can be done with it.
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

export const Status = z.enum(['open', 'planned', 'shipped', 'declined'])

export const Feature = z.object({
  id: Id,
  number: ThingNumber,
  title: line(1, 100).meta({ example: 'Pause a workflow without deleting it' }),
  description: text(1, 1000).meta({
    example: 'The digest is not read during holidays: it should stop until it is resumed.',
  }),
  authorId: Id,
  status: Status,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  editedAt: EditedAt,
})
export type Feature = z.infer<typeof Feature>

export const featureActions = auditActions('feature', {
  status: 'Set the status of a feature request',
  edit: 'Edited a feature request',
  close: 'Closed a feature request or opened it again',
  merge: 'Merged a feature request into another one',
  unmerge: 'Undid the merge of a feature request',
  delete: 'Deleted a feature request',
  label: 'Added a label to a feature request',
  unlabel: 'Removed a label from a feature request',
})

/** What its author may make of its status. */
export const closing = { open: 'open', closed: 'declined', from: ['open', 'planned'] } as const satisfies ClosingRule

export const feature = defineListedSubject({
  type: 'feature',
  one: 'a feature request',
  many: 'feature requests',
  path: '/community/features',
  kinds: [{ kind: 'feature', icon: 'feature' }],
  pages: {
    fields: [{ name: 'title' }, { name: 'description', markdown: true }],
    schema: 'DiscussionForumPosting',
    decide: 'setStatus',
  },
  table: 'feature',
  can: [
    lists,
    writes,
    edits,
    closes(closing),
    merges,
    votes,
    comments('featureId'),
    pins,
    locks,
    solves,
    assigns,
    concerns,
    follows,
    labels('featureLabel', 'label'),
    moves,
    reports,
  ],
  record: Feature,
  filters: { status: severalOf(Status, 'Only requests with this status').optional(), ...labelFilter },
  tools: {
    list: { name: 'list_features' },
    vote: { name: 'vote_feature', known: true },
    comment: { name: 'comment_feature' },
  },
  audit: featureActions,
  permissions: {
    edit: ['author', 'moderator'],
    close: ['author', 'moderator'],
    merge: ['moderator'],
    delete: ['unansweredAuthor', 'moderator'],
    label: ['moderator'],
    setStatus: ['admin', 'boardModerator'],
  },
  text: ({ title, description }) => ({ title, text: description }),
  url: ({ id }) => `/community/features/${id}`,
})
