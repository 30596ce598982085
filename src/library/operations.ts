// Every operation on items with its handler: here they get what they need of each other.

import type { Things } from '../content/manifest.ts'
import { recordVersion } from '../content/notifications/events.ts'
import { addWebhook, shownWebhook, webhookHandlers } from '../content/webhooks/handlers.ts'
import { listItemWebhooks } from '../content/webhooks/queries.ts'
import { partsOff } from '../contract/parts.ts'
import { Problem } from '../contract/problem.ts'
import { keysOf, recordOf } from '../contract/records.ts'
import { allScopes } from '../contract/scopes.ts'
import { getUser } from '../identity/account-queries.ts'
import { avatarUrl } from '../identity/rules.ts'
import { boundsOf, type Context, type Handlers } from '../request/handler.ts'
import { addItem, changeItem } from './changing/changes.ts'
import { closingBy } from './closing/closing.ts'
import { comparingHandlers } from './comparing/handlers.ts'
import { newPermissionsOf } from './comparing/permissions.ts'
import type { items } from './contract.ts'
import { discussingHandlers } from './discussing.ts'
import { readFileOf } from './files/file.ts'
import { findingHandlers, type Readers, readingHandlers } from './finding/handlers.ts'
import { holding } from './holders/holding.ts'
import { findItem, noSuchItem } from './items/queries.ts'
import { canSee, isOwner } from './items/rules.ts'
import { showing } from './listing/showing.ts'
import { namingHandlers } from './naming/handlers.ts'
import { outcomesHandlers } from './outcomes/handlers.ts'
import { ownersHandlers } from './owners/handlers.ts'
import { deletionBy, type RemoveOrg } from './publishing/deleting.ts'
import { type PublishingDependencies, publishingHandlers } from './publishing/handlers.ts'
import { assertRoom, countUpload } from './publishing/rate.ts'
import { prepareSteps } from './publishing/steps.ts'
import { updateBy } from './publishing/updating.ts'
import type { DownloadCounter } from './reading/artifact.ts'
import { lookingHandlers } from './reading/handlers.ts'
import { lockItemFor } from './records/record.ts'
import { scanningHandlers } from './scanning/handlers.ts'
import { usesHandlers } from './uses/handlers.ts'
import { lifeHandlers } from './versions/handlers.ts'
import type { itemWebhooks } from './webhooks-contract.ts'

/** What the library says of the caller. */
const me: Handlers<typeof items>['me'] = async ({ db, caller }) => {
  const { id, name, username, email, ...rest } = await getUser(db, caller.id)
  // A session lists every scope (behaviour.md, section 4).
  const scopes = 'session' in caller.via ? [...allScopes] : [...caller.via.scopes]
  return {
    user: { id, name, username, email, image: avatarUrl({ id, ...rest }) },
    scopes,
    ...boundsOf(caller),
  }
}

/** What is done with items, but for votes and comments. Orgs of the gallery are removed by the gallery: it knows what else is on them. */
export const libraryHandlers = (
  given: PublishingDependencies & { removeOrg: RemoveOrg } & Readers & DownloadCounter,
): Omit<Handlers<typeof items>, keyof typeof discussingHandlers> => ({
  me,
  ...findingHandlers,
  ...readingHandlers(given),
  ...publishingHandlers(given),
  update: updateBy(given.showing),
  delete: deletionBy(given.removeOrg),
})

export type LibraryServices = DownloadCounter & { removeOrg: RemoveOrg } & Pick<Things, 'releasings'>

/** The library with what it is given: the formats of files, and how the gallery takes one of its orgs away. */
export function libraryOf({ removeOrg, downloads, releasings }: LibraryServices) {
  const readers = { readFile: readFileOf, newPermissionsOf }
  const handlers = {
    ...libraryHandlers({
      removeOrg,
      ...readers,
      prepareSteps,
      addItem,
      changeItem,
      downloads,
      closing: closingBy(releasings),
      teams: holding,
      showing,
      tellVersion: recordVersion,
      uploads: { assertRoom, countUpload },
    }),
    ...discussingHandlers,
    ...lookingHandlers({ readFile: readFileOf }),
    ...lifeHandlers({ readFile: readFileOf }),
    ...namingHandlers({ downloads }),
    ...scanningHandlers({ readFile: readFileOf }),
    ...comparingHandlers,
    ...ownersHandlers,
    ...usesHandlers,
    ...outcomesHandlers,
  }
  return unlessOff(handlers)
}

type Handle = (context: Context, input: { id?: unknown }, form: unknown) => Promise<unknown>

/** The same, where an item whose kind is of a part that is off is not found by its id. */
function unlessOff<All extends object>(handlers: All): All {
  const guarded =
    (handle: Handle): Handle =>
    async (context, input, form) => {
      const { key, kinds } = partsOff(context.config)
      const found =
        key !== '' && typeof input.id === 'string' ? await findItem(context.db, { id: input.id }) : undefined
      if (found && kinds.has(found.kind)) throw noSuchItem()
      return handle(context, input, form)
    }
  return recordOf(keysOf(handlers), (name) => guarded(handlers[name] as Handle)) as All
}

/** Webhooks of library items: their owners' own. */
export const itemWebhookHandlers: Handlers<typeof itemWebhooks> = {
  async list({ db, caller, config }, { itemId }) {
    const off = partsOff(config)
    return {
      items: (await listItemWebhooks(db, { ownerId: caller.id, itemId, off })).map((row) => shownWebhook(row, off)),
    }
  },

  create(context, given) {
    const { caller } = context
    return addWebhook(context, given, async (transaction) => {
      const item = await lockItemFor(transaction, caller, given.itemId)
      if (!canSee(caller, item)) throw noSuchItem()
      if (!isOwner(caller, item)) throw new Problem('forbidden', 'Only its owners can add webhooks')
    })
  },

  ...webhookHandlers(
    (caller, { ownerId, itemId, subscriptionId }) =>
      (itemId !== null || subscriptionId !== null) && ownerId === caller.id,
    { isOfItems: true },
  ),
}
