import { chosenIn, inOrder } from '#lib/features/admin/boxes.ts'
import { undoOf } from '#lib/features/admin/undo.ts'
import { administering } from '#lib/server/administration.ts'
import { action, field, found } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

const A_PAGE = 20

export const load: PageServerLoad = async (event) => {
  await administering(event)
  event.setHeaders({ 'cache-control': 'no-store' })
  const { settings } = event.locals.api
  const [{ version, items }, { items: changes }] = await Promise.all([
    found(settings.list({})),
    found(settings.listChanges({ per_page: A_PAGE })),
  ])
  // The looks have a page of their own.
  const shown = items.filter(({ section }) => section !== 'looks')
  const sections = [...Map.groupBy(shown, ({ section }) => section)].map(([name, some]) => ({
    name,
    plain: some.filter(({ isSecret }) => !isSecret),
    secrets: some.filter(({ isSecret }) => isSecret),
  }))
  return { version, sections, changes }
}

type Changed = Awaited<ReturnType<App.Locals['api']['settings']['change']>>

/** The fields that differ from what holds; those that the environment sets, and secrets, are no part of the form. */
async function changesIn(form: FormData, { api }: App.Locals): Promise<Record<string, string | null>> {
  const { items } = await api.settings.list({})
  const changed = items.flatMap(({ name, value, isSecret, source, choices }): [string, string | null][] => {
    if (isSecret || source === 'environment') return []
    const chosen = chosenIn(form, name, choices)
    if (chosen === undefined && !form.has(name)) return []
    const text = chosen ?? field(form, name).trim()
    const before = chosen === undefined ? (value ?? '') : inOrder(value ?? '', choices)
    return text === before ? [] : [[name, text || null]]
  })
  return Object.fromEntries(changed)
}

export const actions = {
  preview: action(
    async (form, { locals }) => {
      const changes = await changesIn(form, locals)
      if (Object.keys(changes).length === 0) return { changes, preview: undefined }
      const version = Number(field(form, 'version'))
      const preview = await locals.send('settings.change', { changes, version }, { isDryRun: true })
      return { changes, preview: preview as Changed }
    },
    ({ changes, preview }, form) => ({ changes, preview, nothing: !preview, seen: field(form, 'version') }),
  ),
  save: action(
    async (form, { locals }) =>
      locals.api.settings.change({ changes: await changesIn(form, locals), version: Number(field(form, 'version')) }),
    () => ({ saved: true }),
  ),
  secret: action(
    (form, { locals }) =>
      locals.api.settings.change({ changes: { [field(form, 'name')]: field(form, 'password').trim() || null } }),
    () => ({ saved: true }),
    { of: (form) => `secret ${field(form, 'name')}` },
  ),
  undo: action(
    (form, { locals }) => locals.api.settings.undoChange({ id: field(form, 'id') }),
    () => ({ undone: true }),
    { of: (form) => undoOf(field(form, 'id')) },
  ),
} satisfies Actions
