// The picture that other sites show beside a link to an item.
import { itemListOf, itemLists } from '#lib/features/library/item-lists.ts'
import { pointsOf } from '#lib/features/library/may-do.ts'
import { found } from '#lib/server/answers.ts'
import { flowChart } from '#lib/server/flow-chart.ts'
import { pictureAnswer, publicItem } from '#lib/server/item-pictures.ts'
import { flowDrawing, pictureOf } from '#lib/server/share-picture.ts'
import { by, votesIn } from '#lib/server/shared-things.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals: { api, server }, params, request }) => {
  const item = await publicItem(api, params)
  const { id, kind, name, version, owner, score } = item
  const [{ permissions }, graph] = await Promise.all([
    found(api.library.contents({ id })),
    kind === 'workflow' ? found(api.library.graph({ id })) : undefined,
  ])
  const svg = pictureOf({
    ...{ name, kind: itemLists[itemListOf(kind)].one },
    about: `${version} ${by(item.team?.name ?? owner.username)}${votesIn(score)}`,
    points: pointsOf(item, permissions),
    drawing: graph && flowDrawing(flowChart(graph)),
  })
  return pictureAnswer(request, { type: 'image/png', body: await server.draw(svg) })
}
