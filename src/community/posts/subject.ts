// What a post is, and what can be done with it.
import { z } from 'zod'
import { labelFilter } from '../../content/labels/labelling-contract.ts'
import { defineListedSubject } from '../../content/subject.ts'
import { auditActions } from '../../contract/audit.ts'
import {
  comments,
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

export const Post = z
  .object({
    id: Id,
    number: ThingNumber,
    title: line(1, 100).meta({ example: 'How we keep our books with three roles' }),
    body: text(1, 2000).meta({
      example: 'A desk lead, a matcher and an auditor. This is what we learnt in the first month.',
    }),
    authorId: Id,
    createdAt: Timestamp,
    editedAt: EditedAt,
  })
  .meta({ id: 'Post' })
export type Post = z.infer<typeof Post>

export const postActions = auditActions('post', {
  edit: 'Edited a post',
  merge: 'Merged a post into another one',
  unmerge: 'Undid the merge of a post',
  delete: 'Deleted a post',
  label: 'Added a label to a post',
  unlabel: 'Removed a label from a post',
})

export const post = defineListedSubject({
  type: 'post',
  one: 'a post',
  many: 'posts',
  path: '/community/posts',
  kinds: [{ kind: 'post', icon: 'post' }],
  pages: { fields: [{ name: 'title' }, { name: 'body', markdown: true }], schema: 'SocialMediaPosting' },
  table: 'post',
  can: [
    lists,
    writes,
    edits,
    merges,
    votes,
    comments('postId'),
    pins,
    locks,
    solves,
    follows,
    labels('postLabel', 'label'),
    moves,
    reports,
  ],
  record: Post,
  filters: labelFilter,
  tools: {
    list: { name: 'list_posts' },
    vote: { name: 'vote_post', known: true },
    comment: { name: 'comment_post' },
  },
  audit: postActions,
  permissions: {
    edit: ['author', 'moderator'],
    merge: ['moderator'],
    delete: ['author', 'moderator'],
    label: ['moderator'],
  },
  text: ({ title, body }) => ({ title, text: body }),
  url: ({ id }) => `/community/posts/${id}`,
})
