// What the library has of an org of the gallery, for its one page.
import { type Item, shown } from '#lib/features/library/item-lists.ts'
import { pointsOf } from '#lib/features/library/may-do.ts'
import { found } from './answers.ts'
import { feedbackOn } from './feedback.ts'
import { agentLink, fileNameOf } from './library.ts'

/** More are on a page of their own. */
const MAX_USERS = 5

export async function galleryItem(locals: App.Locals, full: Item) {
  const { library } = locals.api
  const { id } = full
  const item = shown(full)
  const [contents, { versions }, uses, users, feedback] = await Promise.all([
    found(library.contents({ id })),
    found(library.versions({ id })),
    found(library.dependencies({ id })),
    found(library.usedBy({ id, per_page: MAX_USERS })),
    item.state ? undefined : feedbackOn(locals, { id, isDiscussed: false }, item.version),
  ])
  return {
    ...{ item, versions, users, feedback, uses: uses.items, files: contents.files },
    points: pointsOf(locals.t, full, contents.permissions),
    filename: fileNameOf(full),
    agent: agentLink(locals.server, item),
    downloads: locals.server.publicDownloads,
  }
}
