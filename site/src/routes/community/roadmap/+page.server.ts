import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { api } }) => {
  const { columns } = await found(api.features.roadmap())
  return { columns: columns.map(({ items, ...column }) => ({ ...column, items: rendered(items) })) }
}
