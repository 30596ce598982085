// The state of what is hidden, as its readers get it.
import { z } from 'zod'
import { hiddenStates } from './rules.ts'

/** In a record: left out where everybody sees the thing. */
export const StateField = z.enum(hiddenStates).optional().meta({
  description: 'Only where not everybody sees it: held for approval, taken out by a moderator, or of a blocked author',
  example: 'held',
})
