// Labels that moderators make (interface.md, section 4, Labels).
import { z } from 'zod'
import { auditActions } from '../../contract/audit.ts'
import { Color, clearableLine, Id, line, listInput, listOf, optionalLine, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { moderate, open } from '../area.ts'
import { Reason } from '../hiding/moderation-contract.ts'

const LabelName = line(1, 30).meta({ example: 'mail' })

/** What the audit log records of labels, which belong to everybody. */
export const labelActions = auditActions('label', { create: 'Made a label', update: 'Changed a label' })

/** A list can be filtered by so many at once. */
export const MAX_LABELS = 5

/** A label as it is on a thing. */
export const Label = z.object({ id: Id, name: LabelName, color: Color }).meta({ id: 'Label' })
export type Label = z.infer<typeof Label>

const example = 'What members receive by mail, and when'
const said = { example, description: 'What it is for' }
const LabelDetails = Label.extend({ description: textLike(example).nullable() }).meta({ id: 'LabelDetails' })
export type LabelDetails = z.infer<typeof LabelDetails>

export const labels = {
  list: {
    summary: 'Every label, by name',
    synonyms: ['list labels', 'which labels'],
    method: 'GET',
    path: '/community/labels',
    access: open,
    input: listInput.omit({ sort: true }),
    output: listOf(LabelDetails),
  },
  get: {
    summary: 'A label',
    method: 'GET',
    path: '/community/labels/{id}',
    access: open,
    input: z.object({ id: Id }),
    output: LabelDetails,
    problems: ['not_found'],
  },
  create: {
    summary: 'Create a label',
    synonyms: ['create label', 'new label'],
    description: 'Names are unique without regard to case. The answer is the label as it is on a bug.',
    method: 'POST',
    kind: 'moderation',
    path: '/community/labels',
    access: moderate,
    audit: [labelActions.create],
    input: z.object({ name: LabelName, color: Color, description: optionalLine(140).meta(said) }),
    output: Label,
    status: 201,
    problems: ['conflict'],
  },
  update: {
    summary: 'Change the name, the colour or the description of a label',
    synonyms: ['rename label', 'edit label', 'recolor label'],
    description: 'What has the label keeps it. A field that is left out stays as it is.',
    method: 'PATCH',
    kind: 'moderation',
    path: '/community/labels/{id}',
    access: moderate,
    audit: [labelActions.update],
    input: z.object({
      id: Id,
      name: LabelName.optional(),
      color: Color.optional(),
      description: clearableLine(140).meta(said),
      reason: Reason.meta({ example: 'Agreed among the moderators', description: 'Why, for the audit log' }),
    }),
    output: LabelDetails,
    problems: ['not_found', 'conflict'],
  },
} satisfies Contract
