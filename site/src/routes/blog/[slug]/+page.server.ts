import { found } from '#lib/server/answers.ts'
import { commentActions, thread } from '#lib/server/comments.ts'
import { trusted } from '#lib/server/documents.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, params: { slug }, url }) => {
  const [post, comments] = await Promise.all([
    found(locals.api.blog.get({ slug })),
    thread({ url, locals }, (range) => locals.api.blog.comments({ slug, ...range })),
  ])
  const { body, ...rest } = post
  return { post: rest, html: trusted(body), comments }
}

export const actions = {
  ...commentActions<{ slug: string }>({
    list: ({ locals }, { slug }, range) => locals.api.blog.comments({ slug, ...range }),
    comment: ({ locals }, { slug }, body) => locals.api.blog.comment({ slug, body }),
    remove: ({ locals }, { slug }, removal) => locals.api.blog.deleteComment({ slug, ...removal }),
  }),
} satisfies Actions
