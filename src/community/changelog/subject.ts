// An entry of the changelog: what was released, and what it closes.
import { z } from 'zod'
import { defineListedSubject } from '../../content/subject.ts'
import { auditActions } from '../../contract/audit.ts'
import { EditedAt, Id, ThingNumber, Timestamp, text } from '../../contract/fields.ts'

export const Release = z
  .object({
    id: Id,
    number: ThingNumber,
    title: text(1, 100).meta({ example: 'Workflows can be paused' }),
    body: text(1, 10_000).meta({ example: 'A paused workflow keeps its place and goes on where it was.' }),
    version: text(0, 50).meta({ description: 'Empty for none', example: '2.4.0' }),
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
  kinds: [{ kind: 'release', word: 'Release', many: 'Releases', icon: 'ship' }],
  section: 'Changelog',
  writers: ['moderator'],
  pages: {
    title: 'Changelog',
    description: 'What was released, and which bugs and feature requests it closed.',
    about: 'What is new.',
    word: 'release',
    hint: 'Each release says what is new.',
    create: 'New release',
    submit: 'Publish',
    draft: { save: 'Save as draft', publish: 'Publish release' },
    fields: [
      { name: 'title', label: 'Title', help: 'What is new, in one line.' },
      { name: 'version', label: 'Version', help: 'For example, 2.4.0. Optional.' },
      {
        name: 'date',
        label: 'Date',
        type: 'date',
        help: 'The day of the release; today unless you choose another one.',
      },
      {
        name: 'closes',
        label: 'Closes',
        help: 'Numbers of bugs and feature requests, with commas. Bugs become resolved and requests shipped, and those who follow or voted for them are notified. A number that is taken out stays closed.',
      },
      { name: 'body', label: 'Text', markdown: true },
    ],
    schema: 'SocialMediaPosting',
  },
  table: 'release',
  record: Release,
  filters: {},
  parent: 'releaseId',
  follow: true,
  audit: releaseActions,
  permissions: { edit: ['author', 'moderator'], delete: ['author', 'moderator'] },
  text: ({ title, body }) => ({ title, text: body }),
  url: urlOf,
})
