// The sample data that the set-up of an instance made (behaviour.md, section 5).
import { z } from 'zod'
import { administer, inspect } from '../../content/area.ts'
import { auditActions } from '../../contract/audit.ts'
import { Id, textLike } from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { Contract } from '../../contract/operation.ts'

export const sampleActions = auditActions('sample', { remove: 'Removed the sample data' })

const KeptSample = z
  .object({
    id: Id,
    type: z.enum(['post', 'bug', 'feature', 'label']).meta({ example: 'bug' }),
    title: textLike('The start page is slow on phones'),
    url: textLike('/community/bugs'),
    href: Href,
  })
  .meta({ id: 'KeptSample' })

const Count = z.int().meta({ example: 7 })

export const samples = {
  get: {
    summary: 'How much sample data of the set-up there is',
    method: 'GET',
    path: '/community/admin/samples',
    access: inspect,
    input: z.object({}),
    output: z.object({ count: Count }),
  },
  remove: {
    summary: 'Remove the sample data of the set-up',
    description:
      'What was edited, decided, voted or commented on stays, and is sample data no longer, as does a label in use.',
    method: 'DELETE',
    kind: 'moderation',
    path: '/community/admin/samples',
    access: administer,
    audit: [sampleActions.remove],
    input: z.object({}),
    output: z.object({ removed: Count, kept: z.array(KeptSample) }),
  },
} satisfies Contract
