// By now the caller is known, not blocked and allowed, and the path is parsed: a handler only decides and remembers.
import type { Handlers } from '../request/handler.ts'
import type { library } from './contract.ts'
import { discussionHandlers } from './discussion/handlers.ts'
import { findingHandlers, readingHandlers } from './finding/handlers.ts'
import { me } from './me.ts'
import { publishingHandlers, type RemoveOrg } from './publishing/handlers.ts'

/** Orgs of the gallery are removed by the gallery, which is handed in: it knows what else is on them. */
export function libraryHandlers({ removeOrg }: { removeOrg: RemoveOrg }): Handlers<typeof library> {
  return { ...findingHandlers, ...readingHandlers, ...publishingHandlers(removeOrg), ...discussionHandlers, me }
}
