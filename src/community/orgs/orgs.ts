// What other slices may do with orgs of the gallery.
import { lockStoredBytesOf } from '../../budgets/queries.ts'
import { deleteComments } from '../../content/comment-rows/queries.ts'
import { addEntry, deleteEntry } from '../../content/entries/entries.ts'
import type { GalleryItems } from '../../content/gallery.ts'
import { recordGone } from '../../content/notifications/events.ts'
import { recordModeration } from '../../content/reports/moderation.ts'
import { keepSlugs } from '../../content/slug-queries.ts'
import { lockPermitted } from '../../content/store/permitted.ts'
import { removeObjects } from '../../content/stored-files.ts'
import { commentHandlers, voteHandler } from '../../content/subjects/discussion-handlers.ts'
import { hidingOf } from '../../content/subjects/hiding.ts'
import { withdraw } from '../../content/subjects/publication.ts'
import type { HideableKind, Votable } from '../../content/things.ts'
import { deleteVotes } from '../../content/votes/queries.ts'
import { locksRows } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import { indexText, removeText } from '../../database/search.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { changeSearch } from '../../search/indexing.ts'
import { listImageKeys } from './images/queries.ts'
import { getOrgId, getPage, indexOrg, listStorers, store } from './queries.ts'
import { pathOf, saidInRoles, searchedTexts, shownText, titleOf } from './rules.ts'
import { listRunFileKeys } from './runs/queries.ts'
import { org, orgActions } from './subject.ts'

// Votes and comments on orgs. The library shows every org of the gallery, so it is handed in and counts its votes too.

type Library = Pick<GalleryItems, 'addToGalleryOrgs'>

export const votableIn = (library: Library): Votable & typeof store => ({
  ...store,
  async addScores(db, scores) {
    await store.addScores(db, scores)
    await library.addToGalleryOrgs(db, scores)
  },
})

export const discussingHandlers = (library: Library) => ({
  vote: voteHandler(votableIn(library), getOrgId),
  ...commentHandlers(store, org, getOrgId),
})

/** How an org is hidden: with the item that the library shows of it. */
export const orgHiding = (library: GalleryItems): HideableKind => ({
  ...shown(library),
  findMore: async (db, id) => saidInRoles((await getPage(db, id)).chart).join('\n'),
  remove: async (db, id, now) => takeAway(db, library, { org: required(await store.findLockedAny(db, id)), now }),
})

const shown = (library: GalleryItems): HideableKind =>
  hidingOf(store, async (db, org, { hidden, isNew }) => {
    const { id, authorId, createdAt, viaClientId, score, commentCount } = org
    if (isNew && hidden === 0) {
      const shown = {
        id,
        type: 'org',
        authorId,
        createdAt,
        viaClientId,
        title: titleOf(org),
        text: shownText(org),
      } as const
      await addEntry(db, { ...shown, url: pathOf(org) }, { score, commentCount })
      await indexText(db, { id, type: 'org' }, searchedTexts(org))
    } else if (isNew) {
      await deleteEntry(db, id)
      await removeText(db, id)
    }
    await library.setGalleryOrgHidden(db, id, hidden)
    if (isNew) await (hidden === 0 ? indexOrg(db, id) : changeSearch(db, { removed: [id] }))
  })

/** Removes the org of this id with its comments, votes, images and runs, for its owner and for moderators. */
export type RemoveOrg = (context: Context<Caller>, id: string, reason: string | null) => Promise<void>

export const orgRemoval =
  (library: GalleryItems): RemoveOrg =>
  async (context, id, reason) => {
    const keys = await context.db.transaction().execute(async (transaction) => {
      const { caller } = context
      const org = await lockPermitted(store, { db: transaction, id, action: 'delete', caller })
      const detail = { name: org.name, slug: org.slug }
      await recordModeration(transaction, context, { action: orgActions.delete, on: org, reason, detail })
      return takeAway(transaction, library, { org, now: context.now })
    })
    await context.afterCommit(() => removeObjects(context, keys))
  }

type LockedOrg = Awaited<ReturnType<typeof store.lock>>

/** Removes an org that is locked. Gives the keys of the stored files that no row names any more. */
export async function takeAway(
  db: Transaction,
  library: Pick<GalleryItems, 'removeGalleryOrg'>,
  { org, now }: { org: LockedOrg; now: string },
): Promise<string[]> {
  const keys = await removeRows(db, org)
  await recordGone(db, { type: 'org', id: org.id, isSeen: org.hidden === 0 }, now)
  // Last, as the counts of items are (docs/data.md).
  await library.removeGalleryOrg(db, org.id)
  return keys
}

/** Gives the keys of the stored files that no row names any more. */
async function removeRows(db: Transaction, org: LockedOrg): Promise<string[]> {
  if (locksRows(db)) await lockStoredBytesOf(db, await listStorers(db, org))
  const keys = [...(await listImageKeys(db, org.id)), ...(await listRunFileKeys(db, org.id))]
  await store.remove(db, org)
  await deleteVotes(db, org.id)
  await deleteComments(db, { targetType: 'org', targetId: org.id })
  await withdraw(db, org.id)
  await keepSlugs(db, { kind: 'org', targetId: org.id, ownerId: org.authorId })
  return keys
}
