// Labels that moderators make and put on bugs (interface.md, section 4, Labels).
import { z } from 'zod'
import { moderate, open } from '../../content/area.ts'
import { Color, Id, listInput, listOf, text } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'

const LabelName = text(1, 30).meta({ example: 'mail' })

export const Label = z.object({ id: Id, name: LabelName, color: Color }).meta({ id: 'Label' })
export type Label = z.infer<typeof Label>

export const labels = {
  list: {
    summary: 'Every label, by name',
    method: 'GET',
    path: '/community/labels',
    access: open,
    input: listInput.omit({ sort: true }),
    output: listOf(Label),
  },
  get: {
    summary: 'A label',
    method: 'GET',
    path: '/community/labels/{id}',
    access: open,
    input: z.object({ id: Id }),
    output: Label,
    problems: ['not_found'],
  },
  create: {
    summary: 'Make a label',
    description: 'Names are unique without regard to case.',
    method: 'POST',
    path: '/community/labels',
    access: moderate,
    input: z.object({ name: LabelName, color: Color }),
    output: Label,
    status: 201,
    problems: ['conflict'],
  },
  update: {
    summary: 'Change the name or the colour of a label',
    description: 'What has the label keeps it. A field that is left out stays as it is.',
    method: 'PATCH',
    path: '/community/labels/{id}',
    access: moderate,
    input: z.object({ id: Id, name: LabelName.optional(), color: Color.optional() }),
    output: Label,
    problems: ['not_found', 'conflict'],
  },
} satisfies Contract
