// Everything a caller can do with a feature request (interface.md, section 4, Feature requests).
import { z } from 'zod'
import { administer, open, roleOrOwner, write } from '../../content/area.ts'
import { entryFieldsOf } from '../../content/listing-contract.ts'
import { Reason } from '../../content/moderation-contract.ts'
import { VoteInput, VoteResult } from '../../content/votes/contract.ts'
import { AuthorFilter, EXAMPLE_ID, Id, listInput, listOf, SearchText, Timestamp, text } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'

const Status = z.enum(['open', 'planned', 'shipped', 'declined'])
const Decided = Status.meta({ example: 'planned' })

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

const FeatureEntry = Feature.extend(entryFieldsOf(`/community/features/${EXAMPLE_ID}`)).meta({ id: 'FeatureEntry' })

export const features = {
  list: {
    summary: 'Feature requests, newest or most voted first',
    method: 'GET',
    path: '/community/features',
    tool: { name: 'list_features', title: 'List feature requests' },
    access: open,
    input: listInput.extend({
      status: Status.optional().meta({ description: 'Only requests with this status' }),
      authorId: AuthorFilter,
      q: SearchText,
    }),
    output: listOf(FeatureEntry),
  },
  get: {
    summary: 'A feature request',
    method: 'GET',
    path: '/community/features/{id}',
    access: open,
    input: z.object({ id: Id }),
    output: FeatureEntry,
    problems: ['not_found'],
  },
  create: {
    summary: 'Ask for a feature',
    method: 'POST',
    path: '/community/features',
    tool: { name: 'create_feature', known: true },
    access: write,
    budget: 'topics',
    input: Feature.pick({ title: true, description: true }),
    output: Feature,
    status: 201,
  },
  setStatus: {
    summary: 'Say what becomes of a feature request',
    description: 'Any status may follow any other.',
    method: 'PATCH',
    path: '/community/features/{id}/status',
    access: administer,
    input: z.object({ id: Id, status: Decided, reason: Reason }),
    output: z.object({ status: Decided }),
    problems: ['not_found'],
  },
  delete: {
    summary: 'Remove a feature request with its votes',
    description: 'For moderators and admins, and for its author: feature requests have no comments that would be lost.',
    method: 'DELETE',
    path: '/community/features/{id}',
    access: roleOrOwner,
    input: z.object({ id: Id, reason: Reason }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
  vote: {
    summary: 'Vote on a feature request: 1, -1, or 0 to take the vote back',
    method: 'POST',
    path: '/community/features/{id}/vote',
    tool: { name: 'vote_feature', title: 'Vote on a feature request', known: true },
    idempotent: true,
    access: write,
    budget: 'votes',
    input: VoteInput,
    output: VoteResult,
    problems: ['not_found'],
  },
} satisfies Contract
