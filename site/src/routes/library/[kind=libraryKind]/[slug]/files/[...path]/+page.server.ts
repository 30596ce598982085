import { error, redirect } from '@sveltejs/kit'
import { filePathOf, itemLists, shown } from '#lib/features/library/item-lists.ts'
import { rendered } from '#lib/rendered.ts'
import { found, refusedAs } from '#lib/server/answers.ts'
import { codeOf } from '#lib/server/code.ts'
import type { PageServerLoad } from './$types'

const MAX_LISTED = 300

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const { api } = locals
  const version = url.searchParams.get('version') || undefined
  const ref = { kind: itemLists[params.kind].kind, slug: params.slug }
  const [item, contents] = await Promise.all([
    found(api.library.find(ref)),
    found(api.library.findContents({ ...ref, version })),
  ])
  // A former name leads to the item for good.
  if (item.slug !== params.slug) redirect(301, filePathOf(item, params.path, version))
  const [first] = contents.files
  if (!params.path && first) redirect(307, filePathOf(item, first.path, version))
  const file = await found(
    refusedAs(api.library.findFile({ ...ref, path: params.path, version }), ({ status }) => {
      if (status === 401) error(401, locals.t('item.file.members'))
    }),
  )
  return {
    item: shown(item),
    file: { ...file, text: undefined },
    code: file.text === null ? undefined : await codeOf(locals, file.text, file.path),
    /** Named in links only where it is not the current one. */
    version: contents.version === item.version ? undefined : contents.version,
    files: rendered(contents.files.slice(0, MAX_LISTED)),
    more: Math.max(0, contents.files.length - MAX_LISTED),
  }
}
