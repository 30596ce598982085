// Publishing. The order of what is refused is that of behaviour.md, section 4: first what can be said without the body,
// then the body, then the file. Bytes are stored before the rows that name them: a crash leaves an item or nothing.

import { followBecause, type recordVersion } from '../../content/notifications/events.ts'
import { listSlugsOf, slugOf, takeSlug } from '../../content/slug-queries.ts'
import { writtenBy } from '../../content/via.ts'
import { factsOf } from '../../contract/item-kinds.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { FileContent } from '../../formats/file-content.ts'
import { precedenceOf } from '../../formats/version.ts'
import type { Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { artifact, storeThenInsert } from '../../storage/blob-lifecycle.ts'
import type { addItem, changeItem } from '../changing/changes.ts'
import type { publishing } from '../changing/contract.ts'
import type { PrepareSteps } from '../changing/step.ts'
import type { closingBy } from '../closing/closing.ts'
import type { newPermissionsOf } from '../comparing/permissions.ts'
import type { readFileOf } from '../files/file.ts'
import type { Teams } from '../holders/holding.ts'
import type { Kind } from '../items/item-contract.ts'
import { getItem, insertVersion, noSuchItem } from '../items/queries.ts'
import {
  agreed,
  assertVersion,
  canEdit,
  canSee,
  FIRST_VERSION,
  keepOfficial,
  newerOf,
  newestOf,
} from '../items/rules.ts'
import { item as itemSubject } from '../items/subject.ts'
import { getDetails } from '../items/version-queries.ts'
import type { ItemAnnouncer } from '../listing/showing.ts'
import { withProof } from '../publishers/letting.ts'
import { assertNotOfGallery, getVisible, lockItemFor, oneItem, pathOf } from '../records/record.ts'
import { assertNew, readSignature } from '../statements/drafts.ts'
import { freeVersion } from '../statements/gone.ts'
import type { assertRoom, countUpload } from './rate.ts'

const forbidden = (message: string) => new Problem('forbidden', message)

/**
 * What publishing is given. The formats of files are known to `readFile` alone; it throws what is wrong with a file. What changes with
 * an item (feed, search, log, counts) is known to `addItem` and `changeItem`.
 */
export interface PublishingDependencies {
  readFile: typeof readFileOf
  showing: ItemAnnouncer
  teams: Teams
  prepareSteps: PrepareSteps
  addItem: typeof addItem
  changeItem: typeof changeItem
  newPermissionsOf: typeof newPermissionsOf
  closing: ReturnType<typeof closingBy>
  /** Those who follow an item hear of its versions. */
  tellVersion: typeof recordVersion
  /** How uploads are counted. */
  uploads: { assertRoom: typeof assertRoom; countUpload: typeof countUpload }
}

export const publishingHandlers = (
  given: PublishingDependencies,
): Pick<Handlers<typeof publishing>, 'publish' | 'publishVersion'> => ({
  publish: publicationBy(given),
  publishVersion: versionsBy(given),
})

const publicationBy =
  ({
    readFile,
    prepareSteps,
    addItem,
    teams,
    showing: { tellingOf },
    uploads,
  }: PublishingDependencies): Handlers<typeof publishing>['publish'] =>
  async (context, _input, form) => {
    const { db, caller, now, blobs, budget } = context
    const { fields, files } = await form(keepOfficial(caller, 'private'))
    const { kind, visibility, tags = [] } = fields
    if (partsOff(context.config).kinds.has(kind)) throw new Problem('not_found', 'There is nothing here')
    assertVersion(fields.version)
    const teamId = fields.team === undefined ? null : await teams.getOwnTeam(context, fields.team)
    const [file] = files.file
    const signed = await readSignature(context, { text: fields.signature, of: 'item', file })
    await uploads.assertRoom(db, context)
    const content = await withProof(context, await readFile(kind, file, context.worker()))
    const asked = agreed(fields.version, content.version)
    const name = fields.name ?? content.name
    const write = await prepareSteps(context, {
      ...{ kind, file, content, changelog: fields.changelog ?? null, item: undefined, name, signed },
      stopFor: fields.stop_for,
    })
    const id = signed?.publication.item ?? newId()
    const item = await storeThenInsert(db, artifact(blobs, file), async (transaction) => {
      await uploads.countUpload(transaction, context)
      if (teamId !== null) await teams.lockForItems(transaction, { teamId, accountId: caller.id })
      await budget.spend(transaction, file.size)
      const slug = await takeSlug(transaction, {
        ...{ kind, base: content.slug ?? slugOf(name), targetId: id, ownerId: caller.id },
      })
      if (factsOf(kind).ownName && slug !== content.slug)
        throw new Problem(
          'conflict',
          `name: ${String(content.meta[factsOf(kind).namedBy ?? ''])} belongs to another item`,
        )
      const { sha256, size } = file
      const version = await freeVersion(transaction, { kind, slugs: [slug], asked, otherwise: FIRST_VERSION, sha256 })
      if (signed) await assertNew(transaction, signed, { name: `${kind}/${slug}`, version })
      const readme = toldBy(content, fields.changelog)
      const shown = { id, name, description: fields.description ?? content.description, readme }
      const telling = visibility === 'private' ? undefined : await tellingOf(context, transaction, shown)
      const item = {
        ...{ id, kind, slug, name, visibility, tags, version, sha256, size, ...writtenBy(caller) },
        ...({ description: shown.description, keywords: '', ownerId: caller.id, teamId, gallery: 0 } as const),
        ...{ meta: content.meta, license: content.license, createdAt: now, updatedAt: now },
      }
      await addItem(transaction, item, () => write(transaction, { item, version, sha256, size }))
      await followBecause(transaction, 'followWritten', { by: caller.id, now, on: { type: itemSubject.type, id } })
      await telling?.()
      return getItem(transaction, { id })
    })
    return withWarnings(await oneItem(context, item), content)
  }

const versionsBy =
  ({
    readFile,
    prepareSteps,
    changeItem,
    newPermissionsOf,
    closing,
    showing: { admitTexts, holdFound },
    tellVersion,
    uploads,
  }: PublishingDependencies): Handlers<typeof publishing>['publishVersion'] =>
  async (context, { id }, form) => {
    const { db, caller, now, blobs, budget } = context
    const seen = await getVisible(context, { id })
    assertNotOfGallery(seen)
    if (!canEdit(caller, seen)) throw forbidden('Only its owners and maintainers can publish a version of this item')
    const { fields, files } = await form()
    assertVersion(fields.version)
    const [file] = files.file
    const signed = await readSignature(context, { text: fields.signature, of: 'version', file })
    await uploads.assertRoom(db, context)
    const content = await withProof(context, await readFile(seen.kind, file, context.worker()))
    assertSameName(seen, content)
    const asked = agreed(fields.version, content.version)
    newerOf(newestOf(seen), asked)
    const write = await prepareSteps(context, {
      ...{ kind: seen.kind, file, content, changelog: fields.changelog ?? null, item: seen, name: seen.name, signed },
      stopFor: fields.stop_for,
    })
    const changed = await storeThenInsert(db, artifact(blobs, file), async (transaction) => {
      await uploads.countUpload(transaction, context)
      const item = await lockItemFor(transaction, caller, id)
      if (!canSee(caller, item)) throw noSuchItem()
      if (!canEdit(caller, item)) throw forbidden('Only its owners and maintainers can publish a version of this item')
      await budget.spend(transaction, file.size, item.ownerId)
      const { sha256, size } = file
      const version = await freeVersion(transaction, {
        ...{ kind: item.kind, slugs: await listSlugsOf(transaction, id), asked, sha256 },
        otherwise: newerOf(newestOf(item), asked),
      })
      const stored = { sha256, size, createdAt: now, ...writtenBy(caller) }
      await insertVersion(transaction, { itemId: id, version, precedence: precedenceOf(version), ...stored })
      if (item.listed) {
        const before = { ...item, readme: (await getDetails(transaction, item)).readme }
        await admitTexts(context, transaction, {
          id,
          before,
          after: { ...item, readme: toldBy(content, fields.changelog) },
        })
      }
      await write(transaction, { item, version, sha256, size })
      const shown = { version, sha256, size, meta: content.meta, license: content.license, ...NEWEST } as const
      await changeItem(transaction, item, { ...shown, updatedAt: now })
      const isShown = item.listed === 1 && !(await holdFound(context, transaction, item))
      const hidden = isShown ? undefined : { title: item.name, url: pathOf(item) }
      const news = fields.changelog ?? content.changelog ?? undefined
      const act = { by: caller.id, now, on: { type: itemSubject.type, id } }
      await tellVersion(transaction, act, { version, hidden, news })
      await closing.keep(context, transaction, { item, version, closes: fields.closes })
      return getItem(transaction, { id })
    })
    await closing.close(context, fields.closes)
    const { may_do_more } = await newPermissionsOf(context, changed, changed)
    return { ...withWarnings(await oneItem(context, changed), content), ...(may_do_more && { may_do_more }) }
  }

/** What a version says in many words: its README, and what is new. */
const toldBy = ({ readme, changelog }: FileContent, given: string | undefined) =>
  [readme, given ?? changelog].filter(Boolean).join('\n')

/** A version that was just published is not yanked, and the newest. */
const NEWEST = { yanked: 0, newestVersion: null } as const

function assertSameName({ kind, meta: stored }: { kind: Kind; meta: string }, { meta }: FileContent): void {
  const { namedBy } = factsOf(kind)
  if (namedBy === undefined) return
  const name = parseJson<Record<string, unknown>>(stored)[namedBy]
  if (name === meta[namedBy]) return
  throw new Problem('invalid_artifact', `id: expected ${name}, the ${kind} this is a version of`)
}

/** Only the publisher sees what the file says that means nothing. */
const withWarnings = <Shown extends object>(item: Shown, { warnings }: FileContent) =>
  warnings.length === 0 ? item : { ...item, warnings }
