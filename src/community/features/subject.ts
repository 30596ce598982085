// What a feature request is, and what can be done with it. Nobody comments on one (interface.md, section 1).
import { z } from 'zod'
import { defineListedSubject } from '../../content/subject.ts'
import { auditActions } from '../../contract/audit.ts'
import { Id, Timestamp, text } from '../../contract/fields.ts'

export const Status = z.enum(['open', 'planned', 'shipped', 'declined'])

export const Feature = z
  .object({
    id: Id,
    title: text(1, 100).meta({ example: 'Pause a workflow without deleting it' }),
    description: text(1, 1000).meta({
      example: 'During holidays nobody reads the digest: it should stop until it is resumed.',
    }),
    authorId: Id,
    status: Status,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Feature' })
export type Feature = z.infer<typeof Feature>

export const featureActions = auditActions('feature', {
  status: 'Set the status of a feature request',
  delete: 'Deleted a feature request',
})

export const feature = defineListedSubject({
  type: 'feature',
  one: 'a feature request',
  many: 'feature requests',
  path: '/community/features',
  kinds: [{ kind: 'feature', word: 'Feature request', many: 'Features', icon: 'feature' }],
  section: 'Features',
  pages: {
    title: 'Feature requests',
    description: 'What people need, and what is planned and shipped.',
    about: 'Ideas and their status. Vote for what you need.',
    word: 'request',
    hint: 'To add one, describe the goal rather than the solution.',
    create: 'Request a feature',
    submit: 'Submit request',
    fields: [
      { name: 'title', label: 'Title', help: 'What you would like to be able to do, in one line.' },
      {
        name: 'description',
        label: 'Description',
        help: 'What you want to get done, and what you do today instead.',
        markdown: true,
      },
    ],
    schema: 'DiscussionForumPosting',
    decide: 'setStatus',
  },
  table: 'feature',
  record: Feature,
  filters: { status: Status.optional().meta({ description: 'Only requests with this status' }) },
  tools: { list: { name: 'list_features' }, vote: { name: 'vote_feature', known: true } },
  audit: featureActions,
  permissions: { delete: ['unansweredAuthor', 'moderator'], setStatus: ['admin'] },
  text: ({ title, description }) => ({ title, text: description }),
  url: ({ id }) => `/community/features/${id}`,
})
