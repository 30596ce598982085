// The reason of a moderator for an act on another member's content.
import { optionalText } from '../contract/fields.ts'

/** Of a DELETE it travels in the query; a JSON body is taken too. */
export const Reason = optionalText(500).meta({
  example: 'A duplicate',
  description: 'Why, for the audit log; kept when another member owns the thing',
})
