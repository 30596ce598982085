// Everything a caller can do with a bug. Routes, OpenAPI, client and reference are read off this object.
import { z } from 'zod'
import { aboutEdit, aboutFields, aboutFilters, aboutInput } from '../../content/about/contract.ts'
import { moderateThing } from '../../content/area.ts'
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
import { Bug, bug, bugActions, closing, Report, Severity, Status } from './subject.ts'

/** One as it was written. */
const WrittenBug = Bug.extend(aboutFields).meta({ id: 'Bug' })

const BugEntry = Bug.extend({
  ...entryFieldsOf(bug),
  ...mergeFields,
  ...labelFields,
  ...threadFields,
  ...workFields,
  ...boardFields,
  ...importedFields,
  ...aboutFields,
}).meta({ id: 'BugEntry' })

const triaged = { status: Status.optional().meta({ example: 'in_progress' }), severity: Severity.optional() }

const all = {
  ...readOperations(bug, BugEntry, {
    ...activeOrder,
    ...pinnedFilter,
    ...workFilters,
    ...boardFilter,
    ...aboutFilters,
  }),
  ...countsOperation(bug),
  ...createOperation(bug, {
    summary: 'File a bug',
    synonyms: ['report a problem', 'open an issue', 'new ticket'],
    input: Report.extend({ ...boardInput, ...aboutInput }),
    output: WrittenBug,
  }),
  triage: {
    summary: 'Set the status of a bug, its severity, or both',
    synonyms: [
      'set status and severity',
      'triage',
      'change priority',
      'mark in progress',
      'wontfix',
      'assign',
      'start working on',
      'raise severity',
    ],
    description: 'Any status may follow any other. The answer holds just what was set.',
    method: 'PATCH',
    kind: 'posts',
    path: '/community/bugs/{id}',
    suggests: 'person',
    access: moderateThing,
    audit: [bugActions.triage],
    input: z
      .object({ id: Id, ...triaged, reason: PublicReason })
      .refine((to) => to.status !== undefined || to.severity !== undefined, 'give a status or a severity'),
    output: z.object(triaged),
    problems: ['not_found'],
  },
  ...editOperations(bug, {
    fields: Bug.pick({ title: true, description: true }),
    more: aboutEdit,
    output: WrittenBug,
    audit: bugActions.edit,
    at: 'text',
  }),
  ...statusOperations(bug, { status: Status, audit: bugActions.close, closing }),
  ...mergeOperations(bug, { audit: bugActions.merge, undoAudit: bugActions.unmerge }),
  ...discussionOperations(bug),
  ...labelOperations(bug, bugActions),
} satisfies Contract

export const bugs = usedByWidget(all, ['list', 'create', 'vote', 'comment'])
