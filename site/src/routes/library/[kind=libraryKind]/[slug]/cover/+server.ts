// The picture of an org in lists: its banner, else its chart.
import { error, redirect } from '@sveltejs/kit'
import { found, readerWords } from '#lib/server/answers.ts'
import { pictureAnswer } from '#lib/server/item-pictures.ts'
import { itemAt } from '#lib/server/library.ts'
import { coverOf } from '#lib/server/org-cover.ts'
import { drawChart } from '#lib/server/rendering.ts'
import { factsOf } from '../../../../../../../src/contract/item-kinds.ts'
import type { RequestHandler } from './$types'

/** As wide as a card is drawn, twice over. */
const BANNER_WIDTH = 960

export const GET: RequestHandler = async ({ locals, params, request }) => {
  const item = await itemAt(locals, params)
  if (factsOf(item.kind).drawn !== 'chart') error(404, readerWords()('errors.page.404'))
  if (item.gallery) {
    const { bannerUrl } = await found(locals.api.orgs.get({ id: item.id }))
    if (bannerUrl) redirect(302, `${bannerUrl}?width=${BANNER_WIDTH}`)
  }
  const { roles, communication, role_count: roleCount } = await found(locals.api.library.chart({ id: item.id }))
  const body = coverOf(await drawChart(locals, { roles, communication, roleCount }))
  return pictureAnswer(request, { type: 'image/svg+xml', body, isPublic: item.visibility !== 'private' && !item.state })
}
