// What a bug is, and what can be done with it.
import { z } from 'zod'
import { defineListedSubject } from '../../content/subject.ts'
import { auditActions } from '../../contract/audit.ts'
import { Id, Timestamp, text } from '../../contract/fields.ts'

export const Status = z.enum(['open', 'in_progress', 'resolved', 'wontfix'])
export const Severity = z.enum(['low', 'medium', 'high', 'critical']).meta({ example: 'high' })

export const Bug = z
  .object({
    id: Id,
    title: text(1, 100).meta({ example: 'The digest is sent twice when the clock changes' }),
    description: text(1, 1000).meta({
      example: 'On the night of the change the workflow ran at 02:30 and again an hour later.',
    }),
    authorId: Id,
    status: Status,
    severity: Severity,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Bug' })
export type Bug = z.infer<typeof Bug>

export const bugActions = auditActions('bug', {
  triage: 'Triaged a bug',
  delete: 'Deleted a bug',
  label: 'Added a label to a bug',
  unlabel: 'Removed a label from a bug',
})

/** What a caller writes. */
export const Report = Bug.pick({ title: true, description: true, severity: true })

export const bug = defineListedSubject({
  type: 'bug',
  one: 'a bug',
  many: 'bugs',
  path: '/community/bugs',
  kinds: [{ kind: 'bug', word: 'Bug', many: 'Bugs', icon: 'bug' }],
  section: 'Bugs',
  pages: {
    title: 'Bugs',
    description: 'Known problems that people and their agents reported, and their status.',
    about: 'Known problems and their status.',
    word: 'bug',
    hint: 'To report one, say what you did, what you expected and what happened.',
    create: 'Report a bug',
    submit: 'Report',
    fields: [
      { name: 'title', label: 'Title', help: 'What goes wrong, in one line.' },
      {
        name: 'description',
        label: 'Description',
        help: 'What you did, what you expected, what happened.',
        markdown: true,
      },
      { name: 'severity', label: 'Severity', initial: 'medium' },
    ],
    schema: 'DiscussionForumPosting',
  },
  table: 'bug',
  record: Bug,
  filters: {
    status: Status.optional().meta({ description: 'Only bugs with this status' }),
    severity: Severity.optional().meta({ description: 'Only bugs of this severity' }),
    label: Id.optional().meta({ description: 'The id or the name of a label' }),
  },
  parent: 'bugId',
  tools: {
    list: { name: 'list_bugs' },
    get: { name: 'get_bug' },
    vote: { name: 'vote_bug', known: true },
    comment: { name: 'comment_bug', known: true },
  },
  resource: 'Bug',
  audit: bugActions,
  permissions: { delete: ['unansweredAuthor', 'moderator'], triage: ['moderator'] },
  text: ({ title, description }) => ({ title, text: description }),
  url: ({ id }) => `/community/bugs/${id}`,
})
