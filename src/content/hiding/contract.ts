// The state of what is hidden, as its readers get it.
import { z } from 'zod'
import { hiddenStates } from './rules.ts'

/** In a record: left out where everybody sees the thing. */
export const StateField = z.enum(hiddenStates).optional().meta({
  description:
    'Left out where everybody sees it. Otherwise only its author and moderators do: it is `held` until a moderator approves it, `hidden` or `removed` by a moderator, or its author is `blocked`.',
  example: 'held',
})
