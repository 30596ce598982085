import { redirect } from '@sveltejs/kit'
import { attempt, field, found } from '#lib/server/answers.ts'
import { commentActions, thread } from '#lib/server/comments.ts'
import { plainText, renderMarkdown } from '#lib/server/markdown.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const [bug, comments] = await Promise.all([
    found(locals.api.bugs.get({ id: params.id })),
    thread({ url, locals }, (range) => locals.api.bugs.comments({ id: params.id, ...range })),
  ])
  const labels = bug.can.triage ? await found(locals.api.labels.list({ per_page: 100 })) : undefined
  return {
    bug,
    html: renderMarkdown(bug.description),
    summary: plainText(bug.description, 160),
    comments,
    labels: labels?.items ?? [],
  }
}

export const actions = {
  ...commentActions<{ id: string }>({
    list: ({ locals }, { id }, range) => locals.api.bugs.comments({ id, ...range }),
    comment: ({ locals }, { id }, body) => locals.api.bugs.comment({ id, body }),
    remove: ({ locals }, { id }, removal) => locals.api.bugs.deleteComment({ id, ...removal }),
  }),
  triage: async ({ request, locals, params, url }) => {
    const form = await request.formData()
    const status = field(form, 'status') as 'open' | 'in_progress' | 'resolved' | 'wontfix'
    const severity = field(form, 'severity') as 'low' | 'medium' | 'high' | 'critical'
    const reason = field(form, 'reason') || undefined
    const { failure } = await attempt(locals.api.bugs.triage({ id: params.id, status, severity, reason }), {
      form,
      url,
      of: 'triage',
    })
    return failure ?? { done: 'triage' }
  },
  attachLabel: async ({ request, locals, params, url }) => {
    const form = await request.formData()
    const { failure } = await attempt(locals.api.bugs.attachLabel({ id: params.id, labelId: field(form, 'labelId') }), {
      form,
      url,
      of: 'labels',
    })
    return failure ?? { done: 'labels' }
  },
  detachLabel: async ({ request, locals, params, url }) => {
    const form = await request.formData()
    const { failure } = await attempt(locals.api.bugs.detachLabel({ id: params.id, labelId: field(form, 'labelId') }), {
      form,
      url,
      of: 'labels',
    })
    return failure ?? { done: 'labels' }
  },
  delete: async ({ request, locals, params, url }) => {
    const form = await request.formData()
    const reason = field(form, 'reason') || undefined
    const { failure } = await attempt(locals.api.bugs.delete({ id: params.id, reason }), { form, url, of: 'delete' })
    if (failure) return failure
    redirect(303, '/community/bugs')
  },
} satisfies Actions
