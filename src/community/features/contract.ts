// Everything a caller can do with a feature request (interface.md, section 4, Feature requests).
import { z } from 'zod'
import { administer, write } from '../../content/area.ts'
import { Reason } from '../../content/moderation-contract.ts'
import { deleteOperation, entryFieldsOf, readOperations, voteOperation } from '../../content/subject-contract.ts'
import { Id } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { Feature, feature, featureActions, Status } from './subject.ts'

const FeatureEntry = Feature.extend(entryFieldsOf(feature)).meta({ id: 'FeatureEntry' })

const Decided = Status.meta({ example: 'planned' })

export const features = {
  ...readOperations(feature, FeatureEntry),
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
    audit: [featureActions.status],
    input: z.object({ id: Id, status: Decided, reason: Reason }),
    output: z.object({ status: Decided }),
    problems: ['not_found'],
  },
  ...deleteOperation(feature),
  ...voteOperation(feature),
} satisfies Contract
