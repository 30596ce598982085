// The card of a thing to embed elsewhere: SVG, which loads and runs nothing.

import { pictureAnswer } from '#lib/server/item-pictures.ts'
import { brandOf } from '#lib/server/looks.ts'
import { pictureOf } from '#lib/server/share-picture.ts'
import { sharedThing } from '#lib/server/shared-things.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, params, request }) =>
  pictureAnswer(request, {
    type: 'image/svg+xml',
    body: pictureOf(await sharedThing(locals, params), brandOf(locals.server.looks)),
  })
