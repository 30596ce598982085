// The picture that other sites show beside a link to a thing.
import { pictureAnswer } from '#lib/server/item-pictures.ts'
import { pictureOf } from '#lib/server/share-picture.ts'
import { sharedThing } from '#lib/server/shared-things.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, params, request }) => {
  const svg = pictureOf(await sharedThing(locals, params), locals.t.site)
  return pictureAnswer(request, { type: 'image/png', body: await locals.server.draw(svg) })
}
