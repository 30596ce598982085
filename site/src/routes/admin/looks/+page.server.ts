import { undoOf } from '#lib/features/admin/undo.ts'
import { wordsIn } from '#lib/language/catalogue.ts'
import { navigationGroups } from '#lib/navigation.ts'
import { administering } from '#lib/server/administration.ts'
import { action, field, found, goTo } from '#lib/server/answers.ts'
import { pictureAddress } from '#lib/server/looks.ts'
import { fieldsOf, looksChangesIn, looksNames, pictureNames } from '#lib/server/looks-form.ts'
import { renderMarkdown } from '#lib/server/markdown.ts'
import { lowestContrasts } from '../../../../../src/config/colors.ts'
import { textIn } from '../../../../../src/config/site-texts.ts'
import type { Actions, PageServerLoad } from './$types'

const LATEST = 50

const pathsOf = ({ t }: App.Locals) => navigationGroups(t).flatMap(({ links }) => links.map(({ href }) => href))

const isOfLooks = ({ name }: { name: string }) => looksNames.some((one) => one === name)

/** What a preview shows beside the frame of the page: the pages that change. */
function previewedPages({ server, t, looksDraft }: App.Locals) {
  if (!server.looks.isDraft || !looksDraft?.['OWN_PAGES']) return []
  return server.looks.ownPages.map(({ slug, title, body }) => ({
    slug,
    title: textIn(title, t.language),
    html: renderMarkdown(textIn(body, t.language)),
  }))
}

export const load: PageServerLoad = async (event) => {
  await administering(event)
  event.setHeaders({ 'cache-control': 'no-store' })
  const { locals } = event
  const [{ version, items }, { items: changes }] = await Promise.all([
    found(locals.api.settings.list({})),
    found(locals.api.settings.listChanges({ per_page: LATEST })),
  ])
  const draft = locals.looksDraft ?? {}
  const held = items.filter(isOfLooks).map(({ name, value, source, default: usual, choices }) => {
    return { name, source, choices, value: Object.hasOwn(draft, name) ? (draft[name] ?? usual) : value }
  })
  const { looks } = locals.server
  return {
    version,
    held: held.map(({ name, source, choices }) => ({ name, source, choices })),
    fields: Object.assign({}, ...looksNames.map((name) => fieldsOfHeld(name, held))) as Record<string, string>,
    pictures: pictureNames.map((name) => ({
      name,
      address: pictureAddress(looks, ({ LOGO: 'logo', LOGO_DARK: 'logo-dark', ICON: 'icon' } as const)[name]),
      isOwn: held.some((one) => one.name === name && one.value !== null),
      drafted: draft[name] ?? undefined,
    })),
    groups: navigationGroups(locals.t),
    contrasts: lowestContrasts(looks.chosen),
    pages: previewedPages(locals),
    isPreview: looks.isDraft === true,
    did: ['saved', 'undone'].find((name) => event.url.searchParams.has(name)),
    changes: changes.filter(isOfLooks).map(({ before: _, after: __, ...change }) => change),
  }
}

function fieldsOfHeld(name: (typeof looksNames)[number], held: readonly { name: string; value: string | null }[]) {
  return fieldsOf(name, held.find((one) => one.name === name)?.value ?? null)
}

/** Tries the changes, and keeps what was typed for the page. */
async function draftIn(form: FormData, { locals }: { locals: App.Locals }) {
  const { items } = await locals.api.settings.list({})
  const changes = await looksChangesIn(form, items, pathsOf(locals))
  locals.looksDraft = changes
  return changes
}

export const actions = {
  preview: action(
    async (form, { locals }) => {
      const changes = await draftIn(form, { locals })
      if (Object.keys(changes).length === 0) return changes
      await locals.send('settings.change', { changes, version: Number(field(form, 'version')) }, { isDryRun: true })
      const looks = locals.server.draftLooks(changes)
      locals.server = { ...locals.server, looks }
      locals.t = wordsIn(locals.t.language, looks.site)
      return changes
    },
    (changes, form) => {
      const names = Object.keys(changes)
      return { names, nothing: names.length === 0, seen: field(form, 'version') }
    },
  ),
  save: action(async (form, { locals }) => {
    const changes = await draftIn(form, { locals })
    if (Object.keys(changes).length === 0) return
    await locals.api.settings.change({ changes, version: Number(field(form, 'version')) })
  }, goTo('/admin/looks?saved')),
  undo: action(
    (form, { locals }) => locals.api.settings.undoChange({ id: field(form, 'id') }),
    goTo('/admin/looks?undone'),
    { of: (form) => undoOf(field(form, 'id')) },
  ),
} satisfies Actions
