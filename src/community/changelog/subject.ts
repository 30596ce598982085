// An entry of the changelog: what was released, and what it closes.
import { z } from 'zod'
import { defineListedSubject } from '../../content/subject.ts'
import { auditActions } from '../../contract/audit.ts'
import { comments, edits, follows, lists, moves, reports, votes, writes } from '../../contract/capabilities.ts'
import { EditedAt, Id, line, ThingNumber, Timestamp, text } from '../../contract/fields.ts'

export const Release = z
  .object({
    id: Id,
    number: ThingNumber,
    title: line(1, 100).meta({ example: 'Workflows can be paused' }),
    body: text(1, 10_000).meta({ example: 'A paused workflow keeps its place and goes on where it was.' }),
    version: line(0, 50).meta({ description: 'Empty for none', example: '2.4.0' }),
    date: z.iso.date().meta({ description: 'The day of the release', example: '2026-11-20' }),
    closes: text(0, 500).meta({
      description: 'Numbers of the bugs and feature requests that it closes, with commas; empty for none',
      example: '128,131',
    }),
    authorId: Id,
    createdAt: Timestamp,
    editedAt: EditedAt,
  })
  .meta({ id: 'Release' })
export type Release = z.infer<typeof Release>

export const releaseActions = auditActions('release', {
  publish: 'Published a release in the changelog',
  edit: 'Edited a release',
  delete: 'Deleted a release',
})

export const urlOf = ({ id }: { id: string }) => `/community/changelog/${id}`

export const release = defineListedSubject({
  type: 'release',
  one: 'a release',
  many: 'releases',
  path: '/community/changelog',
  kinds: [{ kind: 'release', icon: 'ship' }],
  writers: ['moderator'],
  pages: {
    drafts: true,
    fields: [
      { name: 'title' },
      { name: 'version' },
      { name: 'date', type: 'date' },
      { name: 'closes' },
      { name: 'body', markdown: true },
    ],
    schema: 'SocialMediaPosting',
  },
  table: 'release',
  can: [lists, writes, edits, votes, comments('releaseId'), follows, moves, reports],
  record: Release,
  filters: {},
  audit: releaseActions,
  permissions: { edit: ['author', 'moderator'], delete: ['author', 'moderator'] },
  text: ({ title, body }) => ({ title, text: body }),
  url: urlOf,
})
