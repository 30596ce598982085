// What an org of the gallery is, and what can be done with it.

import { z } from 'zod'
import { defineListedSubject } from '../../content/subject.ts'
import { auditActions } from '../../contract/audit.ts'
import { comments, follows, lists, reports, votes, writes } from '../../contract/capabilities.ts'
import { EXAMPLE_ID, Id, Timestamp, textLike } from '../../contract/fields.ts'
import { pathOf, shownText, titleOf } from './rules.ts'

export const example = {
  slug: 'invoice-desk',
  name: 'invoice-desk',
  tagline: 'Three roles that keep the books',
  description: 'Runs every working day at seven and asks a person about anything above 20,000.',
  body: '## How to run it\n\nPut the invoices of the day into the inbox.',
  bannerUrl: `/api/images/org/${EXAMPLE_ID}`,
} as const

export const Org = z
  .object({
    id: Id,
    slug: textLike(example.slug),
    name: textLike(example.name),
    goal: textLike('Match supplier invoices to purchase orders every morning.'),
    topology: textLike('hierarchical').nullable(),
    roleCount: z.int(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Org' })

/** What lists and pages show beyond what an upload answers. */
export const listedFields = {
  authorId: Id,
  tagline: textLike(example.tagline).nullable(),
  description: textLike(example.description).nullable(),
  bannerUrl: textLike(example.bannerUrl).nullable(),
  runCount: z.int(),
  updatedAt: Timestamp,
}

export const orgActions = auditActions('org', {
  update: 'Changed an org',
  delete: 'Deleted an org',
  addImage: 'Added an image to an org',
})

export const org = defineListedSubject({
  type: 'org',
  one: 'an org',
  many: 'orgs',
  path: '/community/orgs',
  writes: 'orgs',
  kinds: [{ kind: 'org', icon: 'org' }],
  table: 'orgUpload',
  record: Org.extend(listedFields),
  filters: {},
  can: [lists, writes, votes, comments('orgUploadId'), follows, reports],
  tools: { list: { name: 'list_orgs' }, get: { name: 'get_org' }, vote: { name: 'vote_org', known: true } },
  audit: orgActions,
  permissions: { edit: ['author', 'moderator'], delete: ['author', 'moderator'] },
  text: (shown) => ({ title: titleOf(shown), text: shownText(shown) }),
  url: pathOf,
})
