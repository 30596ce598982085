// The badge of an item, for a README elsewhere.
import { badgeOf } from '#lib/server/badge.ts'
import { pictureAnswer, publicItem } from '#lib/server/item-pictures.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals: { api, t }, params, request }) =>
  pictureAnswer(request, { type: 'image/svg+xml', body: badgeOf(await publicItem(api, params), t.site) })
