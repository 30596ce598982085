import { pointsOf } from '#lib/features/library/may-do.ts'
import { type Shelf, shelves, shown } from '#lib/features/library/shelves.ts'
import { found } from '#lib/server/answers.ts'
import { commentActions, thread } from '#lib/server/comments.ts'
import { fileNameOf } from '#lib/server/library.ts'
import { plainText } from '#lib/server/markdown.ts'
import { renderTexts } from '#lib/server/rendering.ts'
import type { Actions, PageServerLoad } from './$types'

const MAX_LEAD = 280

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const full = await found(locals.api.library.find({ kind: shelves[params.kind].kind, slug: params.slug }))
  const item = shown(full)
  const { id, name, description } = item
  const discussed = item.visibility !== 'private' && !item.gallery
  const [{ readme }, { files, permissions }, { versions }, comments] = await Promise.all([
    found(locals.api.library.readme({ id })),
    found(locals.api.library.contents({ id })),
    found(locals.api.library.versions({ id })),
    discussed ? thread({ url, locals }, (range) => locals.api.library.comments({ id, ...range })) : undefined,
  ])
  // Workflows and orgs often have a readme equal to the description.
  const told = readme && readme.trim() !== description.trim() ? withoutTitle(readme, name) : undefined
  const long = description.length > MAX_LEAD
  const [about, shownReadme] = await renderTexts(locals, [long ? description : '', told ?? ''])
  return {
    item,
    summary: plainText(description || readme || '', 160),
    lead: plainText(description, MAX_LEAD),
    about: about || undefined,
    readme: shownReadme || undefined,
    points: pointsOf(full, permissions),
    publisher: textOf(full.meta['publisher']),
    engine: textOf(full.meta['engine']),
    files,
    versions,
    comments,
    filename: fileNameOf(full),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The page already shows the name as its title. */
function withoutTitle(readme: string, name: string): string {
  const [, title, rest] = /^\s*#[ \t]+(.+?)[ \t#]*(?:\r?\n|$)([\s\S]*)$/.exec(readme) ?? []
  return title?.toLowerCase() === name.toLowerCase() ? (rest ?? '') : readme
}

export const actions = {
  ...commentActions<{ kind: Shelf; slug: string }>({
    list: async ({ locals }, params, range) =>
      locals.api.library.comments({ id: await idOf(locals, params), ...range }),
    comment: async ({ locals }, params, body) => locals.api.library.comment({ id: await idOf(locals, params), body }),
    remove: async ({ locals }, params, removal) =>
      locals.api.library.deleteComment({ id: await idOf(locals, params), ...removal }),
  }),
} satisfies Actions

async function idOf(locals: App.Locals, { kind, slug }: { kind: Shelf; slug: string }): Promise<string> {
  return (await locals.api.library.find({ kind: shelves[kind].kind, slug })).id
}
