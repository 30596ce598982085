import { redirect } from '@sveltejs/kit'
import { FormHead } from '#lib/features/orgs/form-head.ts'
import { ofFiles } from '#lib/features/orgs/refusals.ts'
import { linksOf, rolesOf, shortGoal, shortName } from '#lib/features/orgs/view.ts'
import { rendered } from '#lib/rendered.ts'
import { action, field, found, reasonIn, refuse, signInPath } from '#lib/server/answers.ts'
import { commentActions, pageNumber, thread } from '#lib/server/comments.ts'
import { plainText } from '#lib/server/markdown.ts'
import { drawChart, renderText } from '#lib/server/rendering.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const { roles, communication, body, name, goal, ...org } = await found(locals.api.orgs.get({ id: params.slug }))
  // An id works too; redirect to the canonical URL with the slug.
  if (url.pathname !== org.url) redirect(308, org.url + url.search)
  const runPage = pageNumber(url, 'runs')
  const [comments, runs, html, chart] = await Promise.all([
    thread({ url, locals }, (range) => locals.api.orgs.comments({ id: org.id, ...range })),
    found(locals.api.orgRuns.list({ id: org.id, page: runPage })),
    body ? renderText(locals, body) : undefined,
    drawChart(locals, { roles, communication, roleCount: org.roleCount }),
  ])
  return {
    org: { ...org, name: shortName(name), goal: shortGoal(goal) },
    html,
    summary: org.tagline ?? plainText(goal || `An org of ${org.roleCount} roles.`, 160),
    chart: rendered([chart]),
    roles: rolesOf(roles, org.roleCount),
    links: linksOf(communication),
    runs: { ...runs, items: rendered(runs.items), page: runPage },
    comments,
  }
}

export const actions = {
  ...commentActions<{ slug: string }>({
    list: ({ locals }, { slug }, range) => locals.api.orgs.comments({ id: slug, ...range }),
    comment: ({ locals }, { slug }, body) => locals.api.orgs.comment({ id: slug, body }),
    remove: ({ locals }, { slug }, removal) => locals.api.orgs.deleteComment({ id: slug, ...removal }),
  }),
  // Streams the files: 20 MB are never in memory at once.
  addRun: async ({ request, locals, params, url }) => {
    const head = new FormHead()
    const response = await locals.send(`/api/community/orgs/${encodeURIComponent(params.slug)}/runs`, {
      method: 'POST',
      headers: { 'Content-Type': request.headers.get('content-type') ?? '' },
      body: request.body?.pipeThrough(head.stream) ?? null,
      duplex: 'half',
    } as RequestInit)
    if (response.ok) redirect(303, `${url.pathname}#runs`)
    if (response.status === 401) redirect(303, signInPath(url))
    const { error } = (await response.json()) as { error: string }
    const message = response.status === 400 ? ofFiles(error, 'files', ['label']) : error
    const form = new FormData()
    form.set('label', head.field('label'))
    return refuse({ status: response.status, message }, form, 'addRun')
  },
  deleteRun: action(
    'deleteRun',
    (form, { locals, params: { slug } }) =>
      locals.api.orgRuns.delete({ id: slug, runId: field(form, 'runId'), reason: reasonIn(form) }),
    (_, __, { url }) => redirect(303, `${url.pathname}#runs`),
  ),
} satisfies Actions
