import { redirect } from '@sveltejs/kit'
import { itemLists, pathOf, shown } from '#lib/features/library/item-lists.ts'
import { pointsOf } from '#lib/features/library/may-do.ts'
import { rendered } from '#lib/rendered.ts'
import { beside, found } from '#lib/server/answers.ts'
import { commentActions, thread } from '#lib/server/comments.ts'
import { flowChart } from '#lib/server/flow-chart.ts'
import { followOf } from '#lib/server/follow.ts'
import { agentLink, fileNameOf } from '#lib/server/library.ts'
import { plainText } from '#lib/server/markdown.ts'
import { renderTexts } from '#lib/server/rendering.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

const MAX_LEAD = 280

const find = ({ locals, params: { kind, slug } }: Pick<RequestEvent, 'locals' | 'params'>) =>
  locals.api.library.find({ kind: itemLists[kind].kind, slug })

export const load: PageServerLoad = async (event) => {
  const { locals } = event
  const { api } = locals
  const reading = found(find(event))
  const full = await reading
  // A former name leads to the item for good.
  if (full.slug !== event.params.slug) redirect(301, pathOf(full))
  const item = shown(full)
  const { id, name, description } = item
  const discussed = item.visibility !== 'private' && !item.gallery
  const [
    follow,
    { readme },
    { files, permissions, may_do_more },
    { versions },
    graph,
    scan,
    { items: people },
    comments,
  ] = await Promise.all([
    discussed ? followOf(event, id) : undefined,
    found(api.library.readme({ id })),
    found(api.library.contents({ id })),
    found(api.library.versions({ id })),
    item.kind === 'workflow' ? found(api.library.graph({ id })) : undefined,
    item.gallery ? undefined : beside(reading, api.library.scan({ id })),
    found(api.library.maintainers({ id })),
    discussed ? beside(reading, thread(event, { calls: api.library, key: { id } })) : undefined,
  ])
  // Workflows and orgs often have a readme equal to the description.
  const told = readme && readme.trim() !== description.trim() ? withoutTitle(readme, name) : undefined
  const long = description.length > MAX_LEAD
  const [about, shownReadme] = await renderTexts(locals, [long ? description : '', told ?? ''])
  return {
    item,
    follow,
    summary: plainText(description || readme || '', 160),
    lead: plainText(description, MAX_LEAD),
    about: about || undefined,
    readme: shownReadme || undefined,
    points: pointsOf(full, permissions),
    publisher: textOf(full.meta['publisher']),
    engine: textOf(full.meta['engine']),
    files,
    chart: graph && graph.nodes.length > 0 ? rendered([flowChart(graph)]) : [],
    mayDoMore: may_do_more,
    versions,
    scan: scan?.verdict === 'unscanned' ? undefined : scan,
    people,
    comments,
    filename: fileNameOf(full),
    agent: agentLink(locals.server, item),
    downloads: locals.server.publicDownloads,
  }
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
