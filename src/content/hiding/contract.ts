// The state of what is hidden, as its readers get it.
import { z } from 'zod'
import { hiddenStates } from './rules.ts'

/** In a record: left out where everybody sees the thing (behaviour.md, section 2). Short, as every tool that reads a thing has it. */
export const StateField = z.enum(hiddenStates).optional()
