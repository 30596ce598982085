import { redirect } from '@sveltejs/kit'
import { itemLists, pathOf, shown } from '#lib/features/library/item-lists.ts'
import { errorClasses } from '#lib/features/library/outcomes.ts'
import { action, field, found, reasonIn } from '#lib/server/answers.ts'
import { feedbackOn } from '#lib/server/feedback.ts'
import { fileNameOf } from '#lib/server/library.ts'
import { renderLinked } from '#lib/server/rendering.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

const find = ({ locals, params: { kind, slug } }: Pick<RequestEvent, 'locals' | 'params'>) =>
  locals.api.library.find({ kind: itemLists[kind].kind, slug })

export const load: PageServerLoad = async (event) => {
  const { locals, params } = event
  const full = await found(find(event))
  const item = shown(full)
  // A former name leads to the item for good.
  const at = `/versions/${encodeURIComponent(params.version)}`
  if (item.slug !== params.slug) redirect(301, pathOf(item) + at)
  const asked = { id: item.id, version: params.version }
  const [version, { items: uses }] = await Promise.all([
    found(locals.api.library.version(asked)),
    found(locals.api.library.dependencies(asked)),
  ])
  const isDiscussed = item.visibility !== 'private' && !item.gallery
  const feedback = item.state ? undefined : await feedbackOn(locals, { id: item.id, isDiscussed }, version.version)
  const isCurrent = version.version === item.version
  const user = await locals.user()
  // An admin gives a reason for an item of others.
  const reasoned = user?.id !== item.owner.id && item.visibility !== 'official'
  const mayYank = !item.gallery && item.can.edit
  const [changelog] = await renderLinked(locals, [version.changelog ?? ''])
  return {
    item,
    changelog: changelog || undefined,
    version,
    feedback,
    uses,
    isCurrent,
    mayYank,
    mayReport: user !== undefined && !item.can.edit && item.visibility !== 'private' && !item.state,
    reported: event.url.searchParams.has('reported'),
    downloads: locals.server.publicDownloads,
    reasoned,
    filename: fileNameOf({ ...full, version: version.version }),
  }
}

export const actions = {
  report: action(
    async (form, event: RequestEvent) => {
      const { id } = await find(event)
      return event.locals.api.library.report({
        ...{
          item: id,
          version: event.params.version,
          outcome: field(form, 'outcome') === 'failed' ? 'failed' : 'worked',
        },
        ...{ error: errorClasses.find((one) => one === field(form, 'error')), text: field(form, 'text') },
      })
    },
    (_, __, event) => redirect(303, `${event.url.pathname}?reported`),
  ),
  yank: action(
    async (form, event: RequestEvent) => {
      const { id } = await find(event)
      const yanked = field(form, 'yanked') === 'true'
      return event.locals.api.library.yank({ id, version: event.params.version, yanked, reason: reasonIn(form) })
    },
    (_, __, event) => redirect(303, event.url.pathname),
  ),
} satisfies Actions
