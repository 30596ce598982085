// The picture that other sites show beside a link to an item; the card of the site, where the build draws none.

import { redirect } from '@sveltejs/kit'
import { pointsOf } from '#lib/features/library/may-do.ts'
import { siteWords as t } from '#lib/language/catalogue.ts'
import { found } from '#lib/server/answers.ts'
import { facesOf } from '#lib/server/faces.ts'
import { flowChart } from '#lib/server/flow-chart.ts'
import { pictureAnswer, publicItem } from '#lib/server/item-pictures.ts'
import { brandOf } from '#lib/server/looks.ts'
import { flowDrawing, pictureOf } from '#lib/server/share-picture.ts'
import { by, votesIn } from '#lib/server/shared-things.ts'
import { factsOf } from '../../../../../../../src/contract/item-kinds.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, params, request }) => {
  const { api, server } = locals
  const { draw } = server
  if (!draw) redirect(307, '/card.png')
  const item = await publicItem(api, params)
  const { id, kind, name, version, owner, team, score } = item
  const [{ permissions }, graph] = await Promise.all([
    found(api.library.contents({ id })),
    factsOf(kind).drawn === 'graph' ? found(api.library.graph({ id })) : undefined,
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
    brandOf(server.looks),
  )
  return pictureAnswer(request, { type: 'image/png', body: await draw(svg) })
}
