// Everything a caller can do with an org of the gallery (interface.md, section 4, Org gallery).
import { z } from 'zod'
import { open, write } from '../../content/area.ts'
import { Reason } from '../../content/hiding/moderation-contract.ts'
import {
  commentOperations,
  deleteOperation,
  entryFieldsOf,
  readOperations,
  voteOperation,
} from '../../content/subjects/contract.ts'
import { clearable, clearableLine, Id, line, Sha256, text, textLike } from '../../contract/fields.ts'
import { file } from '../../contract/files.ts'
import type { Contract } from '../../contract/operation.ts'
import { OrgChart } from '../../contract/org-chart.ts'
import { example, listedFields, Org, org, orgActions } from './subject.ts'

const MAX_DEFINITION_BYTES = 500_000
/** interface.md, section 4: "below about 1 MB"; behaviour.md, section 2, sets the figure. */
const MAX_BODY_BYTES = 1_048_576

/** Paths take either (behaviour.md, section 2). */
export const OrgRef = Id.meta({ description: 'The id or the slug of an org', example: 'invoice-desk' })

const Definition = z
  .string()
  .refine((text) => text.length <= MAX_DEFINITION_BYTES && utf8Bytes(text) <= MAX_DEFINITION_BYTES, {
    error: 'must have at most 500,000 bytes',
  })
  .meta({ description: 'An org definition as JSON text', example: '{"name":"release-notes","roles":[{"id":"solo"}]}' })

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).byteLength
}

const OrgEntry = Org.extend({ ...entryFieldsOf(org, example.slug), ...listedFields }).meta({ id: 'OrgEntry' })

const OrgPage = OrgEntry.extend({
  body: textLike(example.body).nullable(),
  sha256: Sha256.meta({ description: 'Of the definition' }),
  size: z.int().meta({ example: 2048, description: 'Of the definition, in bytes' }),
  ...OrgChart.shape,
}).meta({ id: 'OrgPage' })

const IMAGES = '/api/images/org/'
/** Also after a browser has resolved what is in it: `..` must not lead out. */
const isImage = (url: string) =>
  url.startsWith(IMAGES) && URL.parse(url, 'http://localhost')?.pathname.startsWith(IMAGES) === true

const changeable = { name: true, tagline: true, description: true, body: true, bannerUrl: true } as const
const Changes = z.object({
  name: line(1, 100).meta({ example: example.name }).optional(),
  tagline: clearableLine(150).meta({ example: example.tagline }),
  description: clearable(1000).meta({ example: example.description }),
  body: clearable(20_000).meta({ example: example.body }),
  bannerUrl: text(0, 300)
    .refine(isImage, `must start with ${IMAGES} or be null`)
    .nullable()
    .optional()
    .meta({ example: example.bannerUrl }),
})

const reading = readOperations(org, OrgEntry)

export const orgs = {
  list: {
    ...reading.list,
    description: 'A list shows at most 200 characters of a name and 2,000 of a goal; an org by itself has all of it.',
  },
  get: {
    ...reading.get,
    summary: 'An org with its roles, by id or slug',
    description: 'At most the first 1,000 roles and 2,000 links between them; its definition has all of it.',
    input: z.object({ id: OrgRef }),
    output: OrgPage,
  },
  definition: {
    summary: 'The definition of an org as it was uploaded, byte for byte',
    synonyms: ['download org', 'org json'],
    method: 'GET',
    path: '/community/orgs/{id}/definition',
    access: open,
    input: z.object({ id: OrgRef }),
    output: file('application/json'),
    problems: ['not_found'],
  },
  create: {
    summary: 'Upload an org definition',
    synonyms: ['share team of agents', 'create org'],
    description:
      'The request must carry a numeric Content-Length of at most 1,048,576. The definition is checked before it is stored; a refusal names the field by its dotted path.',
    method: 'POST',
    kind: 'orgs',
    path: '/community/orgs',
    tool: { name: 'create_org', known: true },
    access: write,
    budget: 'orgs',
    input: z.object({ orgJson: Definition }),
    output: Org,
    status: 201,
    bodyLimitBytes: MAX_BODY_BYTES,
    requireLength: true,
  },
  update: {
    summary: 'Change what the gallery shows of an org: its owner, or a moderator',
    description: 'The answer holds the id and just what was set; an empty text becomes null.',
    method: 'PATCH',
    kind: 'orgs',
    path: '/community/orgs/{id}',
    access: write,
    audit: [orgActions.update],
    input: Changes.extend({ id: OrgRef, reason: Reason }).refine(
      (to) => Object.keys(Changes.shape).some((name) => Reflect.get(to, name) !== undefined),
      'give a name, a tagline, a description, a body or a bannerUrl',
    ),
    output: OrgPage.pick({ id: true, ...changeable }).partial(changeable),
    problems: ['not_found', 'forbidden'],
  },
  delete: {
    ...deleteOperation(org).delete,
    summary: 'Remove an org with its runs, images, comments and votes: its owner, or a moderator',
    input: z.object({ id: OrgRef, reason: Reason }),
  },
  ...voteOperation(org),
  ...commentOperations(org, { id: OrgRef }),
} satisfies Contract
