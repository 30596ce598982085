import { redirect } from '@sveltejs/kit'
import { shortName } from '#lib/features/orgs/view.ts'
import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { compareRuns, type Run } from '#lib/server/run-comparison.ts'
import type { PageServerLoad } from './$types'

/** As many as can be chosen; older ones have addresses all the same. */
const RUNS = 100

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const org = await found(locals.api.orgs.get({ id: params.slug }))
  const here = `${org.url}/compare`
  if (url.pathname !== here) redirect(308, here + url.search)
  const { items, total } = await found(locals.api.orgRuns.list({ id: org.id, per_page: RUNS }))
  // The boxes of the list are all named `run`; the choices of this page are `a` and `b`, the older run first.
  const ticked = url.searchParams.getAll('run').toReversed()
  const ids = [
    url.searchParams.get('a') ?? ticked[0] ?? items[1]?.id,
    url.searchParams.get('b') ?? ticked[1] ?? items.find(({ id }) => id !== ticked[0])?.id,
  ]
  const runs = await Promise.all(
    ids.map((runId) => (runId ? found(locals.api.orgRuns.get({ id: org.id, runId })) : undefined)),
  )
  const [first, second] = runs
  const read = async ({ id }: Run['files'][number]) => (await found(locals.api.orgRuns.file({ fileId: id }))).text()
  // The files of a hidden run are served to no one.
  const isShown = first && second && first.id !== second.id && !first.state && !second.state
  const files = isShown ? await compareRuns([first, second], read) : []
  return {
    org: { name: shortName(locals.t, org.name), url: org.url },
    choices: items.map(({ id, label, createdAt }) => ({ id, label, createdAt })),
    total,
    ticked: ticked.length,
    runs: runs.filter((run) => run !== undefined),
    files: rendered(files),
  }
}
