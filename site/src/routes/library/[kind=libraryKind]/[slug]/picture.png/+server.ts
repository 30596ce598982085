// The picture that other sites show beside a link to an item.

import { pointsOf } from '#lib/features/library/may-do.ts'
import { siteWords as t } from '#lib/language/catalogue.ts'
import { found } from '#lib/server/answers.ts'
import { facesOf } from '#lib/server/faces.ts'
import { flowChart } from '#lib/server/flow-chart.ts'
import { pictureAnswer, publicItem } from '#lib/server/item-pictures.ts'
import { flowDrawing, pictureOf } from '#lib/server/share-picture.ts'
import { by, votesIn } from '#lib/server/shared-things.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, params, request }) => {
  const { api, server } = locals
  const item = await publicItem(api, params)
  const { id, kind, name, version, owner, team, score } = item
  const [{ permissions }, graph] = await Promise.all([
    found(api.library.contents({ id })),
    kind === 'workflow' ? found(api.library.graph({ id })) : undefined,
  ])
  const svg = pictureOf(
    {
      ...{ name, kind: t(`kinds.${kind}.word`) },
      about: `${version} ${by(team?.name ?? owner.username)}${votesIn(score)}`,
      faces: team ? [] : await facesOf(locals, [owner.username]),
      labels: item.tags.map((tag) => ({ name: tag })),
      points: pointsOf(t, item, permissions),
      drawing: graph && flowDrawing(flowChart(graph)),
    },
    locals.t.site,
  )
  return pictureAnswer(request, { type: 'image/png', body: await server.draw(svg) })
}
