import { pointsOf } from '#lib/features/library/may-do.ts'
import { isOfGallery, shelves } from '#lib/features/library/shelves.ts'
import { found } from '#lib/server/answers.ts'
import { commentActions, thread } from '#lib/server/comments.ts'
import { fileNameOf, mayManage } from '#lib/server/library.ts'
import { plainText, renderMarkdown } from '#lib/server/markdown.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const item = await found(locals.api.library.find({ kind: shelves[params.kind].kind, slug: params.slug }))
  const { id } = item
  const discussed = item.visibility !== 'private' && !isOfGallery(item)
  const [{ readme }, { files, permissions }, { versions }, comments, user] = await Promise.all([
    found(locals.api.library.readme({ id })),
    found(locals.api.library.contents({ id })),
    found(locals.api.library.versions({ id })),
    discussed ? thread(url, (range) => locals.api.library.comments({ id, ...range })) : undefined,
    locals.user(),
  ])
  // Workflows and orgs have no other readme than what they are described by.
  const told = readme?.trim() === item.description.trim() ? null : readme
  return {
    item,
    summary: plainText(item.description || readme || '', 160),
    html: told ? renderMarkdown(told) : undefined,
    points: pointsOf(item, permissions),
    files,
    versions,
    comments,
    filename: fileNameOf(item),
    mayManage: mayManage(user, item),
  }
}

export const actions = {
  ...commentActions<{ kind: keyof typeof shelves; slug: string }>({
    comment: async ({ locals }, params, body) => locals.api.library.comment({ id: await idOf(locals, params), body }),
    remove: async ({ locals }, params, commentId, reason) =>
      locals.api.library.deleteComment({ id: await idOf(locals, params), commentId, reason }),
  }),
} satisfies Actions

async function idOf(locals: App.Locals, { kind, slug }: { kind: keyof typeof shelves; slug: string }): Promise<string> {
  return (await locals.api.library.find({ kind: shelves[kind].kind, slug })).id
}
