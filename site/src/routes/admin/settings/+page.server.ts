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
  const sections = [...Map.groupBy(items, ({ section }) => section)].map(([name, shown]) => ({
    name,
    plain: shown.filter(({ isSecret }) => !isSecret),
    secrets: shown.filter(({ isSecret }) => isSecret),
  }))
  return { version, sections, changes }
}

type Changed = Awaited<ReturnType<App.Locals['api']['settings']['change']>>

/** The fields that differ from what holds; those that the environment sets, and secrets, are no part of the form. */
async function changesIn(form: FormData, { api }: App.Locals): Promise<Record<string, string | null>> {
  const { items } = await api.settings.list({})
  const changed = items.flatMap(({ name, value, isSecret, source }): [string, string | null][] => {
    if (isSecret || source === 'environment' || !form.has(name)) return []
    const text = field(form, name).trim()
    return text === (value ?? '') ? [] : [[name, text || null]]
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
    { of: (form) => `undo ${field(form, 'id')}` },
  ),
} satisfies Actions
