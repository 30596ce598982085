import { error, redirect } from '@sveltejs/kit'
import { pathOf } from '#lib/features/library/item-lists.ts'
import { action, attempt, field, found, reasonIn } from '#lib/server/answers.ts'
import { itemAt, passOn } from '#lib/server/library.ts'
import { oneOf } from '#lib/server/lists.ts'
import { forgetDraft } from '#lib/server/sent-draft.ts'
import { preview, refuseStale, signedIn } from '#lib/server/writing.ts'
import { visibilities } from '#lib/ui/states.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  const user = await signedIn(event)
  const item = await itemAt(event.locals, event.params)
  if (item.gallery) redirect(303, pathOf(item))
  if (!item.can.edit) error(403, event.locals.t('item.edit.refused'))
  const [scan, people] = await Promise.all([
    event.locals.api.library.scan({ id: item.id }),
    found(event.locals.api.library.maintainers({ id: item.id })),
  ])
  const findings = scan.findings.length > 0 ? scan : undefined
  return {
    item,
    owned: item.can.manage,
    maintained: people.items.some(({ account }) => account.id === user.id),
    scan: findings,
  }
}

export const actions = {
  preview: preview('description', 'save'),
  save: async ({ request, locals, params, url }) => {
    const form = await request.formData()
    const { id, updated_at } = await itemAt(locals, params)
    const stale = refuseStale(form, updated_at, 'save')
    if (stale) return stale
    const visibility = oneOf(field(form, 'visibility'), visibilities)
    const said = form.has('name') && {
      name: field(form, 'name'),
      description: field(form, 'description'),
      tags: field(form, 'tags'),
    }
    const saved = locals.api.library.update({ id, ...said, visibility })
    const { value, failure } = await attempt(saved, { form, url })
    if (failure) return failure
    await forgetDraft(form, { locals, url })
    redirect(303, pathOf(value))
  },
  version: async (event) => {
    const { id } = await itemAt(event.locals, event.params)
    return passOn(event, { name: 'library.publishVersion', input: { id }, of: 'version' })
  },
  answer: action(
    async (form, { locals, params }: RequestEvent) => {
      const { id } = await itemAt(locals, params)
      const [version, text] = [field(form, 'version'), field(form, 'text')]
      return locals.api.library.answerScan({ id, version, text })
    },
    (_, __, { params }) => redirect(303, `/library/${params.kind}/${params.slug}#scan`),
  ),
  deprecate: action(
    async (form, { locals, params }: RequestEvent) => {
      const { id } = await itemAt(locals, params)
      return locals.api.library.deprecate({
        ...{ id, deprecated: field(form, 'deprecated') === 'true', message: field(form, 'message') },
        ...{ successor: field(form, 'successor'), reason: reasonIn(form) },
      })
    },
    (item) => redirect(303, pathOf(item)),
  ),
  delete: action(
    async (form, { locals, params }: RequestEvent) => {
      const { id } = await itemAt(locals, params)
      return locals.api.library.delete({ id, reason: reasonIn(form) })
    },
    (_, __, { params }) => redirect(303, `/library/${params.kind}`),
  ),
} satisfies Actions
