import { redirect } from '@sveltejs/kit'
import { attempt, field, found } from '#lib/server/answers.ts'
import { plainText, renderMarkdown } from '#lib/server/markdown.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, params }) => {
  const [user, feature] = await Promise.all([locals.user(), found(locals.api.features.get({ id: params.id }))])
  const moderates = user?.role === 'admin' || user?.role === 'moderator'
  return {
    feature,
    html: renderMarkdown(feature.description),
    summary: plainText(feature.description, 160),
    maySetStatus: user?.role === 'admin',
    mayDelete: moderates || user?.id === feature.authorId,
  }
}

export const actions = {
  setStatus: async ({ request, locals, params, url }) => {
    const form = await request.formData()
    const status = field(form, 'status') as 'open' | 'planned' | 'shipped' | 'declined'
    const reason = field(form, 'reason') || undefined
    const { failure } = await attempt(locals.api.features.setStatus({ id: params.id, status, reason }), {
      form,
      url,
      of: 'setStatus',
    })
    return failure ?? { done: 'setStatus' }
  },
  delete: async ({ request, locals, params, url }) => {
    const form = await request.formData()
    const reason = field(form, 'reason') || undefined
    const { failure } = await attempt(locals.api.features.delete({ id: params.id, reason }), {
      form,
      url,
      of: 'delete',
    })
    if (failure) return failure
    redirect(303, '/community/features')
  },
} satisfies Actions
