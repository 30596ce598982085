// Pages with the history of a text: what each edit took away and added.
import type { RequestEvent } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { type SiteWords, wordOf } from '#lib/language/catalogue.ts'
import { rendered } from '#lib/rendered.ts'
import { diffOf, type Part } from '../../../../src/formats/text-diff.ts'
import { found } from './answers.ts'
import { pageNumber } from './page-number.ts'

type Page = Answer<'bugs.revisions'>

export interface History {
  items: (Omit<Page['items'][number], 'changes'> & { changes: { label: string; parts: Part[] }[] })[]
  page: number
  hasMore: boolean
}

const REVISIONS_A_PAGE = 10
/** A field as the form for a new thing calls it; `type` is the kind of the thing, or "comment". */
const labelOf = (t: SiteWords, type: string, field: string) =>
  wordOf(t, `kinds.${type}.field.${field}`) ?? t('community.edits.text')

export async function historyOf(
  { url, locals, type }: Pick<RequestEvent, 'url' | 'locals'> & { type: string },
  read: (input: { page: number; per_page: number }) => Promise<Page>,
): Promise<History> {
  const page = pageNumber(url)
  const { items, hasMore } = await found(read({ page, per_page: REVISIONS_A_PAGE }))
  const shown = items.map(({ changes, ...revision }) => ({
    ...revision,
    changes: changes.map(({ field, before, after }) => ({
      label: labelOf(locals.t, type, field),
      parts: diffOf(before, after),
    })),
  }))
  return { items: rendered(shown), page, hasMore }
}
