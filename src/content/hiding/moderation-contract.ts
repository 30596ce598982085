// What operations have in common where moderators act: their reason, and the state of what is hidden.

import { z } from 'zod'
import { optionalText } from '../../contract/fields.ts'
import { hiddenStates } from './rules.ts'

/** Of a DELETE it travels in the query; a JSON body is taken too. */
export const Reason = optionalText(500).meta({
  example: 'A duplicate',
  description: 'Why, for the audit log; kept when another member owns the thing',
})

/** The same in a body: named, so that it is described once. */
export const BodyReason = Reason.meta({ id: 'Reason', example: 'A duplicate' })

/** In a record: left out where everybody sees the thing (behaviour.md, section 2). Short, as every tool that reads a thing has it. */
export const StateField = z.enum(hiddenStates).optional()
