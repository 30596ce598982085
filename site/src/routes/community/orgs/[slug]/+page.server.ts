import { redirect } from '@sveltejs/kit'
import { FormHead } from '#lib/features/orgs/form-head.ts'
import { ofFiles } from '#lib/features/orgs/refusals.ts'
import { linksOf, rolesOf, shortGoal, shortName } from '#lib/features/orgs/view.ts'
import { rendered } from '#lib/rendered.ts'
import { action, beside, field, found, orRefusal, reasonIn, refuse, signInPath } from '#lib/server/answers.ts'
import { commentActions, thread } from '#lib/server/comments.ts'
import { followOf } from '#lib/server/follow.ts'
import { galleryItem } from '#lib/server/gallery-item.ts'
import { plainText } from '#lib/server/markdown.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import { drawChart, renderLinkedText } from '#lib/server/rendering.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

const parentOf = ({ locals, params: { slug } }: Pick<RequestEvent, 'locals' | 'params'>) => ({
  calls: locals.api.orgs,
  key: { id: slug },
})

export const load: PageServerLoad = async (event) => {
  const { locals, params, url } = event
  const reading = found(locals.api.orgs.get({ id: params.slug }))
  const { roles, communication, body, name, goal, ...org } = await reading
  // An id works too; redirect to the canonical URL with the slug.
  if (url.pathname !== org.url) redirect(308, org.url + url.search)
  const runPage = pageNumber(url, 'runs')
  const [follow, comments, runs, chart, inLibrary] = await Promise.all([
    followOf(event, org.id),
    beside(reading, thread(event, parentOf(event), Promise.resolve(body ? [body] : []))),
    beside(reading, found(locals.api.orgRuns.list({ id: org.id, page: runPage }))),
    drawChart(locals, { roles, communication, roleCount: org.roleCount }),
    beside(reading, inLibraryOf(locals, org.id)),
  ])
  return {
    org: { ...org, name: shortName(locals.t, name), goal: shortGoal(goal) },
    html: comments?.texts[0] ?? (body && (await renderLinkedText(locals, body))),
    summary: org.tagline ?? plainText(goal || locals.t('orgs.ofRoles', { count: org.roleCount }), 160),
    chart: rendered([chart]),
    roles: rolesOf(locals.t, roles, org.roleCount),
    links: linksOf(communication),
    runs: runs && { ...runs, items: rendered(runs.items), page: runPage },
    comments,
    follow,
    inLibrary,
  }
}

const inLibraryOf = async (locals: App.Locals, id: string) =>
  galleryItem(locals, await found(locals.api.library.get({ id })))

export const actions = {
  ...commentActions(parentOf),
  // Streams the files: 20 MB are never in memory at once.
  addRun: async ({ request, locals, params, url }) => {
    const head = new FormHead()
    const body = request.body?.pipeThrough(head.stream) ?? null
    const sent = { form: { contentType: request.headers.get('content-type') ?? '', body } }
    const { refusal } = await orRefusal(locals.send('orgRuns.add', { id: params.slug }, sent))
    if (!refusal) redirect(303, `${url.pathname}#runs`)
    const { status, message: error } = refusal
    if (status === 401) redirect(303, signInPath(url))
    const message = status === 400 ? ofFiles(error, 'files', ['label']) : error
    const form = new FormData()
    form.set('label', head.field('label'))
    return refuse({ status, message }, form, 'addRun')
  },
  deleteRun: action(
    (form, { locals, params: { slug } }: RequestEvent) =>
      locals.api.orgRuns.delete({ id: slug, runId: field(form, 'runId'), reason: reasonIn(form) }),
    (_, __, { url }) => redirect(303, `${url.pathname}#runs`),
    { of: (form) => `deleteRun ${field(form, 'runId')}` },
  ),
} satisfies Actions
