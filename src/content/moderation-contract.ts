// What a moderator may say about an act on somebody else's content.
import { optionalText } from '../contract/fields.ts'

/** Of a DELETE it travels in the query; a JSON body is taken too. */
export const Reason = optionalText(500).meta({
  example: 'A duplicate',
  description: 'Why, for the audit log; kept when the thing is somebody else’s',
})
