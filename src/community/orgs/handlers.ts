// By now the caller is known, not blocked and allowed, and the input is parsed: a handler only decides and remembers.
import { noteEdit, noteText } from '../../content/classifier/classifier.ts'
import { addEntry, updateEntry } from '../../content/entries/entries.ts'
import type { GalleryItems, GalleryOrg } from '../../content/gallery.ts'
import { assertMayLink, hold, isHeld, useProofOfFirst } from '../../content/holding/holding.ts'
import { followBecause, recordCreated, recordEdited } from '../../content/notifications/events.ts'
import { recordModeration } from '../../content/reports/moderation.ts'
import { slugOf, takeSlug } from '../../content/slug-queries.ts'
import { lockPermitted } from '../../content/store/permitted.ts'
import { readHandlers } from '../../content/subjects/handlers.ts'
import { attachImages } from '../../content/text-images/queries.ts'
import { writtenBy } from '../../content/via.ts'
import type { OrgChart } from '../../contract/org-chart.ts'
import type { OrgUploadTable, Transaction } from '../../database/schema.ts'
import { indexText } from '../../database/search.ts'
import type { Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { orgs } from './contract.ts'
import { definitionAnswer, readDefinition, storeDefinitionThen } from './definitions.ts'
import { type discussingHandlers, orgHiding, type RemoveOrg } from './orgs.ts'
import * as queries from './queries.ts'
import { describedAs, saidInRoles, searchedTexts, shownText, titleOf } from './rules.ts'
import { org, orgActions } from './subject.ts'

// The library shows every org of the gallery as a public item (interface.md, section 2, Library item). The gallery updates that
// item here, in its own transactions.

type OrgTexts = Pick<OrgUploadTable, 'name' | 'goal' | 'tagline' | 'description'>

const shown = (org: OrgTexts) => ({
  name: titleOf(org),
  description: describedAs(org),
  keywords: [org.goal, org.tagline].filter(Boolean).join('\n'),
})

function addToLibrary(
  library: GalleryItems,
  db: Transaction,
  org: OrgTexts & Omit<GalleryOrg, 'description' | 'ownerId'> & { authorId: string },
): Promise<void> {
  const { id, slug, authorId: ownerId, topology, roleCount, sha256, size, createdAt, viaClientId, names } = org
  const about = { topology, roleCount, sha256, size, createdAt, viaClientId, ownerId, names }
  return library.addGalleryOrg(db, { id, slug, ...shown(org), ...about })
}

/** `body` is given when it changed. */
function updateInLibrary(
  library: GalleryItems,
  db: Transaction,
  { id, updatedAt, ...org }: OrgTexts & { id: string; updatedAt: string; body?: string | null },
): Promise<void> {
  const readme = org.body !== undefined && { readme: org.body }
  return library.updateGalleryOrg(db, id, { ...shown(org), ...readme, updatedAt })
}

const shared = readHandlers(queries.store)

const reading: Pick<Handlers<typeof orgs>, 'list' | 'get' | 'definition'> = {
  list: shared.list,

  async get(context, { id: ref }) {
    const id = await queries.getOrgId(context.db, ref)
    const entry = await shared.get(context, { id })
    const { chart, ...page } = await queries.getPage(context.db, id)
    return { ...entry, ...page, ...parseJson<OrgChart>(chart) }
  },

  async definition(context, { id: ref }) {
    const { db, blobs } = context
    const id = await queries.getVisibleOrgId(context, ref)
    return definitionAnswer(blobs.artifacts, await queries.getDefinition(db, id))
  },
}

/** All but votes and comments, which are in orgs.ts. The library is handed in, as it shows every org of the gallery. */
export function orgHandlers({
  library,
  removeOrg,
}: {
  library: GalleryItems
  removeOrg: RemoveOrg
}): Omit<Handlers<typeof orgs>, keyof ReturnType<typeof discussingHandlers>> {
  return {
    ...reading,
    create: creationIn(library),
    update: updateIn(library),

    async delete(context, { id: ref, reason }) {
      const id = await queries.getOrgId(context.db, ref)
      await removeOrg(context, id, reason)
      return { id }
    },
  }
}

function creationIn(library: GalleryItems): Handlers<typeof orgs>['create'] {
  return async (context, { orgJson }) => {
    const { caller, now, budget } = context
    const { name, goal, topology, roleCount, tagline, chart, names } = await readDefinition(orgJson, context.worker())
    const id = newId()
    return storeDefinitionThen(context, orgJson, async (transaction, kept) => {
      await useProofOfFirst(context, transaction)
      await budget.spend(transaction, kept.size)
      const isWaiting = await isHeld(context, transaction, () => [name, goal, ...saidInRoles(chart)])
      const slug = await takeSlug(transaction, {
        ...{ kind: 'org', base: slugOf(name), targetId: id, ownerId: caller.id },
      })
      await library.holdNames(transaction, names)
      const shown = { id, slug, name, goal, topology, roleCount, createdAt: now }
      const written = writtenBy(caller)
      const more = { tagline, description: null, bannerUrl: null, authorId: caller.id, runCount: 0, updatedAt: now }
      const uploaded = { ...shown, ...kept, ...more, ...written, chart }
      await queries.insertOrg(transaction, uploaded)
      const entry = { ...org.text(uploaded), url: org.url(uploaded) }
      await addEntry(transaction, { id, type: 'org', authorId: caller.id, createdAt: now, ...written, ...entry })
      await indexText(transaction, { id, type: 'org' }, searchedTexts(uploaded))
      await addToLibrary(library, transaction, { ...uploaded, names })
      const act = { by: caller.id, now, on: { type: 'org', id } }
      await followBecause(transaction, 'followWritten', act)
      await queries.indexOrg(transaction, id)
      if (isWaiting) {
        await hold(transaction, orgHiding(library), { type: 'org', id, authorId: caller.id, now })
      } else {
        await recordCreated(transaction, act, entry.text)
        await noteText(context, transaction, { type: 'org', id })
      }
      return shown
    })
  }
}

/** What its owner writes about an org. */
const textsOf = ({ tagline, description, body }: Record<'tagline' | 'description' | 'body', string | null>): string =>
  [tagline, description, body].filter(Boolean).join('\n\n')

function updateIn(library: GalleryItems): Handlers<typeof orgs>['update'] {
  return async (context, { id: ref, reason, ...changes }) => {
    const id = await queries.getOrgId(context.db, ref)
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    await context.db.transaction().execute(async (transaction) => {
      const { caller } = context
      const before = await lockPermitted(queries.store, { db: transaction, id, action: 'edit', caller })
      const body = await queries.findBody(transaction, id)
      await queries.updateOrg(transaction, id, { ...given, updatedAt: context.now })
      if (changes.body) await attachImages(transaction, { thingId: id, by: caller.id, texts: [changes.body] })
      const after: typeof before & { body?: string | null } = { ...before, ...given }
      await updateEntry(transaction, id, { title: titleOf(after), text: shownText(after) })
      await indexText(transaction, { id, type: 'org' }, searchedTexts(after))
      await updateInLibrary(library, transaction, { ...after, updatedAt: context.now })
      const act = { by: caller.id, now: context.now, on: { type: 'org', id } }
      const text = textsOf({ ...after, body: after.body === undefined ? body : after.body })
      const was = textsOf({ ...before, body })
      const said = { before: [before.name, was], after: [after.name, text] }
      await assertMayLink(context, transaction, said)
      await noteEdit(context, transaction, { id, type: 'org', ...said })
      if (text !== was) await recordEdited(transaction, act, { text, before: was })
      const detail = { changed: Object.keys(given) }
      await recordModeration(transaction, context, { action: orgActions.update, on: before, reason, detail })
      await queries.indexOrg(transaction, id)
    })
    return { id, ...given }
  }
}
