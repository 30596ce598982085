import { action, choiceIn, field, found, goTo, reasonIn, stay } from '#lib/server/answers.ts'
import { commentActions, thread } from '#lib/server/comments.ts'
import { plainText, renderMarkdown } from '#lib/server/markdown.ts'
import { bugStatuses, severities } from '#lib/ui/states.ts'
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
  triage: action(
    'triage',
    (form, { locals, params: { id } }) =>
      locals.api.bugs.triage({
        id,
        status: choiceIn(form, 'status', bugStatuses),
        severity: choiceIn(form, 'severity', severities),
        reason: reasonIn(form),
      }),
    stay,
  ),
  attachLabel: action(
    'labels',
    (form, { locals, params: { id } }) => locals.api.bugs.attachLabel({ id, labelId: field(form, 'labelId') }),
    stay,
  ),
  detachLabel: action(
    'labels',
    (form, { locals, params: { id } }) => locals.api.bugs.detachLabel({ id, labelId: field(form, 'labelId') }),
    stay,
  ),
  delete: action(
    'delete',
    (form, { locals, params: { id } }) => locals.api.bugs.delete({ id, reason: reasonIn(form) }),
    goTo('/community/bugs'),
  ),
} satisfies Actions
