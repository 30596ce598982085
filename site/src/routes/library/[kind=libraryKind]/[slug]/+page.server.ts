import { redirect } from '@sveltejs/kit'
import { homeOf, itemLists, pathOf, type ShownItem, shown } from '#lib/features/library/item-lists.ts'
import { pointsOf } from '#lib/features/library/may-do.ts'
import { linksOf, rolesOf } from '#lib/features/orgs/view.ts'
import { rendered } from '#lib/rendered.ts'
import { beside, found, orRefusal } from '#lib/server/answers.ts'
import { builtOf } from '#lib/server/built.ts'
import { commentActions, thread } from '#lib/server/comments.ts'
import { feedbackOn } from '#lib/server/feedback.ts'
import { flowChart } from '#lib/server/flow-chart.ts'
import { followOf } from '#lib/server/follow.ts'
import { agentLink, fileNameOf } from '#lib/server/library.ts'
import { plainText } from '#lib/server/markdown.ts'
import { drawChart, renderLinked, renderTexts } from '#lib/server/rendering.ts'
import { factsOf } from '../../../../../../src/contract/item-kinds.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

const MAX_LEAD = 280
/** More are on a page of their own. */
const MAX_USERS = 5
/** What reporters wrote last. */
const MAX_TEXTS = 20

const find = ({ locals, params: { kind, slug } }: Pick<RequestEvent, 'locals' | 'params'>) =>
  locals.api.library.find({ kind: itemLists[kind].kind, slug })

export const load: PageServerLoad = async (event) => {
  const { locals } = event
  const full = await found(find(event))
  // A former name leads to the item for good.
  if (full.slug !== event.params.slug) redirect(301, pathOf(full))
  const item = shown(full)
  // An org of the gallery has one page, which is there.
  if (item.gallery) redirect(301, homeOf(item) + event.url.search)
  const { name, description } = item
  const { readme, contents, graph, scan, org, texts, ...parts } = await partsOf(event, item)
  const { files, permissions, may_do_more } = contents
  // Workflows and orgs often have a readme equal to the description.
  const told = readme && readme.trim() !== description.trim() ? withoutTitle(readme, name) : undefined
  const [lead = ''] = description.trim().split(/\n\s*\n/, 1)
  const long = lead.length > MAX_LEAD || lead.length < description.trim().length
  const [[about], [shownReadme]] = await Promise.all([
    renderLinked(locals, [long ? description : '']),
    renderTexts(locals, [told ?? '']),
  ])
  return {
    item,
    ...parts,
    summary: plainText(description || readme || '', 160),
    lead: plainText(lead, MAX_LEAD),
    about: about || undefined,
    readme: shownReadme || undefined,
    points: pointsOf(locals.t, full, permissions),
    publisher: textOf(full.meta['publisher']),
    engine: textOf(full.meta['engine']),
    files,
    chart: graph && graph.nodes.length > 0 ? rendered([flowChart(graph)]) : [],
    mayDoMore: may_do_more,
    texts: texts?.items ?? [],
    scan: scan?.verdict === 'unscanned' ? undefined : scan,
    org,
    filename: fileNameOf(full),
    agent: agentLink(locals.server, item),
    downloads: locals.server.publicDownloads,
  }
}

/** What a page shows with an item, all read at once. */
async function partsOf(event: RequestEvent, item: ShownItem) {
  const { library } = event.locals.api
  const { id, kind } = item
  const reading = Promise.resolve(item)
  const isDiscussed = item.visibility !== 'private'
  const [
    follow,
    { readme },
    contents,
    { versions },
    graph,
    scan,
    people,
    uses,
    users,
    org,
    comments,
    texts,
    built,
    feedback,
  ] = await Promise.all([
    isDiscussed ? followOf(event, id) : undefined,
    found(library.readme({ id })),
    found(library.contents({ id })),
    found(library.versions({ id })),
    factsOf(kind).drawn === 'graph' ? found(library.graph({ id })) : undefined,
    beside(reading, library.scan({ id })),
    found(library.maintainers({ id })),
    found(library.dependencies({ id })),
    found(library.usedBy({ id, per_page: MAX_USERS })),
    factsOf(kind).drawn === 'chart' ? orgOf(event, id) : undefined,
    isDiscussed ? beside(reading, thread(event, { calls: library, key: { id } })) : undefined,
    item.can.edit && isDiscussed ? textsOf(event, id) : undefined,
    builtOf(event.locals, item),
    item.state ? undefined : feedbackOn(event.locals, { id, isDiscussed }, item.version),
  ])
  const both = { people: people.items, uses: uses.items }
  return { readme, contents, versions, graph, scan, ...both, users, org, follow, comments, texts, built, feedback }
}

/** Undefined for admins who may edit an item that others publish. */
async function textsOf({ locals }: RequestEvent, id: string) {
  const answer = await orRefusal(locals.api.library.outcomeTexts({ id, per_page: MAX_TEXTS }))
  return answer.refusal ? undefined : answer.value
}

/** The chart of an org, as the gallery has it. */
async function orgOf({ locals }: RequestEvent, id: string) {
  const { roles, communication, role_count: roleCount } = await found(locals.api.library.chart({ id }))
  const chart = await drawChart(locals, { roles, communication, roleCount })
  return { chart: rendered([chart]), roles: rolesOf(locals.t, roles, roleCount), links: linksOf(communication) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The page already shows the name as its title. */
function withoutTitle(readme: string, name: string): string {
  const [, title, rest] = /^\s*#[ \t]+(.+?)[ \t#]*(?:\r?\n|$)([\s\S]*)$/.exec(readme) ?? []
  return title?.toLowerCase() === name.toLowerCase() ? (rest ?? '') : readme
}

export const actions = commentActions(async (event: RequestEvent) => ({
  calls: event.locals.api.library,
  key: { id: (await find(event)).id },
})) satisfies Actions
