// Drafts of the forms of a page, read with it (enhance/drafts.ts keeps them, sent-draft.ts forgets them).
import { rendered } from '#lib/rendered.ts'
import { PAGE } from '../../../../src/content/drafts/contract.ts'
import { found } from './answers.ts'

const LONGEST = 300

/** The drafts of a page; none for an address that no draft can have. */
export async function draftsAt({ api }: Pick<App.Locals, 'api'>, path: string) {
  if (path.length > LONGEST || !PAGE.test(path)) return []
  return rendered((await found(api.drafts.list({ path }))).items)
}
