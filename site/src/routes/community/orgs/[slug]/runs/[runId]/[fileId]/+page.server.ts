import { error } from '@sveltejs/kit'
import { shortName } from '#lib/features/orgs/view.ts'
import { found } from '#lib/server/answers.ts'
import { renderText } from '#lib/server/rendering.ts'
import type { PageServerLoad } from './$types'

/** Longer Markdown is shown as plain text in a frame (markdown.ts). */
const MAX_RENDERED_BYTES = 100_000

export const load: PageServerLoad = async ({ locals, params }) => {
  const [org, run] = await Promise.all([
    found(locals.api.orgs.get({ id: params.slug })),
    found(locals.api.orgRuns.get({ id: params.slug, runId: params.runId })),
  ])
  const file = run.files.find(({ id }) => id === params.fileId)
  if (!file) error(404, locals.t('orgs.run.noFile'))
  // The files of a hidden run are served to no one.
  if (run.state) return { org: { name: shortName(locals.t, org.name), url: org.url }, run, file }
  const rendered = file.fileType === 'md' && file.sizeBytes <= MAX_RENDERED_BYTES
  const html = rendered
    ? await renderText(locals, await (await found(locals.api.orgRuns.file({ fileId: file.id }))).text())
    : undefined
  return { org: { name: shortName(locals.t, org.name), url: org.url }, run, file, html }
}
