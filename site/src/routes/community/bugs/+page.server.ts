import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse, listQuery, oneOf } from '#lib/server/lists.ts'
import { bugStatuses, severities } from '#lib/ui/states.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = {
    ...listQuery(url),
    status: oneOf(url.searchParams.get('status'), bugStatuses),
    severity: oneOf(url.searchParams.get('severity'), severities),
    label: url.searchParams.get('label') || undefined,
  }
  const [bugs, labels] = await Promise.all([
    found(locals.api.bugs.list(query)),
    found(locals.api.labels.list({ per_page: 100 })),
  ])
  const entries = rendered(bugs.items.map(({ description, ...bug }) => ({ ...bug, preview: glimpse(description) })))
  return { query, entries, hasMore: bugs.hasMore, labels: labels.items }
}
