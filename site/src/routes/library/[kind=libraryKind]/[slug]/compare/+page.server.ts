import { redirect } from '@sveltejs/kit'
import { itemLists, pathOf } from '#lib/features/library/item-lists.ts'
import { found } from '#lib/server/answers.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { api }, params: { kind, slug }, url }) => {
  const item = { kind: itemLists[kind].kind, slug }
  const asked = (name: string) => url.searchParams.get(name) || undefined
  const [full, { versions }, comparison] = await Promise.all([
    found(api.library.find(item)),
    found(api.library.findVersions(item)),
    found(api.library.findCompare({ ...item, from: asked('from'), to: asked('to') })),
  ])
  // A former name leads to the item for good.
  if (full.slug !== slug) redirect(301, `${pathOf(full)}/compare${url.search}`)
  const { id, name, visibility } = full
  const numbers = versions.map(({ version }) => version)
  return { item: { ...item, id, name, visibility }, versions: numbers, comparison }
}
