// A search as an Atom feed: what is new for these words, with the types of the page.

import { siteWords as t } from '#lib/language/catalogue.ts'
import { found } from '#lib/server/answers.ts'
import { atomAnswer, authorOf } from '#lib/server/atom.ts'
import { glimpse, listQuery, oneOf } from '#lib/server/lists.ts'
import { boardIn } from '#lib/server/subjects.ts'
import { typesIn } from '#lib/ui/search-types.ts'
import { writers } from '../../../../src/contract/fields.ts'
import type { RequestHandler } from './$types'

const ENTRIES = 20

export const GET: RequestHandler = async ({
  locals: {
    api,
    t: { site },
  },
  url,
}) => {
  const { q = '' } = listQuery(url)
  const types = typesIn(url.searchParams.get('type'))
  const by = oneOf(url.searchParams.get('by'), writers)
  const board = boardIn(url)
  const { items } = await found(
    api.search.find({
      q,
      sort: 'newest',
      per_page: ENTRIES,
      by,
      board,
      ...(types.length > 0 && { type: types.join() }),
    }),
  )
  const whole = (parts: readonly { text: string }[]) => parts.map(({ text }) => text).join('')
  return atomAnswer({
    site,
    title: t('search.feedTitle', { q: q || '…' }),
    url,
    // What has no date is no news: a label or a tag.
    entries: items.flatMap(({ createdAt, updatedAt, ...hit }) =>
      createdAt === null
        ? []
        : {
            url: new URL(hit.url, url.origin).href,
            title: t('search.feedEntry', { type: t(`kinds.${hit.type}.word`), title: whole(hit.title) }),
            author: authorOf(hit.authorUsername),
            publishedAt: createdAt,
            updatedAt: updatedAt ?? createdAt,
            summary: glimpse(whole(hit.text)),
          },
    ),
  })
}
