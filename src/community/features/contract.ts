// Everything a caller can do with a feature request (interface.md, section 4, Feature requests).
import { z } from 'zod'
import { aboutEdit, aboutFields, aboutFilters, aboutInput } from '../../content/about/contract.ts'
import { administerThing, open } from '../../content/area.ts'
import { editOperations, PublicReason, statusOperations } from '../../content/edits/contract.ts'
import { labelFields, labelOperations } from '../../content/labels/labelling-contract.ts'
import { mergeFields, mergeOperations } from '../../content/merging/contract.ts'
import {
  activeOrder,
  boardFields,
  boardFilter,
  boardInput,
  countsOperation,
  createOperation,
  discussionOperations,
  entryFieldsOf,
  importedFields,
  pinnedFilter,
  readOperations,
  threadFields,
  workFields,
  workFilters,
} from '../../content/subjects/contract.ts'
import { Id } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { usedByWidget } from '../../contract/own-clients.ts'
import { closing, Feature, feature, featureActions, Status } from './subject.ts'

/** The statuses, in order. */
export const columns = ['open', 'planned', 'shipped'] as const satisfies Feature['status'][]

/** Requests of each status. */
export const MAX_COLUMN = 20

/** One as it was written. */
const WrittenFeature = Feature.extend(aboutFields).meta({ id: 'Feature' })

const FeatureEntry = Feature.extend({
  ...entryFieldsOf(feature),
  ...mergeFields,
  ...labelFields,
  ...threadFields,
  ...workFields,
  ...boardFields,
  ...importedFields,
  ...aboutFields,
}).meta({
  id: 'FeatureEntry',
})

const Decided = Status.meta({ example: 'planned' })

const all = {
  ...readOperations(feature, FeatureEntry, {
    ...activeOrder,
    ...pinnedFilter,
    ...workFilters,
    ...boardFilter,
    ...aboutFilters,
  }),
  ...countsOperation(feature),
  ...createOperation(feature, {
    summary: 'Ask for a feature',
    synonyms: ['suggest an idea', 'request a feature', 'propose'],
    input: Feature.pick({ title: true, description: true }).extend({ ...boardInput, ...aboutInput }),
    output: WrittenFeature,
  }),
  setStatus: {
    summary: 'Say what becomes of a feature request',
    synonyms: ['set status of feature', 'mark as planned', 'mark as shipped', 'decline idea', 'accept feature'],
    description: 'Any status may follow any other.',
    method: 'PATCH',
    kind: 'posts',
    path: '/community/features/{id}/status',
    suggests: 'person',
    access: administerThing,
    audit: [featureActions.status],
    input: z.object({ id: Id, status: Decided, reason: PublicReason }),
    output: z.object({ status: Decided }),
    problems: ['not_found'],
  },
  ...editOperations(feature, {
    fields: Feature.pick({ title: true, description: true }),
    more: aboutEdit,
    output: WrittenFeature,
    audit: featureActions.edit,
  }),
  ...statusOperations(feature, { status: Decided, audit: featureActions.close, closing }),
  ...mergeOperations(feature, { audit: featureActions.merge, undoAudit: featureActions.unmerge }),
  ...discussionOperations(feature),
  ...labelOperations(feature, featureActions),
  roadmap: {
    summary: 'The roadmap: feature requests by status, with their votes',
    synonyms: ['planned features', 'what is planned'],
    description: `For each status how many there are, and the ${MAX_COLUMN} most voted. Further ones are in the list with that \`status\`.`,
    method: 'GET',
    path: '/community/roadmap',
    access: open,
    input: z.object({}),
    output: z.object({
      columns: z.array(
        z.object({
          status: Status.meta({ example: 'planned' }),
          total: z.int().meta({ example: 1 }),
          items: z.array(FeatureEntry),
        }),
      ),
    }),
  },
} satisfies Contract

export const features = usedByWidget(all, ['list', 'create', 'vote', 'comment'])
