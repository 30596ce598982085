// By now the caller is known, not blocked and allowed, and the input is parsed: a handler only decides and remembers.

import { requireOwnerOrModerator } from '../../content/access.ts'
import { addComment, type Commentable, commentPage, removeComment } from '../../content/comments/comments.ts'
import { addEntry, updateEntry } from '../../content/feed/feed.ts'
import { recordModeration } from '../../content/moderation.ts'
import { slugOf, takeSlug } from '../../content/slugs.ts'
import { type Votable, vote, withMyVotes } from '../../content/votes/votes.ts'
import { indexText } from '../../database/search.ts'
import type { Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import type { OrgChart, orgs } from './contract.ts'
import { definitionAnswer, readDefinition, storeDefinitionThen } from './definitions.ts'
import { addToLibrary, type Library, updateInLibrary } from './library-listing.ts'
import type { RemoveOrg } from './orgs.ts'
import * as queries from './queries.ts'
import { searchedTexts, shownText, titleOf } from './rules.ts'

const commentable: Commentable = {
  type: 'org',
  lock: async (db, id) => void (await queries.lockOrg(db, id)),
  countComments: (db, id) => queries.getCount(db, id, 'commentCount'),
  addComments: (db, id, delta) => queries.addToOrg(db, id, 'commentCount', delta),
}

/** The site has the page for uploading at /community/orgs/new: an org of that slug is found by its id. */
const urlOf = ({ id, slug }: { id: string; slug: string }) => `/community/orgs/${slug === 'new' ? id : slug}`
const withUrl = <Item extends { id: string; slug: string }>(org: Item) => ({ ...org, url: urlOf(org) })

const reading: Pick<Handlers<typeof orgs>, 'list' | 'get' | 'definition'> = {
  async list({ db, caller }, input) {
    const { items, ...page } = await queries.pageOfOrgs(db, input)
    return { items: (await withMyVotes(db, caller, items)).map(withUrl), ...page }
  },

  async get({ db, caller }, { id: ref }) {
    const { chart, ...org } = await queries.getOrg(db, await queries.getOrgId(db, ref))
    const [item] = await withMyVotes(db, caller, [org])
    return { ...withUrl(item!), ...(JSON.parse(chart) as OrgChart) }
  },

  async definition({ db, blobs }, { id: ref }) {
    return definitionAnswer(blobs.artifacts, await queries.getDefinition(db, await queries.getOrgId(db, ref)))
  },
}

const discussion: Pick<Handlers<typeof orgs>, 'comments' | 'comment' | 'deleteComment'> = {
  async comments({ db }, { id: ref, ...input }) {
    const id = await queries.getOrgId(db, ref)
    const page = await commentPage(db, commentable, id, input)
    return { ...page, items: page.items.map((comment) => ({ ...comment, orgUploadId: id })) }
  },

  async comment(context, { id: ref, body }) {
    const id = await queries.getOrgId(context.db, ref)
    return { ...(await addComment(context, commentable, id, body)), orgUploadId: id }
  },

  deleteComment: async (context, { id: ref, ...comment }) =>
    removeComment(context, commentable, { id: await queries.getOrgId(context.db, ref), ...comment }),
}

/** The library is handed in, as it shows every org of the gallery. */
export function orgHandlers({ library, removeOrg }: { library: Library; removeOrg: RemoveOrg }): Handlers<typeof orgs> {
  const votable = votableIn(library)
  return {
    ...reading,
    ...discussion,
    create: creationIn(library),
    update: updateIn(library),

    async delete(context, { id: ref, reason }) {
      const id = await queries.getOrgId(context.db, ref)
      await removeOrg(context, id, reason)
      return { id }
    },

    vote: async (context, { id: ref, value }) =>
      vote(context, votable, { id: await queries.getOrgId(context.db, ref), value }),
  }
}

const votableIn = (library: Library): Votable => ({
  lockScore: async (db, id) => (await queries.lockOrg(db, id)).score,
  async addScore(db, id, delta) {
    await queries.addToOrg(db, id, 'score', delta)
    await library.addToGalleryOrg(db, id, { score: delta })
  },
})

function creationIn(library: Library): Handlers<typeof orgs>['create'] {
  return async ({ db, blobs, caller, now, budget }, { orgJson }) => {
    const { name, goal, topology, roleCount, tagline, chart } = await readDefinition(orgJson, caller.id)
    const id = newId()
    return storeDefinitionThen({ db, blobs }, orgJson, async (transaction, kept) => {
      await budget.spend(transaction, kept.size)
      const slug = await takeSlug(transaction, 'org', slugOf(name), id)
      const shown = { id, slug, name, goal, topology, roleCount, createdAt: now }
      const org = { ...shown, ...kept, tagline, description: null, authorId: caller.id, chart }
      await queries.insertOrg(transaction, org)
      const entry = { title: titleOf(org), text: shownText(org), url: urlOf(shown) }
      await addEntry(transaction, { id, type: 'org', authorId: caller.id, createdAt: now, ...entry })
      await indexText(transaction, id, 'org', ...searchedTexts(org))
      await addToLibrary(library, transaction, org)
      return shown
    })
  }
}

function updateIn(library: Library): Handlers<typeof orgs>['update'] {
  return async (context, { id: ref, reason, ...changes }) => {
    const id = await queries.getOrgId(context.db, ref)
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    await context.db.transaction().execute(async (transaction) => {
      const before = await queries.lockOrg(transaction, id)
      requireOwnerOrModerator(context.caller, before.authorId)
      await queries.updateOrg(transaction, id, given, context.now)
      const after = { ...before, ...(given as Partial<typeof before & { body: string | null }>) }
      await updateEntry(transaction, id, { title: titleOf(after), text: shownText(after) })
      await indexText(transaction, id, 'org', ...searchedTexts(after))
      await updateInLibrary(library, transaction, { ...after, updatedAt: context.now })
      const { authorId } = before
      const detail = { changed: Object.keys(given) }
      await recordModeration(transaction, context, { action: 'org.update', targetId: id, authorId, reason, detail })
    })
    return { id, ...given }
  }
}
