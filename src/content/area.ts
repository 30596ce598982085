// The community's part of the API: who may call what, and errors as { error } (interface.md, section 7).
import { z } from 'zod'
import type { Access, Area } from '../contract/operation.ts'
import { statusOf } from '../contract/problem.ts'

export const community: Area = {
  name: 'community',
  paths: /^\/api(\/|$)/,
  reading: 'community:read',
  errorBody: z.object({ error: z.string() }).meta({ id: 'CommunityError' }),
  // This area's table of errors has no 413 (behaviour.md, section 2).
  statusOf: (code) => (code === 'too_large' ? 400 : statusOf[code]),
  render({ code, message }, needsRole) {
    // A wrong role and a block must look the same where a role is asked for (interface.md, section 7).
    if (needsRole && (code === 'forbidden' || code === 'blocked')) return { error: 'Forbidden' }
    return { error: code === 'blocked' ? 'Account blocked' : message }
  },
}

/** Public reading. A token without the scope makes the caller anonymous; it is no error (interface.md, section 4, Feed). */
export const open = { area: community, credential: 'optional', scope: 'community:read' } as const satisfies Access
/** For anybody who has the address; no credential is looked at. */
export const everybody = { area: community, credential: 'none' } as const satisfies Access
/** For anybody who has the link of a mail. */
export const byLink = { ...everybody, byLink: true } as const satisfies Access
export const read = { area: community, credential: 'required', scope: 'community:read' } as const satisfies Access
export const write = { area: community, credential: 'required', scope: 'community:write' } as const satisfies Access
export const moderate = { ...write, roles: ['moderator', 'admin'] } as const satisfies Access
/** The same for what is in a board, which its own moderators decide too. */
export const moderateThing = { ...moderate, boardModerators: true } as const satisfies Access
/** What moderators and admins read. */
export const supervise = { ...read, roles: ['moderator', 'admin'] } as const satisfies Access
/** The same for what is in a board, which its own moderators read too. */
export const superviseThing = { ...supervise, boardModerators: true } as const satisfies Access
/** For moderators and admins, and for an author as long as the subject says so (content/subject.ts). */
export const roleOrOwner = { ...write, roleOrOwner: true } as const satisfies Access
export const administer = { ...write, roles: ['admin'] } as const satisfies Access
/** For admins; in a board beside the first one, for those who moderate it. */
export const administerThing = { ...administer, boardModerators: true } as const satisfies Access
export const inspect = { ...read, roles: ['admin'] } as const satisfies Access
