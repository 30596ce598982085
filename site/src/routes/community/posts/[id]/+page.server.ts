import { redirect } from '@sveltejs/kit'
import { attempt, field, found } from '#lib/server/answers.ts'
import { plainText, renderMarkdown } from '#lib/server/markdown.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, params }) => {
  const [user, post] = await Promise.all([locals.user(), found(locals.api.posts.get({ id: params.id }))])
  const moderates = user?.role === 'admin' || user?.role === 'moderator'
  return {
    post,
    html: renderMarkdown(post.body),
    summary: plainText(post.body, 160),
    mayDelete: moderates || user?.id === post.authorId,
  }
}

export const actions = {
  delete: async ({ request, locals, params, url }) => {
    const form = await request.formData()
    const reason = field(form, 'reason') || undefined
    const { failure } = await attempt(locals.api.posts.delete({ id: params.id, reason }), { form, url, of: 'delete' })
    if (failure) return failure
    redirect(303, '/community/posts')
  },
} satisfies Actions
