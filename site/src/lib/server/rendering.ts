// Renders texts and charts. Small ones are rendered here, large ones in a worker thread (platform.work), so
// that a slow text does not delay other requests.
import { error } from '@sveltejs/kit'
import { withCopies } from './copies.ts'
import { withLabels } from './labels.ts'
import { asWritten, findRendered, keepRendered, renderMarkdown } from './markdown.ts'
import { type OrgChart, orgChart } from './org-chart.ts'
import { linkReferences, withoutReferences } from './references.ts'

type Worker = Pick<App.Locals, 'work'>
type Reader = Pick<App.Locals, 'work' | 't'>
type Locals = Pick<App.Locals, 'work' | 't' | 'api'>

/** Characters per page that are rendered here; the worst text of that length takes 15 ms. */
const MAX_HERE = 6_000
/** Roles and links of a chart that is laid out here. */
const MAX_DRAWN_HERE = 100

/** The HTML of members' texts, in order. */
export const renderTexts = async (locals: Reader, sources: readonly string[]): Promise<string[]> =>
  (await renderMarked(locals, sources)).map((html) => shown(locals.t, withoutReferences(html)))

/** The same, with links for the numbers and names in the texts: for what members write to each other. */
export const renderLinked = async (locals: Locals, sources: readonly string[]): Promise<string[]> =>
  (await linkReferences(locals.api, await renderMarked(locals, sources))).map((html) => shown(locals.t, html))

/** What is cached for all readers, as one of them sees it. */
const shown = (t: App.Locals['t'], html: string) => withCopies(t, withLabels(t, html))

async function renderMarked({ work }: Worker, sources: readonly string[]): Promise<string[]> {
  let room = MAX_HERE
  const elsewhere = new Set<string>()
  const made = new Map<string, string>()
  for (const source of sources) {
    const found = findRendered(source)
    if (found !== undefined) made.set(source, found)
    else if (source.length > room) elsewhere.add(source)
    else {
      room -= source.length
      made.set(source, renderMarkdown(source))
    }
  }
  if (elsewhere.size > 0) {
    const given = [...elsewhere]
    const texts = await work('markdown', { sources: given }).catch((thrown) => givenUp(thrown, given.map(asWritten)))
    for (const [at, source] of given.entries()) {
      const html = texts[at] ?? asWritten(source)
      made.set(source, html)
      keepRendered(source, html)
    }
  }
  return sources.map((source) => made.get(source) ?? asWritten(source))
}

/** The HTML of one text. */
export async function renderText(locals: Reader, source: string): Promise<string> {
  const [html = ''] = await renderTexts(locals, [source])
  return html
}

/** The same, with links for the numbers and names in it. */
export async function renderLinkedText(locals: Locals, source: string): Promise<string> {
  const [html = ''] = await renderLinked(locals, [source])
  return html
}

/** The chart of an org; after a timeout it has one role, and the page lists the others. */
export async function drawChart({ work }: Worker, org: Parameters<typeof orgChart>[0]): Promise<OrgChart> {
  const slim = {
    roles: org.roles.map(({ id, title, type, reports_to }) => ({ id, title, type, reports_to })),
    communication: org.communication.map(({ from, to }) => ({ from, to })),
    roleCount: org.roleCount ?? org.roles.length,
  }
  if (slim.roles.length + slim.communication.length <= MAX_DRAWN_HERE) return orgChart(slim)
  return work('chart', slim).catch((thrown) =>
    givenUp(thrown, orgChart({ ...slim, roles: slim.roles.slice(0, 1), communication: [] })),
  )
}

/** The fallback after a timeout; a full queue becomes a 503 page. */
function givenUp<T>(thrown: Error & { code?: string }, instead: T): T {
  if (thrown.name === 'GivenUp') return instead
  if (thrown.code === 'unavailable') error(503, thrown.message)
  throw thrown
}
