// The picture that other sites show beside a link to a thing; the card of the site, where the build draws none.

import { redirect } from '@sveltejs/kit'
import { pictureAnswer } from '#lib/server/item-pictures.ts'
import { brandOf } from '#lib/server/looks.ts'
import { pictureOf } from '#lib/server/share-picture.ts'
import { sharedThing } from '#lib/server/shared-things.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, params, request }) => {
  const { draw } = locals.server
  if (!draw) redirect(307, '/card.png')
  const svg = pictureOf(await sharedThing(locals, params), brandOf(locals.server.looks))
  return pictureAnswer(request, { type: 'image/png', body: await draw(svg) })
}
